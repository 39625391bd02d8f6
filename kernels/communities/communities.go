// Package communities finds the communities of a graph by edge betweenness, whatever the direction of its edges: it
// cuts the edge that most shortest paths pass, again and again, until the graph falls apart (Girvan and Newman,
// Community structure in social and biological networks, PNAS 2002).
//
// What is left of the graph is kept as biconnected blocks. A node of a block has as mass the number of nodes behind it.
// A cut in a block changes the scores of that block only, and those of others only when a component falls in two, and
// then by the mass of one node. Of each pair of nodes of a block the distance, the number of paths, and what each path
// carries are kept, and a cut changes few of them. Scores are sums in fixed point, so that they have the same bits as
// sums computed again after every cut.
package communities

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Options of a clustering. The zero value cuts every edge, by hops.
type Options struct {
	Weighted  bool
	Tolerance float64 // of ties between lengths; 0 for lengths.DefaultTolerance
	// Groups ends the clustering when there are so many; 0 when every node is alone.
	Groups int
	// Batch is the share of the edges of a component that are cut between two updates of its scores, from 0 to 1; at least
	// one edge is.
	Batch float64
	// Limit ends it after so long; 0 for never.
	Limit   time.Duration
	Threads int   // at least 1
	Bytes   int64 // memory for rows; blocks whose rows do not fit are searched again after every cut
	// Device, unless nil, keeps scores by hops of large blocks.
	Device Device
	// Done are cuts of an earlier run of the same graph, which are taken as made.
	Done []Cut
	// Made, when set, is told of every cut; an error ends the clustering.
	Made func(Cut) error
}

// Cut is an edge that was cut.
type Cut struct {
	Edge   int32
	Score  float64 // its betweenness at the last update before, over unordered pairs
	Groups int     // components after the cut
	// Left is how many edges of its batch are cut after it.
	Left int `json:",omitempty"`
}

// Cuts are a clustering, as far as it went.
type Cuts struct {
	All []Cut
	// Begun is the number of components before the first cut.
	Begun int
	// Ties is how equal path lengths were told: "" (hops), "exact" or "tolerance".
	Ties string
	// Limited says that it ended at the limit of time.
	Limited bool
}

// ErrPaths says that there are more shortest paths between two nodes than a float64 can count, or that a weight is lost
// next to the length of a path.
var ErrPaths = errors.New(
	"communities: too many shortest paths between two nodes, or weights too far apart, for float64",
)

// errLimit is the cause of the end of a context after the limit of time.
var errLimit = errors.New("limit of time")

// Find cuts edges, the one of the highest score first: of edges that tie the one with the least index. With
// Options.Batch it cuts edges of the same component after it, in the order of their scores, before it computes these
// again. The result does not depend on threads, memory, or where an earlier run ended.
func Find(ctx context.Context, g *export.Graph, o Options) (*Cuts, error) {
	if o.Groups > g.N() {
		return nil, fmt.Errorf("communities: groups: %d are more than the %d nodes", o.Groups, g.N())
	}
	if o.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.Limit, errLimit)
		defer cancel()
	}
	measured, err := lengths.New(ctx, g, o.Weighted && len(g.Weights) > 0, o.Tolerance)
	if err != nil {
		return nil, err
	}
	stop := stopper.New(ctx)
	defer stop.Release()
	tolerance := o.Tolerance
	if tolerance == 0 {
		tolerance = lengths.DefaultTolerance
	}
	done := o.enough()
	whole, begun, largest := remaining(g, settled(done))
	edges := lengthsOf(g, measured, tolerance)
	if o.Groups > 0 && o.Groups < begun {
		return nil, fmt.Errorf("communities: groups: %d are fewer than the %d components of the graph", o.Groups, begun)
	}
	out := &Cuts{All: slices.Clone(settled(done)), Begun: begun, Ties: tiesOf(edges)}
	if o.Groups > 0 && groupsAfter(done, begun) >= o.Groups {
		out.All = slices.Clone(done)
		return out, nil
	}
	if out.Ties != "" {
		o.Device = nil
	}
	c := newCutter(whole, scaleFor(largest), max(o.Threads, 1), edges, o.Bytes, stop, o.Device, o.Batch)
	err = c.cutAll(ctx, out, o, len(done))
	if errors.Is(err, errLimit) {
		out.Limited, err = true, nil
	}
	return out, err
}

// madeBefore returns the cuts that are done, of a run that ended where it was to, or else at the limit of time.
func madeBefore(ctx context.Context, g *export.Graph, o Options) (*Cuts, error) {
	measured, err := lengths.New(ctx, g, o.Weighted && len(g.Weights) > 0, o.Tolerance)
	if err != nil {
		return nil, err
	}
	all := o.enough()
	left, begun, _ := remaining(g, all)
	limited := len(left.edges) > 0 && (o.Groups == 0 || groupsAfter(all, begun) < o.Groups)
	return &Cuts{All: all, Begun: begun, Ties: tiesOf(lengthsOf(g, measured, o.Tolerance)), Limited: limited}, nil
}

// enough returns the cuts of an earlier run up to the number of groups.
func (o Options) enough() []Cut {
	if o.Groups > 0 {
		if i := slices.IndexFunc(o.Done, func(c Cut) bool { return c.Groups >= o.Groups }); i >= 0 {
			return o.Done[:i+1]
		}
	}
	return o.Done
}

// settled returns the cuts up to the last whole batch. Only between batches do the cuts alone say what is cut next.
func settled(done []Cut) []Cut {
	for len(done) > 0 && done[len(done)-1].Left > 0 {
		done = done[:len(done)-1]
	}
	return done
}

// groupsAfter returns the number of groups after cuts of a graph that began with so many.
func groupsAfter(cuts []Cut, begun int) int {
	if len(cuts) == 0 {
		return begun
	}
	return cuts[len(cuts)-1].Groups
}

func tiesOf(l edgeLengths) string {
	switch l.(type) {
	case inWeights[int64]:
		return "exact"
	case inWeights[float64]:
		return "tolerance"
	}
	return ""
}

// cutAll cuts edges until there is a reason to end. So many cuts, with those in out, were made by an earlier run.
func (c *cutter) cutAll(ctx context.Context, out *Cuts, o Options, made int) error {
	err := c.failure()
	for err == nil && len(c.queue) > 0 && (o.Groups == 0 || c.groups < o.Groups) {
		if ctx.Err() != nil { // or else sums may be of no use
			return context.Cause(ctx)
		}
		batch := c.cutBatch(o.Groups)
		if err = c.failure(); err != nil { // the batch may be of scores that never came
			return err
		}
		for _, cut := range batch {
			out.All = append(out.All, cut)
			if o.Made != nil && len(out.All) > made {
				if err := o.Made(cut); err != nil {
					return err
				}
			}
		}
	}
	return err
}

// failure returns why scores cannot be trusted; nil where they can.
func (c *cutter) failure() error {
	switch {
	case c.wide:
		return fmt.Errorf("communities: a biconnected block of more than %d nodes", mostHops)
	case c.overflowed():
		return ErrPaths
	case c.device != nil:
		return c.device.Err()
	}
	return nil
}

// overflowed reports whether a number of paths is too great.
func (c *cutter) overflowed() bool {
	for _, w := range c.workers {
		if w.far {
			return true
		}
	}
	return false
}

// remaining returns what is left of a graph after cuts, as one piece, and the number and the largest size of the
// components before them. Loops are left out: no shortest path has one.
func remaining(g *export.Graph, done []Cut) (p *piece, components, largest int) {
	gone := make([]bool, g.M())
	for _, cut := range done {
		gone[cut.Edge] = true
	}
	p = &piece{node: make([]int32, g.N()), mass: make([]int64, g.N())}
	for v := range p.node {
		p.node[v], p.mass[v] = int32(v), 1
	}
	source, target := g.Ends()
	groups, size := disjoint.New(g.N()), make([]int, g.N())
	for e := range source {
		groups.Join(source[e], target[e])
		if source[e] != target[e] && !gone[e] {
			p.edges = append(p.edges, edge{source[e], target[e], int32(e)})
		}
	}
	p.row = rowsOf(g.N(), p.edges)
	for v := range size {
		root := groups.Find(int32(v))
		size[root]++
		largest = max(largest, size[root])
	}
	return p, groups.Count, largest
}
