package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// chosen is which pairs of nodes count for a measure, as read from the database.
type chosen struct {
	sources []int32        // nil for all
	shares  []float64      // of sources that walks start again from; nil for the same of each
	pairs   *kernels.Pairs // nil for all targets, once each
}

// choice identifies which pairs of nodes count for a measure, by its settings; "" for all.
func choice(m config.Measure) string {
	if !m.ChoosesPairs() {
		return ""
	}
	key, err := json.Marshal([]any{m.Sources, m.Targets, m.Within, m.Demand})
	if err != nil {
		return "" // not reached: every field marshals
	}
	return string(key)
}

// withinOf is the range of a measure alone, which needs no database; nil for none.
func withinOf(m config.Measure) *kernels.Pairs {
	if m.Within == nil {
		return nil
	}
	return &kernels.Pairs{Within: m.Within.Most}
}

// choosePairs reads which pairs of nodes count, and makes them part of what the scores depend on.
func (r *run) choosePairs(ctx context.Context) error {
	r.chosen, r.record.Config = map[string]*chosen{}, configDigest(r.job)
	for i, m := range r.job.Measures {
		key := choice(m)
		if key == "" || r.chosen[key] != nil {
			continue
		}
		c, err := r.choose(ctx, m, fmt.Sprintf("measures[%d]", i))
		if err != nil {
			return fmt.Errorf("%s: %w", m.Measure, err)
		}
		r.chosen[key] = c
		sources := kernels.Pairs{Targets: c.sources, Demand: &kernels.Demand{Sources: c.shares}}
		text := fmt.Sprintln(r.record.Config, key, sources.Digest(), c.pairs.Digest())
		r.record.Config = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:32]
	}
	return nil
}

// choose reads the pairs of a measure.
func (r *run) choose(ctx context.Context, m config.Measure, path string) (c *chosen, err error) {
	c = &chosen{}
	if c.sources, err = r.nodesOf(ctx, m.Sources, path, "source"); err != nil || !m.WeighsPairs() {
		return c, err
	}
	if spec, _ := kernels.Lookup(m.Measure); spec.Kind.Restarts() {
		return r.shared(ctx, m, c.sources)
	}
	if c.pairs = withinOf(m); c.pairs == nil {
		c.pairs = &kernels.Pairs{}
	}
	if c.pairs.Targets, err = r.nodesOf(ctx, m.Targets, path, "target"); err != nil {
		return nil, err
	}
	if m.Demand != nil {
		if c.pairs.Demand, err = r.demandOf(ctx, m.Demand); err != nil {
			return nil, err
		}
	}
	request := kernels.Request{Sources: c.sources, Pairs: c.pairs}
	if err := request.CheckPairs(r.snapshot.Graph.N()); err != nil {
		return nil, &connector.Error{Kind: connector.Empty, Msg: err.Error()}
	}
	return c, nil
}

// shared returns the sources that walks start again from, nil for all nodes, with their shares. Those with none are
// left out.
func (r *run) shared(ctx context.Context, m config.Measure, sources []int32) (*chosen, error) {
	demand, err := r.demandOf(ctx, m.Demand)
	if err != nil {
		return nil, err
	}
	c := &chosen{}
	for v, share := range demand.Sources {
		if _, is := slices.BinarySearch(sources, int32(v)); share > 0 && (is || sources == nil) {
			c.sources, c.shares = append(c.sources, int32(v)), append(c.shares, share)
		}
	}
	if len(c.sources) == 0 {
		return nil, &connector.Error{
			Kind: connector.BadData, Msg: fmt.Sprintf("the %s of all sources is 0", m.Demand.Property),
			Hint: "set it on the nodes to start again from",
		}
	}
	return c, nil
}

// nodesOf returns the nodes of a set that are in the graph, in ascending order; nil for no set.
func (r *run) nodesOf(ctx context.Context, s *config.NodeSet, path, what string) ([]int32, error) {
	if s == nil {
		return nil, nil
	}
	ids, err := r.Database.SelectNodes(ctx, connector.NodeSet{
		Key: path + "." + what + "s", Labels: s.Nodes, Where: conditions(s.Where), Query: s.Query,
	})
	if err != nil {
		return nil, fmt.Errorf("%ss: %w", what, err)
	}
	found := placesOf(r.snapshot.Nodes, ids)
	if len(found) == 0 {
		return nil, &connector.Error{
			Kind: connector.Empty, Msg: fmt.Sprintf("none of the %s is in the graph", counted(int64(ids.Len()), what)),
			Hint: "the graph holds the nodes of graph.nodes and graph.where alone",
		}
	}
	if left := ids.Len() - len(found); left > 0 {
		r.warnOnce(fmt.Sprintf("%d of %s are not in the graph", left, counted(int64(ids.Len()), what)))
	}
	return found, nil
}

// placesOf returns the places of ids among the nodes of a graph, in ascending order. Those that are not there are left
// out.
func placesOf(nodes, ids export.IDs) []int32 {
	wanted, found := make(map[string]bool, ids.Len()), []int32{}
	for i := range ids.Len() {
		wanted[ids.String(i)] = true
	}
	for v := range nodes.Len() {
		if wanted[nodes.String(v)] {
			found = append(found, int32(v))
		}
	}
	return found
}

// demandOf reads how much each node of the graph counts.
func (r *run) demandOf(ctx context.Context, d *config.Demand) (*kernels.Demand, error) {
	masses, err := r.Database.NodeNumbers(ctx, r.snapshot.Nodes, d.Property)
	if err != nil {
		return nil, fmt.Errorf("demand: %w", err)
	}
	var missing []int32
	for v, x := range masses {
		switch {
		case math.IsNaN(x) && d.Default != nil:
			masses[v] = *d.Default
		case math.IsNaN(x):
			missing = append(missing, int32(v))
		default:
			if err := kernels.CheckDemand(x); err != nil {
				return nil, r.badDemand(ctx, fmt.Sprintf("%s: %v", d.Property, err), int32(v))
			}
		}
	}
	if len(missing) > 0 {
		text := fmt.Sprintf("%s without the demand %s; demand.default gives them one",
			counted(int64(len(missing)), "node"), d.Property)
		return nil, r.badDemand(ctx, text, missing[:min(len(missing), 10)]...)
	}
	out := &kernels.Demand{Sources: masses}
	if !d.OfSources() {
		out.Targets = masses
	}
	return out, nil
}

// badDemand is an error about some nodes, with how to look at them.
func (r *run) badDemand(ctx context.Context, text string, nodes ...int32) error {
	out := &connector.Error{Kind: connector.BadData, Msg: text}
	if shower, ok := r.Database.(Shower); ok {
		out.Hint = "look at them: " + shower.ShowNodes(ctx, r.snapshot.Nodes.Pick(nodes...))
	}
	return out
}

// PairsOf describes the pairs that counted in a computation; nil where all of its sources do alike. It is for one that
// is done.
func PairsOf(c *Computation) *connector.Pairs {
	if c.pairs() == nil {
		return nil
	}
	return describePairs(c)
}

func describePairs(c *Computation) *connector.Pairs {
	q, asked := c.Task.Request, c.pairs()
	out := &connector.Pairs{
		Measure: c.Measure.Name, Sources: int64(len(q.Sources)),
		Counted: c.Outcome.Scores.Totals.Pairs, Possible: q.Count(c.Task.Snapshot.Graph.N()),
	}
	if asked == nil {
		return out
	}
	out.Targets, out.Within = int64(len(asked.Targets)), asked.Within
	switch d := asked.Demand; {
	case d == nil:
	case d.Trips != nil:
		out.Demand = "pairs"
	default:
		out.Demand = "nodes"
	}
	return out
}

// notePairs records the pairs that counted, and warns of those that have no path.
func (r *run) notePairs(c *Computation) {
	p := describePairs(c)
	r.record.Pairs = append(r.record.Pairs, *p)
	if p.Counted == 0 || p.Counted < p.Possible && p.Within == 0 && p.Sources+p.Targets > 0 {
		r.warnOnce(p.Measure + ": " + p.String())
	}
}

// warnOnce is warn, of what was not warned of yet.
func (r *run) warnOnce(text string) {
	if !slices.Contains(r.record.Warnings, text) {
		r.warn(text)
	}
}
