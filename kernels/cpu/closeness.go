package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// folder folds one more distance, from so many sources, into a sum that starts at 0.
type folder func(sum, d, sources float64) float64

func folderOf(fold kernels.Fold) folder {
	switch fold {
	case kernels.FoldInverse:
		return addInverses
	case kernels.FoldGreatest:
		return takeGreatest
	}
	return addDistances
}

func addDistances(sum, d, k float64) float64 { return sum + k*d }

func addInverses(sum, d, k float64) float64 { return sum + k/d }

func takeGreatest(sum, d, _ float64) float64 { return max(sum, d) }

// prepareFolds prepares a measure of the closeness family.
func prepareFolds(ctx context.Context, t task, _ *reductions.Plan) (problem, error) {
	l, err := lengths.New(ctx, t.graph, t.request.Weighted, t.request.Tolerance)
	if err != nil {
		return nil, err
	}
	fold, ok := reductions.TreeFold(t.measure.Name)
	if !ok {
		return plain{task: t, lengths: l, byLength: true}, nil
	}
	plan, err := reductions.PlanFolds(ctx, t.graph, t.request, l, fold)
	switch {
	case err != nil:
		return nil, err
	case plan.Chains != nil:
		return foldedChains{t, l, plan, closeness.FoldContracted(plan.Chains.Trees, plan.Chains.Core)}, nil
	case plan.Blocks != nil:
		folds, err := plan.Blocks.FoldDistances(ctx, fold)
		return foldedBlocks{t, l, plan, folds, fold}, err
	}
	return plain{task: t, lengths: l, byLength: true, about: plan.About}, nil
}

// addFolds folds distances from the sources of a shard.
func addFolds(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths, into *kernels.Partial,
) error {
	kind, _ := kernels.FoldOf(m.Name)
	newSearch := search.Of(g, l)
	newFolding := func() folding {
		return folding{fold: folderOf(kind), g: g, own: newFolded(g, r.Edges), reach: newReach(g.N()), all: into}
	}
	single := func(stop *stopper.Stopper) worker {
		return &foldWorker{folding: newFolding(), search: newSearch(false, stop)}
	}
	return overBatches(ctx, g, r, shard, single, func(stop *stopper.Stopper) worker {
		return &foldBatchWorker{folding: newFolding(), search: search.NewMultiBFS(g, stop)}
	})
}

// folded has the folded sum of distances of every node and edge, and of how many sources.
type folded struct {
	nodes, nodeCount, edges, edgeCount []float64
}

func newFolded(g *export.Graph, edges bool) *folded {
	f := &folded{nodes: make([]float64, g.N()), nodeCount: make([]float64, g.N())}
	if edges {
		f.edges, f.edgeCount = make([]float64, g.M()), make([]float64, g.M())
	}
	return f
}

// folding is what workers fold.
type folding struct {
	fold  folder
	g     *export.Graph
	own   *folded
	reach reach
	sum   kernels.Totals
	all   *kernels.Partial
}

// foldWorker searches from one source after another.
type foldWorker struct {
	folding
	search search.Search
}

func (w *foldWorker) source(s int32) error {
	if err := w.search.From(s); err != nil {
		return err
	}
	p := w.search.Found()
	countPairs(&w.sum, p, w.search)
	w.reach.add(p.Order)
	for _, v := range p.Order[1:] {
		w.own.nodes[v] = w.fold(w.own.nodes[v], w.search.Distance(v), 1)
		w.own.nodeCount[v]++
	}
	if w.own.edges != nil {
		w.edges(s, p)
	}
	return nil
}

// edges folds distances at the edges: each at the arc that leaves its nearer end.
func (w *foldWorker) edges(s int32, p *search.Paths) {
	back := w.g.Transpose()
	for _, v := range p.Order[1:] {
		d := w.search.Distance(v)
		w.row(w.g, s, v, d, false)
		if w.g.Directed {
			w.row(back, s, v, d, true)
		}
	}
}

// row folds d at the edges of v's row whose nearer end is v. Of two ends equally near, the one with the smaller index
// counts when undirected, and the one the arc leaves when directed.
func (w *foldWorker) row(g *export.Graph, s, v int32, d float64, back bool) {
	for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
		u := g.Targets[i]
		if u == s || u == v {
			continue
		}
		if w.search.Reached(u) {
			far := w.search.Distance(u)
			if far < d || far == d && (back || !g.Directed && u < v) {
				continue
			}
		}
		e := g.Edge(i)
		w.own.edges[e] = w.fold(w.own.edges[e], d, 1)
		w.own.edgeCount[e]++
	}
}

func (w *folding) merge() error {
	if w.reach.many {
		w.own.moveAll(w.all)
	} else {
		for _, v := range w.reach.nodes {
			w.own.moveAt(w.all, w.g, v)
		}
	}
	w.reach.forget()
	joinTotals(w.all, &w.sum)
	return nil
}

// moveAll adds all folds to a partial result, and clears them.
func (f *folded) moveAll(into *kernels.Partial) {
	for v := range f.nodes {
		f.moveNode(into, int32(v))
	}
	for e := range f.edges {
		f.moveEdge(into, int32(e))
	}
}

// moveAt adds the folds of a node and its edges, and clears them.
func (f *folded) moveAt(into *kernels.Partial, g *export.Graph, v int32) {
	f.moveNode(into, v)
	if f.edges == nil {
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
	case into.Nodes != nil:
		into.Nodes.Add(int(v), f.nodes[v])
	case into.WideNodes != nil:
		into.WideNodes[v].AddFloat(f.nodes[v])
	default:
		into.MostNodes[v] = max(into.MostNodes[v], f.nodes[v])
	}
	into.NodeCounts[v] += int64(f.nodeCount[v])
	f.nodes[v], f.nodeCount[v] = 0, 0
}

func (f *folded) moveEdge(into *kernels.Partial, e int32) {
	if f.edgeCount[e] == 0 {
		return
	}
	switch {
	case into.Edges != nil:
		into.Edges.Add(int(e), f.edges[e])
	case into.WideEdges != nil:
		into.WideEdges[e].AddFloat(f.edges[e])
	default:
		into.MostEdges[e] = max(into.MostEdges[e], f.edges[e])
	}
	into.EdgeCounts[e] += int64(f.edgeCount[e])
	f.edges[e], f.edgeCount[e] = 0, 0
}
