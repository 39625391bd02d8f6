package order

import "github.com/linchpin-graph/linchpin/export"

// Sector is how many numbers apart nodes lie in one sector of 32 bytes.
const Sector = 8

// Locality returns the share of neighbours whose numbers lie at most so far from that of the neighbour before them,
// from so many evenly spaced rows, of which first is the first. Where nodes are numbered as they were first seen, the
// neighbours of the first few follow one another, whatever the graph is like: few rows from 0 on say too much of these.
func Locality(g *export.Graph, first, rows int, apart int32) float64 {
	var all, near int64
	step := max(1, g.N()/max(1, rows))
	for v := first; v < g.N(); v += step {
		row := g.Row(int32(v))
		all += int64(len(row))
		for i := 1; i < len(row); i++ {
			if between := row[i] - row[i-1]; between <= apart && between >= -apart {
				near++
			}
		}
	}
	return float64(near) / float64(max(all, 1))
}

// AreLocal reports whether the numbers of the nodes of a shallow graph are as good an order of its rows as any that is
// made.
func AreLocal(locality float64) bool { return locality >= localNumbers }
