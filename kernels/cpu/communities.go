package cpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// grouping cuts edges until the graph is in groups; see kernels/communities. It is not divided: the first shard does it all.
type grouping struct {
	task
	cuts *communities.Cuts
}

// mostSeconds is the longest predicted time of a clustering that has no limit.
const mostSeconds = 24 * 60 * 60

func prepareCommunities(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	if t.request.Limit == 0 {
		work := communities.Estimate(t.graph, t.request.Weighted, rowsBytes(t.request))
		if days := work.Seconds / float64(threads(t.request)) / mostSeconds; days > 1 {
			return nil, fmt.Errorf("communities: predicted to take %.0f days or more: a biconnected block has %d nodes; "+
				"set limit to a number of seconds, and take the groups found by then", days, work.Block)
		}
	}
	return &grouping{task: t}, nil
}

// rowsBytes is the memory for rows: what the plan gave, or half of what is free.
func rowsBytes(r kernels.Request) int64 {
	if free, err := hostmem.Available(); err == nil {
		return free / 2
	}
	return 1 << 30
}

func (p *grouping) empty() *kernels.Partial { return kernels.NewAlone(p.graph.N()) }

func (p *grouping) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) (err error) {
	if shard.Index > 0 {
		return nil
	}
	r := p.request
	o := communities.Options{
		Weighted: r.Weighted, Tolerance: r.Tolerance, Threads: threads(r), Bytes: rowsBytes(r),
		Limit: time.Duration(r.Limit * float64(time.Second)),
	}
	if r.Groups != nil {
		o.Groups = *r.Groups
	}
	made := func(communities.Cut) error { return nil }
	if r.Journal != "" {
		j, done, err := communities.OpenJournal(r.Journal, fmt.Sprint(r.JournalOf, " weighted ", r.Weighted, " tolerance ", r.Tolerance))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, j.Close()) }()
		o.Done, made = done, j.Made
	}
	count := len(o.Done)
	o.Made = func(cut communities.Cut) error {
		if count++; r.Progress != nil {
			r.Progress(count, p.graph.M())
		}
		return made(cut)
	}
	if p.cuts, err = communities.Find(ctx, p.graph, o); err != nil {
		return err
	}
	for v, group := range p.grouped().Of {
		into.Alone[v] = float64(group)
	}
	return nil
}

// grouped returns the groups asked for, or those of the greatest modularity.
func (p *grouping) grouped() *kernels.Grouping {
	d := communities.DendrogramOf(p.graph, p.cuts)
	count := d.Best()
	if p.request.Groups != nil {
		count = min(*p.request.Groups, d.Groups)
	}
	return &kernels.Grouping{
		Of: d.Members(count), Count: count, Components: d.Fewest(), Modularity: d.ModularityOf(count),
		Cuts: len(p.cuts.All), Limited: p.cuts.Limited, Base: d.Base, Merges: d.Merges,
	}
}

func (p *grouping) finish(all *kernels.Partial) (*kernels.Scores, error) {
	c := &kernels.Grouping{Of: make([]int32, p.graph.N())}
	out := p.scores()
	out.Grouping = c
	if p.cuts != nil {
		out.Grouping, out.Ties = p.grouped(), p.cuts.Ties
	} else { // joined from parts
		for v, group := range all.Alone {
			c.Of[v] = int32(group)
			c.Count = max(c.Count, int(group)+1)
		}
		c.Modularity = kernels.Modularity(p.graph, c.Of)
	}
	copy(out.Nodes, all.Alone)
	if p.request.Edges {
		out.Edges = out.Grouping.Flags(p.graph)
	}
	return out, nil
}

// communitiesBytes bounds the memory besides the graph and the rows, which take what is there.
func communitiesBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + tickBytes(g, r) + 200*g.Nodes + 250*g.Edges
}
