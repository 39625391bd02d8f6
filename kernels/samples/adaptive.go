package samples

import (
	"context"
	"errors"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// Adaptive estimates the betweenness of each node, and of each edge if the request asks for edges, from as many
// sources as it needs itself (Bader, Kintali, Madduri, Mihail, Approximating betweenness centrality, 2007; also Sriram
// et al. 2009): when its dependencies on the first k sources sum to more than C n, the score is n/k times the sum. It
// is good for high scores; one that never gets there has the plain sampled score of all sources searched. Stopping by
// the sum favours high sums: unlike Betweenness, the estimate has a small bias upwards.
//
// The second result is the number of sources that each node took, and after them each edge.
func Adaptive(
	ctx context.Context, g *export.Graph, r kernels.Request, a adaptive.Sample,
) (*kernels.Scores, []int32, error) {
	if err := a.Check(g, r); err != nil {
		return nil, nil, err
	}
	r.Sources = a.Sources(g)
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, nil, err
	}
	all, newSearch := adaptive.NewSums(g, r, a), search.Of(g, l)
	err = workers.OverChunks(ctx, g.N(), 1, r, func(stop *stopper.Stopper) workers.Worker {
		w := &adaptiveWorker{
			g: g, found: dependencies.NewFinder(g, newSearch(true, stop), stop), once: make([]float64, g.N()), all: all,
		}
		if r.Edges {
			w.onceEdges = make([]float64, g.M())
		}
		return w
	})
	if err != nil && !errors.Is(err, errAllStopped) {
		return nil, nil, err
	}
	out := &kernels.Scores{Nodes: all.Nodes.Sum, Edges: all.Edges.Sum, Ties: l.Ties()}
	adaptive.Scores(g, r, all.Nodes.Sum, all.Nodes.Taken, all.Searched)
	adaptive.EdgeScores(g, r, all.Edges.Sum, all.Edges.Taken, all.Searched)
	return out, append(all.Nodes.Taken, all.Edges.Taken...), kernels.CheckFinite("betweenness", g, out, false)
}

// errAllStopped ends the search early: no node and no edge needs more.
var errAllStopped = errors.New("every node has stopped")

type adaptiveWorker struct {
	g               *export.Graph
	found           *dependencies.Finder
	order           []int32 // the nodes that the source at hand reaches
	once, onceEdges []float64
	all             *adaptive.Sums
}

func (w *adaptiveWorker) Source(s int32) error {
	p, err := w.found.From(s, w.once, w.onceEdges)
	if err != nil {
		return err
	}
	w.order = p.Order
	return nil
}

// Merge is called source by source, in order, so that where a node or an edge stops does not depend on threads.
func (w *adaptiveWorker) Merge() error {
	a := w.all
	a.Searched++
	for _, v := range w.order {
		a.Nodes.Add(int(v), w.once[v], a.Searched)
		w.once[v] = 0
		if w.onceEdges == nil {
			continue
		}
		for k := w.g.Offsets[v]; k < w.g.Offsets[v+1]; k++ {
			e := w.g.Edge(k)
			a.Edges.Add(int(e), w.onceEdges[e], a.Searched)
			w.onceEdges[e] = 0 // an edge has two arcs
		}
	}
	if a.Nodes.Waiting+a.Edges.Waiting == 0 {
		return errAllStopped
	}
	return nil
}
