package graphtest

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// Random draws a graph of n nodes and up to 6n edges, with weights, 1 unless weighted; with loops, some edges are
// self-loops or parallel to others.
func Random(t testing.TB, random *rand.Rand, n int, directed, loops, weighted bool) *export.Graph {
	t.Helper()
	var edges []Link
	seen := map[[2]int32]bool{}
	allDigits := random.IntN(3) == 0
	for range random.IntN(6*n + 1) {
		e := Link{int32(random.IntN(n)), int32(random.IntN(n)), 1}
		if !directed && e.From > e.To {
			e.From, e.To = e.To, e.From
		}
		if !loops && (e.From == e.To || seen[[2]int32{e.From, e.To}]) {
			continue
		}
		seen[[2]int32{e.From, e.To}] = true
		if weighted {
			e.Weight = float64(1+random.IntN(9)) / 10 // few values, so that there are ties
			if allDigits && random.IntN(20) == 0 {
				e.Weight = 1 - random.Float64() // in (0, 1], all its digits
			}
		}
		edges = append(edges, e)
	}
	return Links(t, n, directed, true, edges)
}
