package distances

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// Fold folds distances from the sources of a shard into a partial result of a measure of the closeness family.
func Fold(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths, into *kernels.Partial,
) error {
	newSearch, newWorker, results := search.Within(g, l, r.Within()), Folders(m, g, r, into), workers.Shared(into)
	single := func(stop *stopper.Stopper) workers.Worker { return newWorker(newSearch(false, stop)) }
	return workers.OverBatches(ctx, g, r, shard, single, func(stop *stopper.Stopper) workers.Worker {
		return &foldBatchWorker{folding: newFolding(m, g, r, into, results), search: search.NewMultiBFS(g, stop)}
	})
}

// Folders makes workers that fold distances from one source after another, by searches of the caller.
func Folders(m kernels.Measure, g *export.Graph, r kernels.Request, into *kernels.Partial) func(s search.Search) workers.Joiner {
	newMasses, results := pairs.New(g.N(), r.Pairs), workers.Shared(into)
	return func(s search.Search) workers.Joiner {
		return &foldWorker{folding: newFolding(m, g, r, into, results), search: s, masses: newMasses()}
	}
}

// FoldTo folds the distances by hops from all nodes to some of them, with the bits of Fold. back is the graph with its arcs reversed.
func FoldTo(
	ctx context.Context, m kernels.Measure, back *export.Graph, r kernels.Request, nodes []int32, into *kernels.Partial,
) error {
	r.Edges, r.Sources, r.Progress = false, nodes, nil
	results := workers.Shared(into)
	return workers.Over(ctx, back.N(), r, func(stop *stopper.Stopper) workers.Worker {
		return &foldToWorker{folding: newFolding(m, back, r, into, results), search: search.NewBFS(back, false, stop)}
	})
}

// foldToWorker folds distances to one node after another.
type foldToWorker struct {
	folding
	search *search.BFS
}

// Source folds the distances to a node.
func (w *foldToWorker) Source(v int32) error {
	err := w.search.From(v)
	levels := w.search.Found().Levels
	for d := 1; err == nil && d+1 < len(levels); d++ {
		w.at(float64(d))
		w.node(v, float64(levels[d+1]-levels[d]))
	}
	w.reach.Add([]int32{v})
	return err
}

// folder folds one more distance, from so many sources, into a sum that starts at 0.
type folder func(sum, d, sources float64) float64

func folderOf(fold kernels.Fold) folder {
	switch fold {
	case kernels.FoldInverse:
		return func(sum, d, k float64) float64 { return sum + k/d }
	case kernels.FoldGreatest:
		return func(sum, d, _ float64) float64 { return max(sum, d) }
	}
	return func(sum, d, k float64) float64 { return sum + k*d }
}

// folded has the folded sum of distances of every node and edge, and of how many sources.
type folded struct {
	nodes, nodeCount, edges, edgeCount []float64
	// nodeTerms and edgeTerms stand for nodes and edges where hops are inverted and each pair counts once. Terms are
	// rounded before they are added, so sums have the same bits for any chunks.
	nodeTerms, edgeTerms []exact.Word
}

func newFolded(g *export.Graph, edges, terms bool) *folded {
	f := &folded{nodeCount: make([]float64, g.N())}
	if edges {
		f.edgeCount = make([]float64, g.M())
	}
	if terms {
		f.nodeTerms, f.edgeTerms = make([]exact.Word, g.N()), make([]exact.Word, len(f.edgeCount))
		return f
	}
	f.nodes, f.edges = make([]float64, g.N()), make([]float64, len(f.edgeCount))
	return f
}

// folding is what workers fold.
type folding struct {
	fold  folder
	g     *export.Graph
	own   *folded
	reach workers.Reach
	sum   kernels.Totals
	out   *workers.Result
	scale exact.Scale // of the sums

	// distance is what is folded next, term its inverse.
	distance float64
	term     exact.Word
}

func newFolding(
	m kernels.Measure, g *export.Graph, r kernels.Request, into *kernels.Partial, results *workers.Results,
) folding {
	fold, _ := kernels.FoldOf(m.Name)
	terms := fold == kernels.FoldInverse && !r.Weighted && into.Nodes != nil
	out := folding{
		fold: folderOf(fold), g: g, own: newFolded(g, r.Edges, terms), reach: workers.NewReach(g.N()), out: results.One(),
	}
	if into.Nodes != nil {
		out.scale = into.Nodes.Scale
	}
	return out
}

// at sets the distance that is folded next.
func (w *folding) at(d float64) {
	if d == w.distance {
		return
	}
	w.distance = d
	if w.own.nodeTerms != nil {
		w.term = w.scale.Of(1 / d)
	}
}

// node folds the distance of so many sources at a node.
func (w *folding) node(v int32, sources float64) {
	if w.own.nodeTerms != nil {
		w.own.nodeTerms[v].AddTimes(w.term, int64(sources))
	} else {
		w.own.nodes[v] = w.fold(w.own.nodes[v], w.distance, sources)
	}
	w.own.nodeCount[v] += sources
}

// edge folds the distance of so many sources at an edge.
func (w *folding) edge(e int32, sources float64) {
	if w.own.nodeTerms != nil {
		w.own.edgeTerms[e].AddTimes(w.term, int64(sources))
	} else {
		w.own.edges[e] = w.fold(w.own.edges[e], w.distance, sources)
	}
	w.own.edgeCount[e] += sources
}

func (w *folding) Merge() error {
	w.out.Add(func(into *kernels.Partial) {
		if w.reach.Many {
			w.own.moveAll(into)
		} else {
			for _, v := range w.reach.Nodes {
				w.own.moveAt(into, w.g, v)
			}
		}
		pairs.JoinTotals(into, &w.sum)
	})
	w.reach.Forget()
	return nil
}

func (w *folding) Join() error { return w.out.Join() }

// moveAll adds all folds to a partial result, and clears them.
func (f *folded) moveAll(into *kernels.Partial) {
	for v := range f.nodeCount {
		f.moveNode(into, int32(v))
	}
	for e := range f.edgeCount {
		f.moveEdge(into, int32(e))
	}
}

// moveAt adds the folds of a node and its edges, and clears them.
func (f *folded) moveAt(into *kernels.Partial, g *export.Graph, v int32) {
	f.moveNode(into, v)
	if f.edgeCount == nil {
		return
	}
	edges := func(g *export.Graph) {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			f.moveEdge(into, g.Edge(k)) // 0 from an edge's other end
		}
	}
	edges(g)
	if g.Directed {
		edges(g.Transpose())
	}
}

func (f *folded) moveNode(into *kernels.Partial, v int32) {
	if f.nodeCount[v] == 0 {
		return
	}
	switch {
	case f.nodeTerms != nil:
		into.Nodes.Words[v].Add(f.nodeTerms[v])
		f.nodeTerms[v] = exact.Word{}
	case into.Nodes != nil:
		into.Nodes.Add(int(v), f.nodes[v])
	case into.WideNodes != nil:
		into.WideNodes[v].AddFloat(f.nodes[v])
	default:
		into.MostNodes[v] = max(into.MostNodes[v], f.nodes[v])
	}
	if into.NodeDemands != nil {
		into.NodeDemands[v].AddFloat(f.nodeCount[v])
	} else {
		into.NodeCounts[v] += int64(f.nodeCount[v])
	}
	if f.nodeCount[v] = 0; f.nodes != nil {
		f.nodes[v] = 0
	}
}

func (f *folded) moveEdge(into *kernels.Partial, e int32) {
	if f.edgeCount[e] == 0 {
		return
	}
	switch {
	case f.nodeTerms != nil:
		into.Edges.Words[e].Add(f.edgeTerms[e])
		f.edgeTerms[e] = exact.Word{}
	case into.Edges != nil:
		into.Edges.Add(int(e), f.edges[e])
	case into.WideEdges != nil:
		into.WideEdges[e].AddFloat(f.edges[e])
	default:
		into.MostEdges[e] = max(into.MostEdges[e], f.edges[e])
	}
	if into.EdgeDemands != nil {
		into.EdgeDemands[e].AddFloat(f.edgeCount[e])
	} else {
		into.EdgeCounts[e] += int64(f.edgeCount[e])
	}
	if f.edgeCount[e] = 0; f.nodes != nil {
		f.edges[e] = 0
	}
}
