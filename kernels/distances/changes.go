package distances

import (
	"context"
	"errors"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// Changes are the distances that changed from one graph to another, by hops or by weights.
//
// Every pair of a source and a target whose distance changed has an arc x->y that came, went or has another length,
// such that the distance from the source to y changed, and that from x to the target. On the shorter of both paths,
// take the first node y to which the other graph has a longer path from the source. The other graph's path to the node
// x before it is no longer. So it lacks the arc x->y, or has a longer one, and its path from x to the target is longer.
// One of both sets of each arc, the smaller one, has a node of each such pair.
type Changes struct {
	// Arcs is how many arcs came, went, or have another length; an undirected edge is one. Ends has their ends, by number.
	Arcs int
	Ends []bool
	// Sources and Targets have a node of each pair whose distance changed: its source or its target. In an undirected
	// graph they are the same.
	Sources, Targets []int32
	// Cost is what it takes to find the new sums, in searches from one node; Full is the same of all nodes.
	Cost, Full float64

	past          *Past
	before, after measured
}

// measured is a graph whose paths are searched along its arcs, and against them.
type measured struct {
	graph          *export.Graph
	length, back   lengths.Lengths
	along, against search.Maker
}

func measure(ctx context.Context, g *export.Graph, weighted bool) (m measured, err error) {
	m.graph = g
	if m.length, err = lengths.New(ctx, g, weighted, 0); err != nil {
		return m, err
	}
	m.along = search.Of(g, m.length)
	if m.back, m.against = m.length, m.along; g.Directed {
		m.back, err = lengths.New(ctx, g.Transpose(), weighted, 0)
		m.against = search.Of(g.Transpose(), m.back)
	}
	return m, err
}

// mostOfFull is the share of a full run that changes may cost: what they cost is estimated roughly.
const mostOfFull = 0.5

// Pay reports whether it takes less to search what changed than all.
func (c *Changes) Pay() bool { return c.Cost <= mostOfFull*c.Full }

// String is one line on what changed, and what it costs.
func (c *Changes) String() string {
	share := 100 * c.Cost / max(1, c.Full)
	if !c.Pay() {
		return fmt.Sprintf("no node reused: to search what %d changed edges may reach takes over %.2g %% of a full run",
			c.Arcs, 100*mostOfFull)
	}
	return fmt.Sprintf("%d edges changed: %d nodes searched from again, in about %.2g %% of a full run", c.Arcs,
		len(c.Targets), share)
}

// ofArc is what an arc costs: a search from either end, before and after.
const ofArc = 4

// errCostly ends a comparison that no longer pays.
var errCostly = errors.New("the changes cost too much")

// Compare finds what changed from the graph of a past to another one with nodes of such names; nil for numbers. By
// weights, both have lengths in whole numbers that float64 holds. Where searches do not pay, it gives up, and finds the
// ends of arcs alone.
func Compare(
	ctx context.Context, past *Past, g *export.Graph, weighted bool, names []int64, threads int,
) (*Changes, error) {
	p := past.along(g.N(), names)
	c, after := &Changes{past: p, Full: past.Full, Ends: make([]bool, p.Graph.N())}, padded(g, p.Graph.N())
	arcs := c.compare(p.Graph, after, weighted, int(mostOfFull*c.Full/ofArc)+1)
	if c.Cost = ofArc * float64(c.Arcs); !c.Pay() {
		return c, nil
	}
	var err error
	if c.before, err = measure(ctx, p.Graph, weighted); err != nil {
		return nil, err
	}
	if c.after, err = measure(ctx, after, weighted); err != nil {
		return nil, err
	}
	sides := &sides{changes: c, isSource: make([]bool, p.Graph.N())}
	if sides.isTarget = sides.isSource; g.Directed {
		sides.isTarget = make([]bool, p.Graph.N())
	}
	err = workers.OverChunks(ctx, len(arcs), 1, kernels.Request{Threads: threads},
		func(stop *stopper.Stopper) workers.Worker {
			return newSideWorker(sides, arcs, stop)
		})
	if errors.Is(err, errCostly) {
		err = nil
	}
	return c, err
}

// padded returns a graph with so many nodes: those beyond its own have no arcs.
func padded(g *export.Graph, n int) *export.Graph {
	if g.N() == n {
		return g
	}
	out := &export.Graph{
		Directed: g.Directed, EdgeCount: g.EdgeCount, Targets: g.Targets, Edges: g.Edges, Weights: g.Weights,
		Offsets: make([]int64, n+1),
	}
	copy(out.Offsets, g.Offsets)
	for v := g.N() + 1; v <= n; v++ {
		out.Offsets[v] = g.Offsets[g.N()]
	}
	return out
}

// compare finds the arcs that differ in two graphs of the same nodes, and returns up to so many. Of parallel arcs the
// shortest counts.
func (c *Changes) compare(before, after *export.Graph, weighted bool, most int) (out [][2]int32) {
	for v := range int32(before.N()) {
		a, b := rowOf(before, v, weighted), rowOf(after, v, weighted)
		for len(a.targets)+len(b.targets) > 0 {
			w := first(a.targets, b.targets)
			if a.take(w) == b.take(w) || v == w || !before.Directed && v > w {
				continue
			}
			c.Arcs, c.Ends[v], c.Ends[w] = c.Arcs+1, true, true
			if len(out) < most {
				out = append(out, [2]int32{v, w})
			}
		}
	}
	return out
}

// row is what is left of the row of a node.
type row struct {
	targets []int32
	weights []float64 // nil by hops
}

func rowOf(g *export.Graph, v int32, weighted bool) row {
	out := row{targets: g.Row(v)}
	if weighted && g.Weights != nil {
		out.weights = g.Weights[g.Offsets[v]:g.Offsets[v+1]]
	}
	return out
}

// first returns the least of two sorted rows, of which one is not empty.
func first(a, b []int32) int32 {
	if len(a) == 0 || len(b) > 0 && b[0] < a[0] {
		return b[0]
	}
	return a[0]
}

// take takes the arcs to a node, which is not more than the first, and returns the length of the shortest; 0 for none.
func (r *row) take(w int32) (length float64) {
	for len(r.targets) > 0 && r.targets[0] == w {
		one := 1.0
		if r.weights != nil {
			one, r.weights = r.weights[0], r.weights[1:]
		}
		if length == 0 || one < length {
			length = one
		}
		r.targets = r.targets[1:]
	}
	return length
}

// sides takes one of both sides of each arc.
type sides struct {
	changes            *Changes
	isSource, isTarget []bool
}

// take takes the side that has fewer nodes which are not taken yet.
func (s *sides) take(sources, targets []int32) error {
	c, directed := s.changes, s.changes.after.graph.Directed
	if left(sources, s.isSource) <= left(targets, s.isTarget) {
		c.Sources = taken(c.Sources, sources, s.isSource)
	} else if directed {
		c.Targets = taken(c.Targets, targets, s.isTarget)
	} else {
		c.Sources = taken(c.Sources, targets, s.isSource)
	}
	if !directed {
		c.Targets = c.Sources
	}
	if c.Cost = ofArc*float64(c.Arcs) + 2*float64(len(c.Sources)) + float64(len(c.Targets)); !c.Pay() {
		return errCostly
	}
	return nil
}

// left counts the nodes that are not in a set.
func left(nodes []int32, in []bool) (count int) {
	for _, v := range nodes {
		if !in[v] {
			count++
		}
	}
	return count
}

// taken appends the nodes that are not in a set, and adds them to it.
func taken(all, nodes []int32, in []bool) []int32 {
	for _, v := range nodes {
		if !in[v] {
			in[v] = true
			all = append(all, v)
		}
	}
	return all
}

// sideWorker finds both sides of an arc that came, went or has another length.
type sideWorker struct {
	sides *sides
	arcs  [][2]int32
	// to and from search before and after: against the arcs, and along them.
	to, from         [2]search.Search
	sources, targets []int32
}

func newSideWorker(s *sides, arcs [][2]int32, stop *stopper.Stopper) *sideWorker {
	w := &sideWorker{sides: s, arcs: arcs}
	for i, m := range []measured{s.changes.before, s.changes.after} {
		w.from[i], w.to[i] = m.along(false, stop), m.against(false, stop)
	}
	return w
}

// Source finds the sides of an arc by its number.
func (w *sideWorker) Source(i int32) (err error) {
	arc := w.arcs[i]
	if w.sources, err = changed(w.to, arc[1], w.sources[:0]); err == nil {
		w.targets, err = changed(w.from, arc[0], w.targets[:0])
	}
	return err
}

// changed appends the nodes whose distance from a node is not the same in both searches.
func changed(both [2]search.Search, v int32, out []int32) ([]int32, error) {
	for _, s := range both {
		if err := s.From(v); err != nil {
			return nil, err
		}
	}
	if before, hops := both[0].(*search.BFS); hops {
		after := both[1].(*search.BFS)
		for u, level := range before.Level {
			if level != after.Level[u] {
				out = append(out, int32(u))
			}
		}
		return out, nil
	}
	for _, u := range both[0].Found().Order {
		if !both[1].Reached(u) || both[0].Distance(u) != both[1].Distance(u) {
			out = append(out, u)
		}
	}
	for _, u := range both[1].Found().Order {
		if !both[0].Reached(u) {
			out = append(out, u)
		}
	}
	return out, nil
}

// Merge is as Worker has it.
func (w *sideWorker) Merge() error { return w.sides.take(w.sources, w.targets) }

// Fold sets the sums and counts of a partial result to those of the graph after the changes. Sums are as in the past,
// in the same scale, and each distance by weights is rounded by itself.
func (c *Changes) Fold(ctx context.Context, m kernels.Measure, r kernels.Request, into *kernels.Partial) error {
	n := c.after.graph.N()
	gone, come, rows := empty(n, into), empty(n, into), empty(n, into)
	r.Edges, r.Sources, r.Progress = false, c.Sources, nil
	if len(c.Sources) > 0 {
		if err := FoldNodes(ctx, m, c.before.graph, r, c.before.length, gone); err != nil {
			return err
		}
		if err := FoldNodes(ctx, m, c.after.graph, r, c.after.length, come); err != nil {
			return err
		}
	}
	if len(c.Targets) > 0 {
		if err := FoldTo(ctx, m, c.after.graph.Transpose(), r, c.after.back, c.Targets, rows); err != nil {
			return err
		}
	}
	for v := range into.NodeCounts {
		sum := c.past.Sums[v]
		sum.Add(come.Nodes.Words[v])
		sum.AddTimes(gone.Nodes.Words[v], -1)
		into.Nodes.Words[v], into.NodeCounts[v] = sum, c.past.Counts[v]+come.NodeCounts[v]-gone.NodeCounts[v]
	}
	for _, v := range c.Targets {
		if int(v) < len(into.NodeCounts) {
			into.Nodes.Words[v], into.NodeCounts[v] = rows.Nodes.Words[v], rows.NodeCounts[v]
		}
	}
	return nil
}

// Keep sets the sums and counts of some nodes, by number, to those of the past.
func (c *Changes) Keep(nodes []int32, into *kernels.Partial) {
	for _, v := range nodes {
		into.Nodes.Words[v], into.NodeCounts[v] = c.past.Sums[v], c.past.Counts[v]
	}
}

// empty returns the partial result of no source for n nodes, in the scales of another.
func empty(n int, like *kernels.Partial) *kernels.Partial {
	return &kernels.Partial{
		Nodes: exact.NewSums(n, like.Nodes.Scale), NodeCounts: make([]int64, n),
		Distance: exact.NewSums(1, like.Distance.Scale),
	}
}
