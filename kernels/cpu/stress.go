package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/internal/wide"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// prepareStress prepares sums, over the sources, of the number of shortest paths to each node times the number that
// lead on from it (Brandes 2008, section 3.5; Jia et al., section 2.2). These are absolute counts, as wide numbers.
func prepareStress(ctx context.Context, t task, _ *reductions.Plan) (problem, error) {
	l, err := lengths.New(ctx, t.graph, t.request.Weighted, t.request.Tolerance)
	return plain{task: t, lengths: l}, err
}

// addPathCounts sums over ordered pairs by a search from every source of a shard.
func addPathCounts(
	ctx context.Context, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths, into *kernels.Partial,
) error {
	newSearch, newMasses := search.Within(g, l, r.Within()), pairs.New(g.N(), r.Pairs)
	results := workers.Shared(into)
	newWorker := func(stop *stopper.Stopper) *stressWorker {
		return newStressWorker(g, r, newSearch(true, stop), newMasses(), stop, results.One())
	}
	if r.Pairs == nil && r.Within() == 0 {
		way, err := lanes.Choose(ctx, g, l, r.Sources)
		if err != nil {
			return err
		}
		if way != lanes.Single {
			return addPathsInLanes(ctx, g, way, l, r, shard, newWorker, into)
		}
	}
	return workers.OverShard(ctx, g.N(), workers.ChunkSize(r.SourceCount(g.N())), r, shard,
		func(stop *stopper.Stopper) workers.Worker {
			return newWorker(stop)
		})
}

// newStressWorker makes a worker that searches from one source after another.
func newStressWorker(
	g *export.Graph, r kernels.Request, s search.Search, m *pairs.Masses, stop *stopper.Stopper, result *workers.Result,
) *stressWorker {
	return &stressWorker{
		g: g, search: s, stop: stop, masses: m, own: newStressSums(g, r), Result: result,
		sigma: make([]wide.Number, g.N()), onward: make([]wide.Number, g.N()),
	}
}

type stressSums struct{ nodes, edges []wide.Number }

func newStressSums(g *export.Graph, r kernels.Request) *stressSums {
	s := &stressSums{}
	if r.Nodes {
		s.nodes = make([]wide.Number, g.N())
	}
	if r.Edges {
		s.edges = make([]wide.Number, g.M())
	}
	return s
}

type stressWorker struct {
	*workers.Result
	g      *export.Graph
	search search.Search
	stop   *stopper.Stopper
	masses *pairs.Masses
	far    []float64 // the distances of the nodes that the search has reached, in their order
	own    *stressSums
	totals kernels.Totals
	// sigma counts the shortest paths to a node; onward those that begin in it as part of one from the source.
	sigma, onward []wide.Number
}

func (w *stressWorker) Source(s int32) error {
	if !w.masses.From(s) {
		return nil
	}
	if err := w.search.From(s); err != nil {
		return err
	}
	p := w.search.Found()
	p.List()
	w.far = search.Distances(w.search, w.far)
	w.masses.Count(&w.totals, p.Order, w.far)
	if err := dependencies.CountPaths(w.g, p, w.sigma, w.stop); err != nil {
		return err
	}
	for i := len(p.Order) - 1; i >= 0; i-- {
		if i%stopper.Every == 0 {
			if err := w.stop.Err(); err != nil {
				return err
			}
		}
		w.node(p, i)
	}
	return nil
}

func (w *stressWorker) node(p *search.Paths, i int) {
	v := p.Order[i]
	row, sum := w.g.Row(v), wide.Number{}
	for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
		on := w.onward[row[k]].Plus(wide.Of(w.masses.Of(row[k])))
		sum = sum.Plus(on)
		if w.own.edges != nil {
			e := w.g.Edge(w.g.Offsets[v] + int64(k))
			w.own.edges[e] = w.own.edges[e].Plus(w.sigma[v].Times(on))
		}
	}
	w.onward[v] = sum
	if w.own.nodes != nil && i > 0 {
		w.own.nodes[v] = w.own.nodes[v].Plus(w.sigma[v].Times(sum))
	}
}

func (w *stressWorker) Merge() error {
	w.Add(func(into *kernels.Partial) {
		moveWide(into.WideNodes, w.own.nodes)
		moveWide(into.WideEdges, w.own.edges)
		pairs.JoinTotals(into, &w.totals)
	})
	return nil
}

// moveWide adds numbers to exact sums, and clears them.
func moveWide(into []exact.Wide, from []wide.Number) {
	for i, x := range from {
		into[i].Add(2*x.Mantissa, x.Exponent-1)
	}
	clear(from)
}

// stressBytes bounds the memory besides the graph.
func stressBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	sums := 2 * scoreBytes(g, r) // a wide number takes 16 bytes
	perThread := search.Bytes(g.Nodes, g.Edges, r.Weighted, true) + 32*g.Nodes + sums
	if sources := r.SourceCount(int(g.Nodes)); r.Pairs == nil && lanes.MayPay(int64(sources), r.Weighted) {
		// A sum of numbers of paths takes 8 bytes more than one of dependencies.
		sums += lanes.Bytes(g.Nodes, g.Edges, sources, workers.Threads(r), g.Directed, r.Edges) +
			int64(workers.Threads(r))*scoreBytes(g, r)
	}
	return scoreBytes(g, r) + sums + lengths.Bytes(g.Edges, g.Directed, r.Weighted) + pairBytes(g, r) +
		int64(workers.Threads(r))*perThread
}
