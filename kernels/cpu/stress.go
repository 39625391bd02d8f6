package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/internal/wide"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// stress sums, over the sources, the number of shortest paths to each node times the number that lead on from it
// (Brandes 2008, section 3.5; Jia et al., section 2.2). These are absolute counts, as wide numbers.
func stress(ctx context.Context, _ kernels.Measure, g *export.Graph, r kernels.Request, _ *reductions.Plan) (*kernels.Scores, error) {
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, err
	}
	sums, newSearch := newStressSums(g, r), search.Of(g, l)
	out := &kernels.Scores{Ties: l.Ties()}
	err = overSources(ctx, g.N(), r, func(stop *stopper.Stopper) worker {
		return &stressWorker{
			g: g, search: newSearch(true, stop), stop: stop, own: newStressSums(g, r), all: sums, out: out,
			sigma: make([]wide.Number, g.N()), onward: make([]wide.Number, g.N()),
		}
	})
	if err != nil {
		return nil, err
	}
	if out.Nodes, err = kernels.WideStressScores(g, r, sums.nodes); err != nil {
		return nil, err
	}
	out.Edges, err = kernels.WideStressScores(g, r, sums.edges)
	return out, err
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
	g        *export.Graph
	search   search.Search
	stop     *stopper.Stopper
	own, all *stressSums
	totals   kernels.Totals
	out      *kernels.Scores
	// sigma counts the shortest paths to a node; onward those that begin in it as part of one from the source.
	sigma, onward []wide.Number
}

func (w *stressWorker) source(s int32) error {
	if err := w.search.From(s); err != nil {
		return err
	}
	p := w.search.Found()
	countPairs(&w.totals, p, w.search)
	if err := countWide(w.g, p, w.sigma, w.stop); err != nil {
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
		on := w.onward[row[k]].Plus(wide.Of(1))
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

func (w *stressWorker) merge() error {
	moveWide(w.all.nodes, w.own.nodes)
	moveWide(w.all.edges, w.own.edges)
	moveTotals(&w.out.Totals, &w.totals)
	return nil
}

func moveWide(into, from []wide.Number) {
	for i, x := range from {
		into[i] = into[i].Plus(x)
	}
	clear(from)
}
