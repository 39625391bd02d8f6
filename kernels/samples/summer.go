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
			own, r := s.newSearch(true, stop), s.request
			w := &summerWorker{
				g: s.g, search: own, found: dependencies.NewFinder(s.g, own, stop), endpoints: r.Endpoints, all: s,
				nodes: newMoments(s.g.N(), r.Nodes), edges: newMoments(s.g.M(), r.Edges),
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

func (s *summer) found() kernels.Totals { return s.totals }

// summerWorker searches from the sources of some strata.
type summerWorker struct {
	g            *export.Graph
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

// once has the dependencies of one source, and which nodes and edges have some. It is 0 between strata.
type once struct {
	nodes, edges           []float64
	foundNodes, foundEdges []int32
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
	w.nodes.add(x.nodes, y.nodes, x.foundNodes, y.foundNodes)
	w.edges.add(x.edges, y.edges, x.foundEdges, y.foundEdges)
	return nil
}

// from searches from a source.
func (w *summerWorker) from(s int32, into *once) error {
	p, err := w.found.From(s, into.nodes, into.edges)
	if err != nil {
		return err
	}
	if into.edges != nil {
		p.List()
	}
	pairs.CountAll(&w.totals, p, w.search)
	into.foundNodes, into.foundEdges = into.foundNodes[:0], into.foundEdges[:0]
	for i, v := range p.Order {
		if into.nodes != nil {
			into.nodes[v] += w.ends(i, p)
			into.foundNodes = append(into.foundNodes, v)
		}
		if into.edges != nil {
			for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
				into.foundEdges = append(into.foundEdges, w.g.Edge(w.g.Offsets[v]+int64(k)))
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
