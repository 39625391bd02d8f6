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

// AdaptiveBetweenness estimates the betweenness of each node from as many sources as the node itself needs (Bader,
// Kintali, Madduri, Mihail, Approximating betweenness centrality, 2007; also Sriram et al. 2009): when its dependencies
// on the first k sources sum to more than C n, the score is n/k times the sum. It is good for nodes of high scores; a
// node that never gets there has the plain sampled score of all sources searched. Stopping by the sum favours high sums:
// unlike ApproximateBetweenness, the estimate has a small bias upwards.
//
// The second result is the number of sources that each node took.
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
	all, newSearch := newAdaptiveSums(g, a), search.Of(g, l)
	err = overChunks(ctx, g.N(), 1, r, func(stop *stopper.Stopper) worker {
		return &adaptiveWorker{
			dependencies: newDependencies(g, newSearch(true, stop), stop), once: make([]float64, g.N()), all: all,
		}
	})
	if err != nil && !errors.Is(err, errAllStopped) {
		return nil, nil, err
	}
	out := &kernels.Scores{Nodes: all.sum, Ties: l.Ties()}
	kernels.AdaptiveScores(g, r, all.sum, all.taken, all.searched)
	return out, all.taken, kernels.CheckFinite("betweenness", g, out, false)
}

// errAllStopped ends the search early: no node needs more.
var errAllStopped = errors.New("every node has stopped")

type adaptiveSums struct {
	sum       []float64
	taken     []int32 // sources that a node took before it stopped; 0 while it has not
	threshold float64
	searched  int
	waiting   int // nodes of interest that have not stopped
	wanted    []bool
}

func newAdaptiveSums(g *export.Graph, a kernels.Adaptive) *adaptiveSums {
	n := g.N()
	s := &adaptiveSums{
		sum: make([]float64, n), taken: make([]int32, n), threshold: a.C * float64(n), waiting: n, wanted: make([]bool, n),
	}
	for v := range s.wanted {
		s.wanted[v] = a.Nodes == nil
	}
	if a.Nodes != nil {
		s.waiting = len(a.Nodes)
	}
	for _, v := range a.Nodes {
		s.wanted[v] = true
	}
	return s
}

type adaptiveWorker struct {
	dependencies
	once []float64
	all  *adaptiveSums
}

func (w *adaptiveWorker) source(s int32) error {
	_, err := w.dependencies.source(s, w.once, nil)
	return err
}

// merge is called source by source, in order, so that where a node stops does not depend on threads.
func (w *adaptiveWorker) merge() error {
	a := w.all
	a.searched++
	for _, v := range w.search.Found().Order {
		x := w.once[v]
		w.once[v] = 0
		if a.taken[v] > 0 {
			continue
		}
		if a.sum[v] += x; a.sum[v] > a.threshold {
			a.taken[v] = int32(a.searched)
			if a.wanted[v] {
				a.waiting--
			}
		}
	}
	if a.waiting == 0 {
		return errAllStopped
	}
	return nil
}
