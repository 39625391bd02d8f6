package samples

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// summer is the adaptive.Summer of the CPU: what is known of the dependencies of the sources searched so far.
type summer struct {
	g            *export.Graph
	request      kernels.Request
	newSearch    search.Maker
	nodes, edges moments
	totals       kernels.Totals
}

func newSummer(g *export.Graph, r kernels.Request, newSearch search.Maker) *summer {
	return &summer{
		g: g, request: r, newSearch: newSearch, nodes: newMoments(g.N(), r.Nodes), edges: newMoments(g.M(), r.Edges),
	}
}

// Search implements adaptive.Summer.
func (s *summer) Search(ctx context.Context, sources []int32, progress func(done int)) error {
	if len(sources) == 0 {
		return ctx.Err()
	}
	r := s.request
	r.Sources, r.Progress = sources, func(done, _ int) { progress(done) }
	return workers.Over(ctx, s.g.N(), r, func(stop *stopper.Stopper) workers.Worker {
		own := s.newSearch(true, stop)
		return &summerWorker{
			g: s.g, search: own, found: dependencies.NewFinder(s.g, own, stop), endpoints: r.Endpoints, all: s,
			nodes: newMoments(s.g.N(), r.Nodes), edges: newMoments(s.g.M(), r.Edges),
			nodeOnce: newMoments(s.g.N(), r.Nodes).sum, edgeOnce: newMoments(s.g.M(), r.Edges).sum,
		}
	})
}

// Moments implements adaptive.Summer.
func (s *summer) Moments() (nodes, edges adaptive.Moments, err error) {
	return adaptive.Moments{Sums: s.nodes.sum, Squares: s.nodes.squares}, adaptive.Moments{Sums: s.edges.sum, Squares: s.edges.squares}, nil
}

// summerWorker sums the dependencies of a chunk of sources, and their squares.
type summerWorker struct {
	g            *export.Graph
	search       search.Search
	found        *dependencies.Finder
	endpoints    bool
	nodes, edges moments
	// nodeOnce and edgeOnce have the dependencies of one source, and are 0 between sources.
	nodeOnce, edgeOnce []float64
	totals             kernels.Totals
	all                *summer
}

func (w *summerWorker) Source(s int32) error {
	p, err := w.found.From(s, w.nodeOnce, w.edgeOnce)
	if err != nil {
		return err
	}
	if w.edgeOnce != nil {
		p.List()
	}
	pairs.CountAll(&w.totals, p, w.search)
	for i, v := range p.Order {
		if w.nodeOnce != nil {
			w.nodes.add(v, w.nodeOnce, w.ends(i, p))
		}
		if w.edgeOnce != nil {
			for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
				w.edges.add(w.g.Edge(w.g.Offsets[v]+int64(k)), w.edgeOnce, 0)
			}
		}
	}
	return nil
}

// ends is how many paths have the i-th node reached as an end that counts.
func (w *summerWorker) ends(i int, p *search.Paths) float64 {
	switch {
	case !w.endpoints:
		return 0
	case i == 0:
		return float64(len(p.Order) - 1)
	}
	return 1
}

func (w *summerWorker) Merge() error {
	w.all.nodes.join(w.nodes)
	w.all.edges.join(w.edges)
	pairs.MoveTotals(&w.all.totals, &w.totals)
	return nil
}
