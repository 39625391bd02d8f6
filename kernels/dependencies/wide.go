package dependencies

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/internal/wide"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// Wide does the work of a Finder with counts of paths of any size, for the sources that need it: those
// of graphs like large grids, where counts of one level lie further apart than float64 reaches.
type Wide struct {
	g     *export.Graph
	stop  *stopper.Stopper
	sigma []wide.Number
	delta []float64
}

// NewWide returns one for a graph.
func NewWide(g *export.Graph, stop *stopper.Stopper) *Wide {
	return &Wide{g: g, stop: stop, sigma: make([]wide.Number, g.N()), delta: make([]float64, g.N())}
}

// Accumulate counts the paths and adds the dependencies of their source to nodes and edges, either of which may be nil.
// mass is how much the pair of the source and a target counts.
func (d *Wide) Accumulate(p *search.Paths, mass func(t int32) float64, nodes, edges []float64) error {
	if err := CountPaths(d.g, p, d.sigma, d.stop); err != nil {
		return err
	}
	for i := len(p.Order) - 1; i >= 0; i-- {
		if i%stopper.Every == 0 {
			if err := d.stop.Err(); err != nil {
				return err
			}
		}
		v := p.Order[i]
		row, sum := d.g.Row(v), 0.0
		for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
			w := row[k]
			x := d.sigma[v].Over(d.sigma[w]) * (mass(w) + d.delta[w])
			sum += x
			if edges != nil {
				edges[d.g.Edge(d.g.Offsets[v]+int64(k))] += x
			}
		}
		d.delta[v] = sum
		if nodes != nil && i > 0 {
			nodes[v] += sum
		}
	}
	return nil
}

// CountPaths sets sigma to the number of shortest paths to every node reached.
func CountPaths(g *export.Graph, p *search.Paths, sigma []wide.Number, stop *stopper.Stopper) error {
	for _, v := range p.Order {
		sigma[v] = wide.Number{}
	}
	sigma[p.Order[0]] = wide.Of(1)
	for i, v := range p.Order {
		if i%stopper.Every == 0 {
			if err := stop.Err(); err != nil {
				return err
			}
		}
		row := g.Row(v)
		for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
			sigma[row[k]] = sigma[row[k]].Plus(sigma[v])
		}
	}
	return nil
}
