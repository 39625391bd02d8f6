package plan

import (
	"github.com/linchpin-graph/linchpin/engine/plan/looks"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// WeightClass is the kind of numbers that hold the lengths of paths.
type WeightClass int

// The classes, from the cheapest to search to the dearest.
const (
	Equal   WeightClass = iota // no weights, or all are equal: hops
	Ticks32                    // whole ticks, of which 32 bits hold every path
	Ticks64                    // whole ticks of more bits, or perhaps of more
	Reals
)

// Weights describe the weights of a graph.
type Weights struct {
	Class WeightClass
	// Least and Greatest weight.
	Least, Greatest float64
	// Ticks is the greatest in ticks if all weights are whole numbers; lanes.NotWhole otherwise.
	Ticks int64
}

// Wide reports whether weights differ so much that buckets cannot keep searches in order at little cost.
func (w Weights) Wide() bool { return w.Class == Reals || w.Greatest > wideSpread*w.Least }

// wideSpread is the ratio of weights from which on they are wide. Weights of 1 to 10 are not; weights of 1
// to 1,000 cost as much as any others (h200-weights.jsonl).
const wideSpread = 300

// Ticks finds the weights of a graph in whole ticks, as lengths.WholeTicks does.
type Ticks func(g *export.Graph) (arc []int64, mul, div float64, ok bool)

func weightsOf(g *export.Graph, wholeTicks Ticks) Weights {
	if len(g.Weights) == 0 {
		return Weights{}
	}
	w := Weights{Ticks: lanes.NotWhole}
	w.Least, w.Greatest = g.WeightRange()
	if w.Least == w.Greatest {
		w.Ticks = 1
		return w
	}
	ticks, _, div, ok := wholeTicks(g)
	most := looks.Greatest(ticks)
	if ok && div == 1 {
		w.Ticks = most
	}
	switch {
	case !ok:
		w.Class = Reals
	case float64(most)*float64(g.N()) < 1<<32: // no search is needed to see it
		w.Class = Ticks32
	case g.N() <= tinyGraph && search.LongestTicks(g, ticks) < 1<<32: // of a larger graph, no way asks
		w.Class = Ticks32
	default:
		w.Class = Ticks64
	}
	return w
}
