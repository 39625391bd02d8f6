package reduce

import (
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
)

// Flows are what the searches of all cores find: see Reduced.Scores.
type Flows []cores.Flow

// noFlows returns an empty flow for every core.
func (r *Reduced) noFlows() Flows {
	flows := make(Flows, len(r.cores))
	for i := range flows {
		flows[i] = r.cores[i].NewFlow()
	}
	return flows
}

// Partial is what searches of parts of a reduced graph add up to.
type Partial = cores.Partial

// Part returns which of so many units of work belong to a part of them.
type Part = cores.Part

// NewPartial returns the partial result of no part.
func (r *Reduced) NewPartial() *Partial {
	return cores.NewPartial(r.cores, r.mass(), r.options.solving())
}

// SearchPart searches a part of the cores on the CPU and adds what it finds to a partial result. The sums have the same
// bits for any number of threads, and of parts. Its error is the context's.
func (r *Reduced) SearchPart(ctx context.Context, part Part, into *Partial) error {
	wide, err := cores.Solve(ctx, r.cores, part, r.solving(), into)
	r.Info.Wide += wide
	return err
}

// Flows returns the flows of all cores from the partial result of all parts, whose memory they share.
func (r *Reduced) Flows(all *Partial) Flows { return all.Flows(r.cores, r.solving()) }

// Scores leads flows back to every node and edge of the graph: to its betweenness, the sum over unordered pairs of
// nodes of the share of their shortest paths that pass it, not normalised. Parallel edges each count as a path; a
// self-loop scores 0.
func (r *Reduced) Scores(flows Flows) (node, edge []float64) {
	node = append([]float64(nil), r.node...)
	simple := append([]float64(nil), r.edge...)
	for i := range r.cores {
		r.back[i].score(&r.cores[i], &flows[i], r.simple, node, simple)
	}
	if r.simple.of == nil {
		return node, simple
	}
	edge = make([]float64, len(r.simple.of))
	for e, s := range r.simple.of {
		if s != dropped {
			edge[e] = simple[s] / float64(r.simple.mult[s])
		}
	}
	return node, edge
}

// Check compares the sums of scores of nodes and edges: a path has one edge more than inner nodes, so that they are
// apart by the pairs. The error is an ErrOptions: the flows were wrong.
func (r *Reduced) Check(node, edge []float64) error {
	ends, pairs := 0.0, float64(r.Info.Pairs)/2
	if r.options.Endpoints {
		ends = 2 * pairs
	}
	var nodes, edges float64
	for _, x := range node {
		nodes += x
	}
	for _, x := range edge {
		edges += x
	}
	if d := math.Abs(edges - (nodes - ends + pairs)); !(d <= 1e-9*max(edges, pairs)) {
		return fmt.Errorf("%w: edge scores sum to %g, node scores to %g, apart by other than the %g pairs", ErrOptions,
			edges, nodes-ends, pairs)
	}
	return nil
}
