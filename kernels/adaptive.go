package kernels

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Adaptive is the stopping rule of an adaptive sample.
type Adaptive struct {
	// C stops the sampling for a node when its sum of dependencies passes C n. Bader et al. take at least 2.
	C float64
	// Limit is the greatest number of sources; 0 for all. Bader et al. take n/20.
	Limit int
	// Nodes are those whose scores are wanted: the sampling ends when all of them have stopped. Nil for all.
	Nodes []int32
	// Seed draws the sources.
	Seed int64
}

// AdaptiveBetweenness estimates the betweenness of each node from as many sources as the node itself needs (Bader,
// Kintali, Madduri, Mihail, Approximating betweenness centrality, 2007; also Sriram et al. 2009): when its dependencies
// on the first k sources sum to more than C n, the score is n/k times the sum. It is good for nodes of high scores; a
// node that never gets there has the plain sampled score of all sources searched. Stopping by the sum favours high sums:
// unlike ApproximateBetweenness, the estimate has a small bias upwards.
//
// The second result is the number of sources that each node took.
func AdaptiveBetweenness(ctx context.Context, g *export.Graph, r Request, a Adaptive) (*Scores, []int32, error) {
	if err := a.Check(g, r); err != nil {
		return nil, nil, err
	}
	r.Sources = a.Sources(g)
	l, err := newLengths(ctx, g, r.Params)
	if err != nil {
		return nil, nil, err
	}
	all := newAdaptiveSums(g, a)
	err = overChunks(ctx, g.N(), 1, r, func(stop *stopper.Stopper) worker {
		return &adaptiveWorker{
			dependencies: newDependencies(g, l.newSearch(g, true, stop), stop), once: make([]float64, g.N()), all: all,
		}
	})
	if err != nil && !errors.Is(err, errAllStopped) {
		return nil, nil, err
	}
	out := &Scores{Nodes: all.sum, Ties: l.ties()}
	AdaptiveScores(g, r, all.sum, all.taken, all.searched)
	return out, all.taken, usable("betweenness", g, out, false)
}

// Sources are those that the sample draws, in the order in which they are searched from.
func (a Adaptive) Sources(g *export.Graph) []int32 {
	limit := g.N()
	if a.Limit > 0 {
		limit = min(limit, a.Limit)
	}
	return shuffledSources(g.N(), limit, a.Seed)
}

// AdaptiveScores makes scores of the sums of dependencies, in place. taken has the sources that each node took; 0 for one
// that has not stopped, which becomes all that were searched.
func AdaptiveScores(g *export.Graph, r Request, sums []float64, taken []int32, searched int) {
	factor, _ := betweennessFactors(g, r)
	for v := range sums {
		if taken[v] == 0 {
			taken[v] = int32(searched)
		}
		sums[v] *= factor * quotient(float64(g.N()), float64(taken[v]))
	}
}

// Check reports what cannot be sampled so.
func (a Adaptive) Check(g *export.Graph, r Request) error {
	m, _ := Lookup("betweenness")
	switch err := errors.Join(m.Check(r), checkSources(a.Nodes, g.N())); {
	case err != nil:
		return err
	case r.Sources != nil || r.Scale != 0:
		return errors.New("an adaptive sample draws its own sources; leave sources and scale out")
	case r.Edges || r.Endpoints:
		return errors.New("an adaptive sample scores nodes, without endpoints; leave edges and endpoints out")
	case !(a.C > 0) || math.IsInf(a.C, 1) || a.Limit < 0:
		return fmt.Errorf("c %v, limit %d: c is a number greater than 0, such as 5, and a limit is not negative", a.C, a.Limit)
	}
	return nil
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

func newAdaptiveSums(g *export.Graph, a Adaptive) *adaptiveSums {
	n := g.N()
	s := &adaptiveSums{sum: make([]float64, n), taken: make([]int32, n), threshold: a.C * float64(n), waiting: n, wanted: make([]bool, n)}
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
	for _, v := range w.search.found().order {
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
