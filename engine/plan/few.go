package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Samples of few sources are searched in a millisecond: to find out how deep the graph is, and to weigh all ways, would
// take a tenth of that. Here the engine is known by the length of rows (docs/notes 090, 093, 094 and 096 to 100).
const (
	// shortGraph is up to how many nodes and arcs, shortSources from up to how many sources searches are one by one. From
	// one source for a multiprocessor to one for fullSMs of them, they are on any graph without hubs of up to sparseDegree
	// arcs per node.
	shortGraph, shortSources, fullSMs, sparseDegree = 1 << 18, 1 << 10, 4, 16
	// Where some row has hubTimes the mean arcs, there are hubs. Then sources are as few, and rows have shortRow arcs at
	// most.
	hubTimes, shortRow = 8, 1 << 11
	// From so few sources, four threads for a node are faster on graphs of shortDegree arcs per node with hubs, or with up
	// to nodesPerArc nodes for each of these arcs. The mean degree counts for more where rows are of many lengths, by
	// unevenRows times what the node at the end of an arc has more: a warp waits for the longest of its rows.
	shortDegree, nodesPerArc, unevenRows = 4, 1400, 4
	// Larger graphs of broadDegree arcs per node, and those of denseGraph nodes and arcs that are not sparse, are shallow
	// where the node at the end of an arc has nearHubs times as many in the mean: hubs are near every node. Batches level
	// by level are the fastest there. On sparser large graphs whose rows have shortRow arcs at most, they are, unless
	// localRows of all neighbours lie next to one another in memory: searches one by one gain from that.
	broadDegree, denseGraph, nearHubs, localRows = 7, 1 << 16, 3, 0.25
	// Those that are not sparse, of up to denseNodes nodes, are searched level by level where nearShare of the nodes are
	// near a node with many arcs, as a look at nearArcs arcs tells. Else a batch comes to a node at many levels, and
	// searches one by one are faster: with four threads for a node in up to fourSMs searches for a multiprocessor of up to
	// fourNodes nodes, and in more of up to hubNodes where there are hubs. Graphs are even where no node looked at has
	// over evenTimes the mean arcs. There evenNear of the nodes tell, and a look at evenRows of all arcs, or on up to
	// smallArcs arcs at smallArcsEach for each node.
	denseNodes, nearShare, nearArcs, fourSMs, fourNodes, hubNodes = 1 << 14, 0.5, 1 << 16, 2, 14_000, 1 << 13
	evenTimes, evenNear, evenRows, smallArcs, smallArcsEach       = 2, 0.4, 0.1, 1 << 17, 1.2
	// For one search for a multiprocessor fewNear of the nodes tell, and a look at fewArcsEach arcs for each of all nodes.
	// Even graphs of up to evenDegree arcs per node need no such look: levels gain little there, or lose. Four threads for
	// a node are faster on up to evenNodes of these, and of more arcs per node on all that are not near.
	fewNear, fewArcsEach, evenDegree, evenNodes = 0.25, 1.8, 32, 1 << 12
	// Rows are close where closeNumbers of all neighbours have numbers within closeApart of the one before, as a look at
	// closeRows rows tells, or at fewCloseRows from few sources. Searches one by one take half as long there: few, of up
	// to closeArcs arcs, are the fastest with four threads for a node. From more sources they are the fastest of up to
	// evenDegree arcs per node, and with four threads on up to hubNodes nodes where rows are in onePiece: a band, or a
	// chain of cliques.
	closeNumbers, closeApart, closeRows, fewCloseRows, closeArcs, onePiece = 0.85, 2, 64, 4, 5 << 17, 1.25
)

// few adds the engine for a sample so small that it is sure, and reports whether it is.
func (l *list) few() bool {
	f := l.f
	if !l.m.GPU || l.m.Threads > 0 || f.All || f.Weighted || f.Pairs || f.EdgeScores || f.Kind != kernels.Dependencies ||
		f.measured.Depth != nil || f.measured.Likely != nil || f.Sources > shortSources {
		return false
	}
	degrees := f.lazy.degrees
	if f.measured.Degrees == nil && !f.Directed && f.Arcs > 0 {
		degrees = f.lazy.rows // some, among which hubs are
	}
	engine := f.engineOfFew(degrees, int64(l.m.Rates.Shape.SMs))
	if engine == "" {
		return false
	}
	guess := order.Depth{Levels: int(math.Sqrt(float64(f.Nodes)))}
	if engine == Levels {
		guess.Levels = int(math.Log2(float64(f.Nodes)) / 2)
		if f.Shallow != nil {
			f.Shallow(guess)
		}
	}
	f.UseDepth(func() order.Depth { return guess }, func() order.Depth { return guess })
	if f.measured.Degrees == nil && f.isSmallDense() { // not all rows were looked at
		degrees = func() Degrees {
			return Degrees{Branch: f.Nodes, Greatest: f.lazy.busy(), Squares: float64(f.Arcs) * f.MeanDegree()}
		}
	}
	f.lazy.degrees, f.lazy.near, f.lazy.locality = degrees, f.share, func() float64 { return 0.5 }
	var cost Cost
	what := "one search per thread block"
	if engine == Levels {
		cost, what = l.m.Rates.levelsCost(f, f.size()), "batches by hops, level by level"
	} else {
		cost = l.m.Rates.traversal(f, threadsPerNode[engine])
	}
	l.gpu(engine, cost, what+": done before other ways are weighed")
	return true
}

// isSmallDense reports whether the graph is undirected, not sparse, and not large, nor so small that any way is fast.
func (f *Features) isSmallDense() bool {
	return !f.Directed && f.Nodes+f.Arcs >= denseGraph && f.MeanDegree() > sparseDegree && f.Nodes <= denseNodes
}

// engineOfFew is the engine for few sources of the graph, on so many multiprocessors; "" where it is not sure.
func (f *Features) engineOfFew(degrees func() Degrees, sms int64) string {
	size, mean := f.Nodes+f.Arcs, f.MeanDegree()
	small, few := size <= shortGraph, f.Sources <= sms
	enough := fullSMs*f.Sources >= sms
	full := few && enough
	if enough && f.isSmallDense() {
		return f.engineOfDense(few, sms)
	}
	if !small && !full {
		return ""
	}
	rows := degrees()
	end := rows.Squares / max(1, float64(f.Arcs)) // arcs of the node at the end of an arc
	hubs, short := float64(rows.Greatest) > hubTimes*mean, rows.Greatest <= shortRow
	near, dense := full && hubs && end >= nearHubs*mean, size >= denseGraph && mean > sparseDegree
	switch {
	case near && (dense || !small && (mean >= broadDegree || short && f.Locality() < localRows)):
		return Levels
	case near && !small && short:
		return OneByOne
	case !small && (hubs || dense), hubs && !(few && short):
		return ""
	case few && mean >= shortDegree && (hubs || float64(f.Nodes) <= nodesPerArc*(mean+unevenRows*(end-mean))):
		return OneByOne4
	}
	return OneByOne
}

// engineOfDense is the engine for sources of a graph that isSmallDense; few says that there is at most one for a
// multiprocessor.
func (f *Features) engineOfDense(few bool, sms int64) string {
	mean, busy := f.MeanDegree(), float64(f.lazy.busy())
	even, sparse, rows := busy <= evenTimes*mean, mean <= evenDegree, closeRows
	switch {
	case few && even && sparse && f.Nodes <= evenNodes:
		return OneByOne4
	case few && even && sparse:
		return OneByOne
	case few:
		rows = fewCloseRows
	}
	share, arcs := nearShare, float64(nearArcs)
	switch numbers := f.lazy.close(rows); {
	case few && numbers >= closeNumbers && f.Arcs <= closeArcs:
		return OneByOne4
	case few:
		share, arcs = fewNear, fewArcsEach*float64(f.Nodes)
	case sparse && numbers >= closeNumbers:
		return OneByOne
	case f.Nodes <= hubNodes && (1-numbers)*mean <= onePiece: // the first of a row is close to none
		return OneByOne4
	case even && f.Arcs <= smallArcs:
		share, arcs = evenNear, smallArcsEach*float64(f.Nodes)
	case even:
		share, arcs = evenNear, evenRows*float64(f.Arcs)
	}
	switch {
	case f.lazy.areNear(share, int(arcs)):
		return Levels
	case few && !sparse, f.Nodes <= fourNodes && f.Sources <= fourSMs*sms, f.Nodes <= hubNodes && busy > hubTimes*mean:
		return OneByOne4
	}
	return OneByOne
}
