// Package flow computes the measures of electrical flow: an edge is a resistor whose conductance is its weight, and a
// unit of current enters at one node and leaves at another one. Biconnected blocks are solved one by one, since current
// between two nodes stays in the blocks between them; in a tree, all of it takes the one path.
package flow

import (
	"context"
	"errors"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Run is a request for a measure of flow.
type Run struct {
	measure kernels.Measure
	graph   *export.Graph
	request kernels.Request
	threads int
	network *network
	blocks  []block
	drawing drawing
	direct  []bool // blocks whose resistances come from an exact factor
	// limit is the number of entries up to which a block has an exact factor.
	limit  func(nodes, resistors int64) int64
	report report
}

// NewRun prepares a request. It refuses directed graphs.
func NewRun(m kernels.Measure, g *export.Graph, r kernels.Request, threads int) (*Run, error) {
	if g.Directed {
		return nil, errors.New(m.Name + ": the graph is directed, and current flows both ways; make it undirected")
	}
	run := &Run{measure: m, graph: g, request: r, threads: threads, network: newNetwork(g, r.Weighted), limit: mostEntries}
	run.blocks = run.network.blocks()
	run.direct = make([]bool, len(run.blocks))
	switch m.Kind {
	case kernels.Currents:
		run.drawing = drawCurrents(g.N(), run.blocks, r)
	case kernels.SpanningTrees:
		run.drawing = drawResistances(run.blocks, r, ofResistors)
	default:
		run.drawing = drawResistances(run.blocks, r, allPairs)
	}
	run.report.progress, run.report.total = r.Progress, run.systems()
	return run, nil
}

// systems is the number of right-hand sides to solve.
func (r *Run) systems() (sum int) {
	for i := range r.blocks {
		sum += r.count(i)
	}
	return sum
}

// count is the number of right-hand sides of a block.
func (r *Run) count(block int) int {
	b := &r.blocks[block]
	switch {
	case b.isBridge():
		return 0
	case r.direct[block]:
		return probes(b)
	case r.drawing.of[block] > 0:
		return r.drawing.of[block]
	case r.measure.Kind == kernels.Currents:
		return len(b.resistors)
	}
	return len(b.nodes)
}

// Values is the number of values that Compute writes: the scores of nodes, then of edges, then how they came about.
func Values(g *export.Graph) int { return g.N() + g.M() + len((&kernels.Solution{}).Numbers()) }

// Compute writes the values.
func (r *Run) Compute(ctx context.Context, values []float64) error {
	n, m := r.graph.N(), r.graph.M()
	compute := r.resistances
	if r.measure.Kind == kernels.Currents {
		compute = r.currents
	}
	if err := compute(ctx, values[:n], values[n:n+m]); err != nil {
		return fmt.Errorf("%s: %w", r.measure.Name, err)
	}
	told := kernels.Solution{
		Systems: r.report.done, Iterations: r.report.iterations, Residual: r.report.residual,
		Drawn: r.drawing.drawn(),
	}
	if told.Drawn > 0 {
		told.Error, told.Delta = r.drawing.error, delta
	}
	copy(values[n+m:], told.Numbers())
	return nil
}

// Scores makes scores of values.
func (r *Run) Scores(values []float64) *kernels.Scores {
	n, m := r.graph.N(), r.graph.M()
	out := &kernels.Scores{Solution: kernels.SolutionOf(values[n+m:])}
	if r.request.Nodes {
		out.Nodes = values[:n:n]
	}
	if r.request.Edges {
		out.Edges = values[n : n+m : n+m]
	}
	return out
}

// spare has a block with an exact factor take no right-hand sides for resistances but probes.
func (r *Run) spare(block int, f *factor) {
	if r.measure.Kind == kernels.Currents || !f.exact {
		return
	}
	before := r.count(block)
	r.drawing.of[block], r.direct[block] = 0, true
	r.report.more(r.count(block) - before)
}

// eachBlock solves the blocks that are no bridges, one after another.
func (r *Run) eachBlock(ctx context.Context, solve func(block int, c *crew) error) error {
	local := make([]int32, r.graph.N())
	for i := range r.blocks {
		if r.blocks[i].isBridge() {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := r.newSystem(ctx, &r.blocks[i], local)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.spare(i, s.factor)
		if err := solve(i, newCrew(s, r.threads, r.count(i), &r.report)); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) resistances(ctx context.Context, nodes, edges []float64) error {
	all, ofResistor := make([]resistance, len(r.blocks)), make([]float64, len(r.network.resistors))
	for i := range r.blocks {
		if r.blocks[i].isBridge() {
			all[i] = bridgeResistance(r.network, &r.blocks[i])
		}
	}
	err := r.eachBlock(ctx, func(block int, c *crew) (err error) {
		all[block], err = c.resistances(ctx, r.drawing.of[block])
		return err
	})
	if err != nil {
		return err
	}
	for i, b := range r.blocks {
		for k, l := range b.resistors {
			ofResistor[l] = all[i].ofResistor[k]
		}
	}
	r.scoreResistances(spread(r.graph.N(), r.blocks, all), ofResistor, nodes, edges)
	return nil
}

// scoreResistances makes scores of the resistances of each resistor, and of the sum of those from each node.
func (r *Run) scoreResistances(sums, ofResistor, nodes, edges []float64) {
	others := r.others()
	for v := range nodes {
		switch r.measure.Kind {
		case kernels.Resistances:
			nodes[v] = kernels.Quotient(sums[v], others[v])
		case kernels.CurrentCloseness:
			nodes[v] = kernels.Quotient(others[v], sums[v])
			if n := r.request.Normalized; n != nil && !*n {
				nodes[v] = kernels.Quotient(1, sums[v])
			}
		}
	}
	source, target := r.graph.Ends()
	for e, l := range r.network.ofEdge {
		if l < 0 {
			continue
		}
		edges[e] = ofResistor[l]
		if r.measure.Kind == kernels.SpanningTrees {
			edges[e] *= r.network.share[e] * r.network.resistors[l].conductance
			nodes[source[e]] += edges[e]
			nodes[target[e]] += edges[e]
		}
	}
}

// others is the number of other nodes in the component of each node.
func (r *Run) others() []float64 {
	out := make([]float64, r.graph.N())
	for i := range r.blocks {
		b := &r.blocks[i]
		others := float64(b.total() - 1)
		for _, v := range b.nodes {
			out[v] = others
		}
	}
	return out
}

func (r *Run) currents(ctx context.Context, nodes, edges []float64) error {
	ofResistor := make([]float64, len(r.network.resistors))
	for i := range r.blocks {
		if b := &r.blocks[i]; b.isBridge() {
			ofResistor[b.resistors[0]] = b.pairs()
		}
	}
	err := r.eachBlock(ctx, func(block int, c *crew) error {
		sums, err := c.currents(ctx, r.drawing.of[block])
		for k, l := range c.block.resistors {
			ofResistor[l] = sums[k]
		}
		return err
	})
	if err != nil {
		return err
	}
	r.scoreCurrents(ofResistor, nodes, edges)
	return nil
}

// scoreCurrents makes scores of the currents of each resistor. Of the currents of a node's resistors, half enter it and
// half leave it; pairs that begin or end at the node are not counted.
func (r *Run) scoreCurrents(ofResistor, nodes, edges []float64) {
	byNode, byEdge := kernels.BetweennessFactors(r.graph, r.request)
	byNode, byEdge = 2*byNode, 2*byEdge // from ordered pairs to those of nodes
	for l, sum := range ofResistor {
		nodes[r.network.resistors[l].from] += sum / 2
		nodes[r.network.resistors[l].to] += sum / 2
	}
	for v, ends := range r.others() {
		nodes[v] = max(0, nodes[v]-ends/2) * byNode
	}
	for e, l := range r.network.ofEdge {
		if l >= 0 {
			edges[e] = ofResistor[l] * r.network.share[e] * byEdge
		}
	}
}
