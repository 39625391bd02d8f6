// Package adaptive says how the adaptive sample of Bader et al. draws sources, when it stops, and what scores it makes
// of its sums.
package adaptive

import (
	"errors"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Sample is the stopping rule of an adaptive sample.
type Sample struct {
	// C stops the sampling for a node, or an edge, when its sum of dependencies passes C n. Bader et al. take at least 2.
	C float64
	// Limit is the greatest number of sources; 0 for all. Bader et al. take n/20.
	Limit int
	// Nodes are those whose scores are wanted: the sampling ends when all of them have stopped. Nil for all, and for all
	// edges if their scores are asked for.
	Nodes []int32
	// Seed draws the sources.
	Seed int64
}

// Sources are those that the sample draws, in the order in which they are searched from.
func (a Sample) Sources(g *export.Graph) []int32 {
	limit := g.N()
	if a.Limit > 0 {
		limit = min(limit, a.Limit)
	}
	return kernels.ShuffleSources(g.N(), limit, a.Seed)
}

// Scores makes scores of the sums of dependencies, in place. taken has the sources that each node took; 0 for
// one that has not stopped, which becomes all that were searched.
func Scores(g *export.Graph, r kernels.Request, sums []float64, taken []int32, searched int) {
	factor, _ := kernels.BetweennessFactors(g, r)
	scale(factor*float64(g.N()), sums, taken, searched)
}

// EdgeScores is Scores for edges.
func EdgeScores(g *export.Graph, r kernels.Request, sums []float64, taken []int32, searched int) {
	_, factor := kernels.BetweennessFactors(g, r)
	scale(factor*float64(g.N()), sums, taken, searched)
}

func scale(factor float64, sums []float64, taken []int32, searched int) {
	for i := range sums {
		if taken[i] == 0 {
			taken[i] = int32(searched)
		}
		sums[i] *= kernels.Quotient(factor, float64(taken[i]))
	}
}

// Check reports what cannot be sampled so.
func (a Sample) Check(g *export.Graph, r kernels.Request) error {
	m, _ := kernels.Lookup("betweenness")
	switch err := errors.Join(m.Check(r), kernels.Request{Sources: a.Nodes}.CheckSources(g.N())); {
	case err != nil:
		return err
	case r.Sources != nil || r.Scale != 0:
		return errors.New("an adaptive sample draws its own sources; leave sources and scale out")
	case r.Pairs != nil:
		return errors.New("an adaptive sample counts all pairs; leave targets, range and demand out")
	case r.Endpoints:
		return errors.New("an adaptive sample scores without endpoints; leave endpoints out")
	case r.Edges && a.Nodes != nil:
		return errors.New("an adaptive sample of edges scores all of them; leave the nodes of interest out")
	case !(a.C > 0) || math.IsInf(a.C, 1) || a.Limit < 0:
		return fmt.Errorf("c %v, limit %d: c is a number greater than 0, such as 5, and a limit is not negative",
			a.C, a.Limit)
	}
	return nil
}
