package bench

import (
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// tolerance is how far a score may lie from the CPU's, relative to the larger of the two.
func tolerance(precision string) float64 {
	if precision == Single {
		return 1e-5
	}
	return 1e-9
}

// reference is the CPU's answer to a request on a few sources.
type reference struct {
	request kernels.Request
	scores  *kernels.Scores
}

// newReference computes it on all threads. With fixed, the sources are among checkSources(g, fixed).
func newReference(ctx context.Context, g *export.Graph, m kernels.Measure, r kernels.Request,
	fixed int) (*reference, error) {
	switch {
	case !searches(m):
	case fixed > 0:
		r.Sources = checkSources(g, checkCount(g, r.Weighted, fixed))
	default:
		r.Sources = sourcesToCheck(g, checkCount(g, r.Weighted, g.N()))
	}
	scores, err := cpu.Compute(ctx, m, g, r)
	if err != nil {
		return nil, fmt.Errorf("the CPU's scores to check against: %w", err)
	}
	return &reference{r, scores}, nil
}

// sourcesToCheck returns the sources of a check without a fixed number of them; nil for all.
func sourcesToCheck(g *export.Graph, count int) []int32 {
	switch {
	case count >= g.N():
		return nil
	case count < checkMost:
		return checkSources(g, count)
	}
	return spreadSources(g.N(), count, checkRun)
}

// sources is how many sources stand behind the scores, of n nodes.
func (r *reference) sources(n int) int {
	if r.request.Sources == nil {
		return n
	}
	return len(r.request.Sources)
}

// searches says whether the measure takes sources.
func searches(m kernels.Measure) bool { return m.Kind.FromSources() }

// compare returns the largest relative difference between two sets of scores, those not finite left out, and whether
// those got are finite. A missing column differs by the largest number there is.
func compare(want, got *kernels.Scores) (worst float64, finite bool) {
	nodes, a := compareColumn(want.Nodes, got.Nodes)
	edges, b := compareColumn(want.Edges, got.Edges)
	return max(nodes, edges), a && b
}

func compareColumn(want, got []float64) (worst float64, finite bool) {
	if len(want) != len(got) {
		return math.MaxFloat64, true
	}
	finite = true
	for i, w := range want {
		x := got[i]
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			finite = false
		case x != w:
			worst = max(worst, math.Abs(x-w)/max(math.Abs(x), math.Abs(w)))
		}
	}
	return worst, finite
}

// allFinite says whether every score is finite.
func allFinite(s *kernels.Scores) bool {
	for _, column := range [][]float64{s.Nodes, s.Edges} {
		for _, x := range column {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return false
			}
		}
	}
	return true
}
