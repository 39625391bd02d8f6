package cpu

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// pairWorker sums the dependencies of a chunk of sources on what their pairs count. It is Brandes' accumulation in
// which each target begins with the mass of its pair instead of 1.
type pairWorker struct {
	*workers.Result
	g            *export.Graph
	search       search.Search
	stop         *stopper.Stopper
	masses       *pairs.Masses
	far          []float64 // the distances of the nodes that the search has reached, in their order
	endpoints    bool
	share        []float64          // as a dependencies.Finder has it
	wide         *dependencies.Wide // made when first needed
	nodes, edges []float64
	reach        workers.Reach
	totals       kernels.Totals
}

// addPairs sums over the ordered pairs that a request names, by a search from every source of a shard.
func addPairs(
	ctx context.Context, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths, into *kernels.Partial,
) error {
	newSearch, newMasses := search.Within(g, l, r.Pairs.Within), pairs.New(g.N(), r.Pairs)
	results := workers.Shared(into)
	return workers.OverShard(ctx, g.N(), workers.ChunkSize(r.SourceCount(g.N())), r, shard,
		func(stop *stopper.Stopper) workers.Worker {
			return newPairWorker(g, r, newSearch(true, stop), newMasses(), stop, results.One())
		})
}

func newPairWorker(
	g *export.Graph, r kernels.Request, s search.Search, m *pairs.Masses, stop *stopper.Stopper, result *workers.Result,
) *pairWorker {
	w := &pairWorker{
		g: g, search: s, stop: stop, masses: m, endpoints: r.Endpoints, share: make([]float64, g.N()),
		reach: workers.NewReach(g.N()), Result: result,
	}
	if r.Nodes {
		w.nodes = make([]float64, g.N())
	}
	if r.Edges {
		w.edges = make([]float64, g.M())
	}
	return w
}

func (w *pairWorker) Source(s int32) error {
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
	w.reach.Add(p.Order)
	if w.endpoints && w.nodes != nil {
		for _, t := range p.Order[1:] {
			mass := w.masses.Of(t)
			w.nodes[s] += mass
			w.nodes[t] += mass
		}
	}
	if !p.Fit {
		if w.wide == nil {
			w.wide = dependencies.NewWide(w.g, w.stop)
		}
		return w.wide.Accumulate(p, w.masses.Of, w.nodes, w.edges)
	}
	return w.accumulate(p)
}

// accumulate handles the nodes last first, when all that they lead to is done.
func (w *pairWorker) accumulate(p *search.Paths) error {
	for l := len(p.Levels) - 2; l >= 0; l-- {
		down := math.Ldexp(1, -p.Shift[l+1])
		for i := p.Levels[l+1] - 1; i >= p.Levels[l]; i-- {
			if i%stopper.Every == 0 {
				if err := w.stop.Err(); err != nil {
					return err
				}
			}
			w.node(p, i, down)
		}
	}
	return nil
}

func (w *pairWorker) node(p *search.Paths, i int, down float64) {
	v := p.Order[i]
	row, first := w.g.Row(v), w.g.Offsets[v]
	count, sum := p.Sigma[v]*down, 0.0
	for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
		share := w.share[row[k]]
		sum += share
		if w.edges != nil {
			w.edges[w.g.Edge(first+int64(k))] += count * share
		}
	}
	dependency := count * sum
	w.share[v] = (w.masses.Of(v) + dependency) / p.Sigma[v]
	if w.nodes != nil && i > 0 {
		w.nodes[v] += dependency
	}
}

func (w *pairWorker) Merge() error {
	w.Add(func(into *kernels.Partial) {
		if into.Demands == nil {
			w.reach.Move(w.g, into.Nodes, w.nodes, into.Edges, w.edges)
		} else {
			exact.MoveWides(into.WideNodes, w.nodes)
			exact.MoveWides(into.WideEdges, w.edges)
			w.reach.Forget()
		}
		pairs.JoinTotals(into, &w.totals)
	})
	return nil
}

// pairBytes bounds the memory that a choice of pairs takes in addition.
func pairBytes(g kernels.Size, r kernels.Request) int64 {
	if r.Pairs == nil {
		return 0
	}
	bytes := 8 * g.Nodes
	if d := r.Pairs.Demand; d != nil {
		bytes += 4 * (scoreBytes(g, r) + 8*g.Nodes) // sums of any size
		if d.Trips != nil {
			bytes += int64(workers.Threads(r)) * 8 * g.Nodes
		}
	}
	return bytes
}
