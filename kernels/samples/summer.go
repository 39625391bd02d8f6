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

// summer is the adaptive.Summer of the CPU that searches from one source at a time.
type summer struct {
	g            *export.Graph
	request      kernels.Request
	newSearch    search.Maker
	hops         bool // workers search by dependencies.Hops
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
	chunk := 2 * workers.ChunkSize(len(sources)/2) // whole strata
	return workers.OverChunks(ctx, s.g.N(), chunk, searching(s.request, sources, progress),
		func(stop *stopper.Stopper) workers.Worker {
			r := s.request
			w := &summerWorker{
				g: s.g, newSearch: s.newSearch, stop: stop, endpoints: r.Endpoints, all: s,
				nodes: newMoments(s.g.N(), r.Nodes), edges: newMoments(s.g.M(), r.Edges),
			}
			if s.hops {
				w.hops = dependencies.NewHops(s.g, stop)
			}
			for i := range w.once {
				w.once[i] = once{nodes: newMoments(s.g.N(), r.Nodes).Sums, edges: newMoments(s.g.M(), r.Edges).Sums}
			}
			return w
		})
}

// searching is a request for searches from some sources.
func searching(r kernels.Request, sources []int32, progress func(done int)) kernels.Request {
	r.Sources, r.Progress = sources, func(done, _ int) { progress(done) }
	return r
}

// Moments implements adaptive.Summer.
func (s *summer) Moments() (nodes, edges adaptive.Moments, err error) {
	return s.nodes.Moments, s.edges.Moments, nil
}

// Clear implements adaptive.Summer.
func (s *summer) Clear() {
	s.nodes, s.edges = newMoments(s.g.N(), s.request.Nodes), newMoments(s.g.M(), s.request.Edges)
	s.totals = kernels.Totals{}
}

func (s *summer) found() kernels.Totals { return s.totals }

// summerWorker searches from the sources of some strata.
type summerWorker struct {
	g         *export.Graph
	newSearch search.Maker
	stop      *stopper.Stopper
	// hops may be nil. search and found are made when first needed.
	hops         *dependencies.Hops
	search       search.Search
	found        *dependencies.Finder
	endpoints    bool
	nodes, edges moments
	// once has what the two sources of a stratum gave. second says that the next source is its second.
	once   [2]once
	second bool
	totals kernels.Totals
	all    *summer
}

// once has the dependencies of one source, and on which nodes and edges it has some. It is 0 between strata.
type once struct {
	nodes, edges           []float64
	foundNodes, foundEdges entries
}

func (w *summerWorker) Source(s int32) error {
	x, y := &w.once[0], &w.once[1]
	if !w.second {
		w.second = true
		return w.from(s, x)
	}
	w.second = false
	if err := w.from(s, y); err != nil {
		return err
	}
	w.nodes.add(x.nodes, y.nodes, &x.foundNodes, &y.foundNodes)
	w.edges.add(x.edges, y.edges, &x.foundEdges, &y.foundEdges)
	return nil
}

// from searches from a source.
func (w *summerWorker) from(s int32, into *once) error {
	if w.hops != nil {
		reached, distance, err := w.hops.From(s, into.nodes)
		if err != nil {
			return err
		}
		if reached != nil {
			w.totals.Pairs += int64(len(reached) - 1)
			w.totals.Distance += distance
			w.reach(reached, into)
			return nil
		}
	}
	if w.search == nil {
		w.search = w.newSearch(true, w.stop)
		w.found = dependencies.NewFinder(w.g, w.search, w.stop)
	}
	p, err := w.found.From(s, into.nodes, into.edges)
	if err != nil {
		return err
	}
	if into.edges != nil {
		p.List()
	}
	pairs.CountAll(&w.totals, p, w.search)
	w.reach(p.Order, into)
	into.foundEdges.forget(len(p.Arcs), len(into.edges))
	if into.edges != nil && !into.foundEdges.most {
		w.list(p, &into.foundEdges)
	}
	return nil
}

// reach lists the nodes that a source reaches, the source first, and counts their paths' ends.
func (w *summerWorker) reach(reached []int32, into *once) {
	if into.nodes == nil {
		return
	}
	into.foundNodes.forget(len(reached), len(into.nodes))
	if !into.foundNodes.most {
		into.foundNodes.some = append(into.foundNodes.some, reached...)
	}
	if w.endpoints {
		into.nodes[reached[0]] += float64(len(reached) - 1)
		for _, v := range reached[1:] {
			into.nodes[v]++
		}
	}
}

// list lists the edges of paths.
func (w *summerWorker) list(p *search.Paths, found *entries) {
	for i, v := range p.Order {
		for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
			found.some = append(found.some, w.g.Edge(w.g.Offsets[v]+int64(k)))
		}
	}
}

func (w *summerWorker) Merge() error {
	w.all.nodes.join(w.nodes)
	w.all.edges.join(w.edges)
	pairs.MoveTotals(&w.all.totals, &w.totals)
	return nil
}
