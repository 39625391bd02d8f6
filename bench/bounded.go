package bench

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Bounded compares a sample whose error is bounded with exact scores. Errors and bounds are shares of all pairs, as
// those of kernels.Accuracy.
type Bounded struct {
	// Asked is the error that was asked for, and Confidence the probability with which the bound of all scores holds.
	Asked      float64 `json:"asked"`
	Confidence float64 `json:"confidence"`
	// Bound is what the sample came to; 0 where exact scores were computed in its place.
	Bound float64 `json:"bound"`
	// Pairs, or Sources, that were drawn.
	Pairs   int64 `json:"pairs,omitempty"`
	Sources int   `json:"sources,omitempty"`
	// Exact is the seconds of exact scores. Unfinished says that they were stopped after that time.
	Exact      float64 `json:"exact_seconds"`
	Unfinished bool    `json:"unfinished,omitempty"`
	// Greatest is the greatest error of any score; 0 where exact scores did not finish.
	Greatest float64 `json:"greatest_error"`
}

// approximator is an Engine that samples with a bound on the error.
type approximator interface {
	Approximate(ctx context.Context, t engine.Task, a kernels.Accuracy) (*engine.Outcome, *kernels.Estimate, error)
}

// exactOutcome are exact scores, or how long they took until they were stopped.
type exactOutcome struct {
	scores  *kernels.Scores
	seconds float64
}

// bounded measures a sample with a bound against exact scores.
func (r *Runner) bounded(ctx context.Context, p *prepared, m *measurement, out *Record) error {
	e, ok := r.Engine.(approximator)
	if !ok {
		return errors.New("this engine has no samples with a bound")
	}
	exact, err := r.exactOrStopped(ctx, p, m)
	if err != nil {
		return err
	}
	a := kernels.Accuracy{Error: m.Error, Confidence: kernels.DefaultConfidence, Seed: samplingSeed}
	var estimate *kernels.Estimate
	got, err := r.repeated(ctx, p, m, func(ctx context.Context) (o *engine.Outcome, err error) {
		o, estimate, err = e.Approximate(ctx, r.task(p, m), a)
		return o, err
	})
	if err != nil {
		return err
	}
	out.finish(m, got)
	out.GTEPS, out.Sources = 0, estimate.Sources
	b := out.Bounded
	b.Confidence, b.Bound, b.Exact, b.Unfinished = a.Confidence, estimate.Bound, exact.seconds, exact.scores == nil
	if !estimate.Exact {
		b.Pairs, b.Sources = estimate.Pairs, estimate.Sources
	}
	if exact.scores == nil || out.Status != OK {
		return nil
	}
	b.Greatest = greatestError(exact.scores, got.outcome.Scores, p.snapshot.Graph.Directed)
	if b.Greatest > m.Error { // which chance allows one sample in ten
		out.Status, out.Reason = Wrong, fmt.Sprintf("an error of %g; %g was asked for", b.Greatest, m.Error)
	}
	return nil
}

// exactOrStopped computes exact scores as a job would, with reductions, once for each graph, device and kind of scores,
// within the limit of a run.
func (r *Runner) exactOrStopped(ctx context.Context, p *prepared, m *measurement) (exactOutcome, error) {
	key := fmt.Sprint(m.onCPU(), m.precision, m.Weighted, m.EdgeScores)
	if found, ok := p.exact[key]; ok {
		return found, nil
	}
	found := exactOutcome{}
	got, err := r.repeated(ctx, p, m, func(ctx context.Context) (*engine.Outcome, error) {
		return r.Engine.Compute(ctx, r.task(p, m))
	})
	var stopped *stoppedError
	switch {
	case errors.As(err, &stopped):
		found.seconds = stopped.after.Seconds()
	case err != nil:
		return found, err
	default:
		found = exactOutcome{got.outcome.Scores, got.seconds.Compute}
	}
	p.exact[key] = found
	return found, nil
}

// repeated times a whole computation, within the limit of a run, as often as Timing says.
func (r *Runner) repeated(
	ctx context.Context, p *prepared, m *measurement, compute func(context.Context) (*engine.Outcome, error),
) (timed, error) {
	t := &timer{Timing: r.Timing, nodes: p.snapshot.Graph.N(), whole: true}
	t.run = func(ctx context.Context, _ []int32) (*engine.Outcome, error) { return r.limited(ctx, nil, compute) }
	return r.time(ctx, t, m, p, nil)
}

// greatestError is the greatest error of any score, as a share of all pairs.
func greatestError(exact, got *kernels.Scores, directed bool) float64 {
	n := float64(len(exact.Nodes))
	pairs := n * (n - 1)
	if !directed {
		pairs /= 2
	}
	most := 0.0
	for _, of := range [][2][]float64{{exact.Nodes, got.Nodes}, {exact.Edges, got.Edges}} {
		for i, x := range of[0] {
			most = max(most, math.Abs(of[1][i]-x))
		}
	}
	return most / pairs
}
