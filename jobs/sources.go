package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Sourcer is a Database that finds the nodes that a measure starts again from.
type Sourcer interface {
	// Sources returns those of the graph, in the order of its nodes, and how many others there are.
	Sources(ctx context.Context, ids export.IDs, p connector.Projection, s connector.Sources) ([]connector.SourceNode, int, error)
}

// sources are the nodes that a pass starts again from, and their shares; nil for 1 each.
type sources struct {
	Nodes  []int32
	Shares []float64
}

// findSources finds the sources of all measures that name some. Scores depend on them, so that they count as settings.
func (r *run) findSources(ctx context.Context) error {
	r.sources = map[string]sources{}
	for _, m := range r.job.Measures {
		key := m.Sources.String()
		if _, known := r.sources[key]; key == "" || known {
			continue
		}
		found, err := r.sourcesOf(ctx, m)
		if err != nil {
			return err
		}
		r.sources[key] = found
	}
	if len(r.sources) == 0 {
		return nil
	}
	text, err := json.Marshal(r.sources)
	if err != nil {
		return err
	}
	r.record.Config = fmt.Sprintf("%x", sha256.Sum256(append(text, configDigest(r.job)...)))[:32]
	return nil
}

func (r *run) sourcesOf(ctx context.Context, m config.Measure) (sources, error) {
	of, ok := r.Database.(Sourcer)
	if !ok {
		return sources{}, fmt.Errorf("%s: this database finds no sources", m.Measure)
	}
	found, outside, err := of.Sources(ctx, r.snapshot.Nodes, r.projection, connector.Sources{
		Label: m.Sources.Label, Property: m.Sources.Property, Values: m.Sources.Values,
	})
	if err != nil {
		return sources{}, err
	}
	if err := missing(m, found); err != nil {
		return sources{}, err
	}
	if outside > 0 {
		r.warn(fmt.Sprintf("%s: left out of the sources by %s: %s outside the graph", m.Measure, m.Sources, counted(int64(outside), "node")))
	}
	return r.shared(m, found)
}

// missing reports a value that no node has, or that there is no source.
func missing(m config.Measure, found []connector.SourceNode) error {
	has := map[string]bool{}
	for _, s := range found {
		has[fmt.Sprint(s.Value)] = true
	}
	for _, value := range m.Sources.Values {
		if !has[fmt.Sprint(value)] {
			return noSource(fmt.Sprintf("%s: no node of the graph has the %s %v, which sources names", m.Measure, m.Sources.Property, value))
		}
	}
	if len(found) == 0 {
		return noSource(fmt.Sprintf("%s: no node of the graph is a source by %s", m.Measure, m.Sources))
	}
	return nil
}

func noSource(text string) error {
	return &connector.Error{Kind: connector.BadData, Msg: text, Hint: "change sources, or select the nodes in graph.nodes"}
}

// shared makes sources of what was found. The value of a property is the share of a node, unless values choose the nodes.
func (r *run) shared(m config.Measure, found []connector.SourceNode) (out sources, err error) {
	for _, s := range found {
		share := 1.0
		if m.Sources.Property != "" && m.Sources.Values == nil {
			var ok bool
			if share, ok = shareOf(s.Value); !ok || !(share >= 0 && share <= math.MaxFloat64) {
				return out, &connector.Error{
					Kind: connector.BadData,
					Msg:  fmt.Sprintf("%s: the %s of node %s is %v; shares of sources are numbers of at least 0", m.Measure, m.Sources.Property, r.snapshot.Nodes.String(int(s.Node)), s.Value),
					Hint: "set a number, or choose nodes by a label or by values",
				}
			}
		}
		if share > 0 {
			out.Nodes, out.Shares = append(out.Nodes, s.Node), append(out.Shares, share)
		}
	}
	if len(out.Nodes) == 0 {
		return out, noSource(fmt.Sprintf("%s: the %s of all sources is 0", m.Measure, m.Sources.Property))
	}
	return out, nil
}

// shareOf returns a number of the database.
func shareOf(value any) (float64, bool) {
	switch x := value.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// withSources adds the sources that were found for a pass to its request.
func (r *run) withSources(p pass, c *Computation) *Computation {
	if found, ok := r.sources[p.sources.String()]; ok {
		q := &c.Task.Request
		q.Sources, q.Shares = found.Nodes, found.Shares
	}
	return c
}

// undivided reports a pass that processes of their own cannot share: its sources are in the database.
func (p pass) undivided(job string) error {
	if p.sources == nil {
		return nil
	}
	return &connector.Error{
		Kind: connector.UnknownName, Msg: fmt.Sprintf("job %s: %s cannot be divided: its sources are read from the database", job, p.measure.Name),
		Hint: "run the job in one process, or remove sources",
	}
}
