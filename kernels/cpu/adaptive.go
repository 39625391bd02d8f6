package cpu

import (
	"context"
	"errors"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// AdaptiveBetweenness estimates the betweenness of each node, and of each edge if the request asks for edges, from as many
// sources as it needs itself (Bader, Kintali, Madduri, Mihail, Approximating betweenness centrality, 2007; also Sriram et
// al. 2009): when its dependencies on the first k sources sum to more than C n, the score is n/k times the sum. It is good
// for high scores; one that never gets there has the plain sampled score of all sources searched. Stopping by the sum
// favours high sums: unlike ApproximateBetweenness, the estimate has a small bias upwards.
//
// The second result is the number of sources that each node took, and after them each edge.
func AdaptiveBetweenness(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Adaptive,
) (*kernels.Scores, []int32, error) {
	if err := a.Check(g, r); err != nil {
		return nil, nil, err
	}
	r.Sources = a.Sources(g)
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, nil, err
	}
	all, newSearch := newAdaptiveSums(g, r, a), search.Of(g, l)
	err = overChunks(ctx, g.N(), 1, r, func(stop *stopper.Stopper) worker {
		w := &adaptiveWorker{
			dependencies: newDependencies(g, newSearch(true, stop), stop), once: make([]float64, g.N()), all: all,
		}
		if r.Edges {
			w.onceEdges = make([]float64, g.M())
		}
		return w
	})
	if err != nil && !errors.Is(err, errAllStopped) {
		return nil, nil, err
	}
	out := &kernels.Scores{Nodes: all.nodes.sum, Edges: all.edges.sum, Ties: l.Ties()}
	kernels.AdaptiveScores(g, r, all.nodes.sum, all.nodes.taken, all.searched)
	kernels.AdaptiveEdgeScores(g, r, all.edges.sum, all.edges.taken, all.searched)
	return out, append(all.nodes.taken, all.edges.taken...), kernels.CheckFinite("betweenness", g, out, false)
}

// errAllStopped ends the search early: no node and no edge needs more.
var errAllStopped = errors.New("every node has stopped")

// adaptiveSums are the sums over the sources so far.
type adaptiveSums struct {
	nodes, edges stoppingSums
	searched     int
}

func newAdaptiveSums(g *export.Graph, r kernels.Request, a kernels.Adaptive) *adaptiveSums {
	threshold := a.C * float64(g.N())
	s := &adaptiveSums{nodes: newStoppingSums(g.N(), threshold, a.Nodes)}
	if r.Edges {
		s.edges = newStoppingSums(g.M(), threshold, nil)
	}
	return s
}

// stoppingSums are sums of nodes, or of edges, each of which stops when it passes a threshold.
type stoppingSums struct {
	sum       []float64
	taken     []int32 // sources that were taken before it stopped; 0 while it has not
	wanted    []bool  // nil for all
	threshold float64
	waiting   int // of those that are wanted and have not stopped
}

func newStoppingSums(n int, threshold float64, wanted []int32) stoppingSums {
	s := stoppingSums{sum: make([]float64, n), taken: make([]int32, n), threshold: threshold, waiting: n}
	if wanted == nil {
		return s
	}
	s.waiting, s.wanted = len(wanted), make([]bool, n)
	for _, v := range wanted {
		s.wanted[v] = true
	}
	return s
}

// add adds what source number searched gave, counted from 1.
func (s *stoppingSums) add(i int, x float64, searched int) {
	if s.taken[i] > 0 {
		return
	}
	if s.sum[i] += x; s.sum[i] > s.threshold {
		s.taken[i] = int32(searched)
		if s.wanted == nil || s.wanted[i] {
			s.waiting--
		}
	}
}

type adaptiveWorker struct {
	dependencies
	once, onceEdges []float64
	all             *adaptiveSums
}

func (w *adaptiveWorker) source(s int32) error {
	_, err := w.dependencies.source(s, w.once, w.onceEdges)
	return err
}

// merge is called source by source, in order, so that where a node or an edge stops does not depend on threads.
func (w *adaptiveWorker) merge() error {
	a := w.all
	a.searched++
	for _, v := range w.search.Found().Order {
		a.nodes.add(int(v), w.once[v], a.searched)
		w.once[v] = 0
		if w.onceEdges == nil {
			continue
		}
		for k := w.g.Offsets[v]; k < w.g.Offsets[v+1]; k++ {
			e := w.g.Edge(k)
			a.edges.add(int(e), w.onceEdges[e], a.searched)
			w.onceEdges[e] = 0 // an edge has two arcs
		}
	}
	if a.nodes.waiting+a.edges.waiting == 0 {
		return errAllStopped
	}
	return nil
}
