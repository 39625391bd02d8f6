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
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths,
	into *kernels.Partial,
) error {
	return fold(ctx, newFoldings(m, g, r, into), shard, l)
}

// FoldNodes is Fold of all shards, with sums from which what some sources added can be taken off again. By weights,
// each distance, or its inverse, is rounded by itself.
func FoldNodes(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, l lengths.Lengths, into *kernels.Partial,
) error {
	f := newFoldings(m, g, r, into)
	f.each = r.Weighted
	return fold(ctx, f, kernels.Shard{}, l)
}

func fold(ctx context.Context, f foldings, shard kernels.Shard, l lengths.Lengths) error {
	newSearch, newWorker := search.Within(f.g, l, f.request.Within()), f.workers()
	single := func(stop *stopper.Stopper) workers.Worker { return newWorker(newSearch(false, stop)) }
	if f.foldsAlike(shard, l) {
		single = func(stop *stopper.Stopper) workers.Worker {
			return &foldToWorker{folding: f.next(), search: newSearch(false, stop)}
		}
	}
	return workers.OverBatches(ctx, f.g, f.request, shard, single, func(stop *stopper.Stopper) workers.Worker {
		return &foldBatchWorker{folding: f.next(), search: search.NewMultiBFS(f.g, stop)}
	})
}

// foldsAlike reports whether the distances from a node fold to what those to it do, and so to its score: a search then
// ends with one fold per level. A shard lacks the distances to its sources from those of others, which may be searched
// from on a device.
func (f foldings) foldsAlike(shard kernels.Shard, l lengths.Lengths) bool {
	_, hops := l.(lengths.Hops)
	r := f.request
	return shard.Whole() && hops && !f.g.Directed && r.Sources == nil && r.Pairs == nil && !r.Edges
}

// Folders makes workers that fold distances from one source after another, by searches of the caller.
func Folders(
	m kernels.Measure, g *export.Graph, r kernels.Request, into *kernels.Partial,
) func(s search.Search) workers.Joiner {
	return newFoldings(m, g, r, into).workers()
}

// FoldTo folds the distances from all nodes to some of them, with the bits of FoldNodes. back is the graph with its
// arcs reversed.
func FoldTo(
	ctx context.Context, m kernels.Measure, back *export.Graph, r kernels.Request, l lengths.Lengths, nodes []int32,
	into *kernels.Partial,
) error {
	r.Edges, r.Sources, r.Progress = false, nodes, nil
	f, newSearch := newFoldings(m, back, r, into), search.Of(back, l)
	f.each = r.Weighted
	return workers.Over(ctx, back.N(), r, func(stop *stopper.Stopper) workers.Worker {
		return &foldToWorker{folding: f.next(), search: newSearch(false, stop)}
	})
}

// foldToWorker folds distances to one node after another.
type foldToWorker struct {
	folding
	search search.Search
}

// Source folds the distances to a node.
func (w *foldToWorker) Source(v int32) error {
	if err := w.search.From(v); err != nil {
		return err
	}
	search.EachDistance(w.search, func(d float64, nodes []int32) {
		w.at(d)
		w.node(v, float64(len(nodes)))
	})
	pairs.CountAll(&w.sum, w.search.Found(), w.search)
	w.reach.Add([]int32{v})
	return nil
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
	// nodeTerms and edgeTerms are used instead of nodes and edges where hops are inverted and each pair counts once, and
	// by FoldNodes by weights. Terms are rounded before they are added, so sums have the same bits for any chunks.
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
	kind  kernels.Fold
	fold  folder // of the kind
	g     *export.Graph
	own   *folded
	reach workers.Reach
	sum   kernels.Totals
	out   *workers.Result
	scale exact.Scale // of the sums

	// distance is what is folded next, term what it adds.
	distance float64
	term     exact.Word
}

// foldings makes what workers fold.
type foldings struct {
	fold    kernels.Fold
	g       *export.Graph
	request kernels.Request
	into    *kernels.Partial
	results *workers.Results
	each    bool // each distance is rounded by itself
}

func newFoldings(m kernels.Measure, g *export.Graph, r kernels.Request, into *kernels.Partial) foldings {
	kind, _ := kernels.FoldOf(m.Name)
	return foldings{fold: kind, g: g, request: r, into: into, results: workers.Shared(into)}
}

// next is the folding of one more worker.
func (f foldings) next() folding {
	terms := f.into.Nodes != nil && (f.each || f.fold == kernels.FoldInverse && !f.request.Weighted)
	own := newFolded(f.g, f.request.Edges, terms)
	out := folding{kind: f.fold, fold: folderOf(f.fold), g: f.g, own: own, reach: workers.NewReach(f.g.N()),
		out: f.results.One()}
	if f.into.Nodes != nil {
		out.scale = f.into.Nodes.Scale
	}
	return out
}

// workers is as Folders has it.
func (f foldings) workers() func(s search.Search) workers.Joiner {
	newMasses := pairs.New(f.g.N(), f.request.Pairs)
	return func(s search.Search) workers.Joiner {
		return &foldWorker{folding: f.next(), search: s, masses: newMasses()}
	}
}

// at sets the distance that is folded next.
func (w *folding) at(d float64) {
	if d == w.distance {
		return
	}
	w.distance = d
	if w.own.nodeTerms != nil {
		w.term = w.scale.Of(w.fold(0, d, 1))
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

// eachNode folds distances of one source, one at each of some nodes.
func (w *folding) eachNode(nodes []int32, distances []float64) {
	sums, counts := w.own.nodes, w.own.nodeCount
	switch {
	case w.own.nodeTerms != nil:
		for i, v := range nodes {
			w.at(distances[i])
			w.node(v, 1)
		}
		return
	case w.kind == kernels.FoldInverse:
		for i, v := range nodes {
			sums[v] += 1 / distances[i]
		}
	case w.kind == kernels.FoldGreatest:
		for i, v := range nodes {
			sums[v] = max(sums[v], distances[i])
		}
	default:
		for i, v := range nodes {
			sums[v] += distances[i]
		}
	}
	for _, v := range nodes {
		counts[v]++
	}
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
