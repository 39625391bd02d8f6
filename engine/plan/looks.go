package plan

import (
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// What the features of a graph are computed from.

func degreesOf(g *export.Graph) (d Degrees) {
	for v := range int32(g.N()) {
		degree := g.Degree(v)
		d.Squares += float64(degree) * float64(degree)
		d.Greatest = max(d.Greatest, degree)
		switch {
		case degree == 0:
			d.Isolated++
		case degree == 1:
			d.Leaves++
		case degree > 2:
			d.Branch++
		}
	}
	return d
}

// reachOf is Reach: the mean size of the component of a node with arcs.
func reachOf(g *export.Graph) float64 {
	parent := make([]int32, g.N())
	for v := range parent {
		parent[v] = int32(v)
	}
	root := func(v int32) int32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	for v := range int32(g.N()) {
		for _, w := range g.Row(v) {
			a, b := root(v), root(w)
			parent[max(a, b)] = min(a, b)
		}
	}
	sizes := make([]float64, g.N())
	for v := range int32(g.N()) {
		sizes[root(v)]++
	}
	all, squares := 0.0, 0.0
	for _, size := range sizes {
		if size > 1 {
			all, squares = all+size, squares+size*size
		}
	}
	if all == 0 {
		return 1
	}
	return squares / (all * all)
}

// nearness is Nearness where not all nodes are sources.
func nearness(g *export.Graph, sources []int32) float64 {
	near, all := order.ArcsAmong(g, sources)
	return float64(near) / float64(max(all, 1))
}

const (
	// looks is how many rows localityOf looks at; ballLooks how many balls ballOf measures.
	looks     = 5_000
	ballLooks = 32
	// together is how many numbers apart nodes lie in one sector of 32 bytes.
	together = 8
)

// localityOf is Locality, from evenly spaced rows.
func localityOf(g *export.Graph) float64 {
	var all, near int64
	step := max(1, g.N()/looks)
	for v := 0; v < g.N(); v += step {
		row := g.Row(int32(v))
		all += int64(len(row))
		for i := 1; i < len(row); i++ {
			if apart := row[i] - row[i-1]; apart <= together && apart >= -together {
				near++
			}
		}
	}
	return float64(near) / float64(max(all, 1))
}

// ballOf is BallArcs: exact for radius 0 and 1 on undirected graphs, from evenly spaced nodes otherwise.
func ballOf(g *export.Graph, radius int64) float64 {
	n := g.N()
	if n == 0 {
		return 0
	}
	seen := make([]int32, n) // by which look
	read, step := int64(0), max(1, n/ballLooks)
	taken := int32(0)
	for start := 0; start < n; start += step {
		taken++
		read += arcsWithin(g, int32(start), radius, seen, taken)
	}
	return float64(read) / float64(taken)
}

// arcsWithin counts the arcs of the nodes within radius hops of start. seen has the number of the last look
// at a node.
func arcsWithin(g *export.Graph, start int32, radius int64, seen []int32, look int32) (arcs int64) {
	front := []int32{start}
	seen[start] = look
	for hop := int64(0); hop < radius && len(front) > 0; hop++ {
		var next []int32
		for _, v := range front {
			arcs += g.Degree(v)
			for _, w := range g.Row(v) {
				if seen[w] != look {
					seen[w] = look
					next = append(next, w)
				}
			}
		}
		front = next
	}
	return arcs
}

// WeightClass is the kind of numbers that hold the lengths of paths.
type WeightClass int

// The classes, from the cheapest to search to the dearest.
const (
	Equal   WeightClass = iota // no weights, or all are equal: hops
	Ticks32                    // whole ticks, of which 32 bits hold every path
	Ticks64                    // whole ticks of more bits
	Reals
)

// Weights describe the weights of a graph.
type Weights struct {
	Class WeightClass
	// Least and Greatest weight.
	Least, Greatest float64
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
	var w Weights
	w.Least, w.Greatest = g.WeightRange()
	if w.Least == w.Greatest {
		return w
	}
	ticks, _, _, ok := wholeTicks(g)
	switch {
	case !ok:
		w.Class = Reals
	case float64(slices.Max(ticks))*float64(g.N()) < 1<<32: // no search is needed to see it
		w.Class = Ticks32
	case search.LongestTicks(g, ticks) < 1<<32:
		w.Class = Ticks32
	default:
		w.Class = Ticks64
	}
	return w
}
