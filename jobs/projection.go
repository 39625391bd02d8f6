package jobs

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Projection returns the subgraph that the job asks for.
func Projection(g config.Graph) connector.Projection {
	p := connector.Projection{
		Labels: g.Nodes, NodeQuery: g.NodeQuery,
		Weights:  export.WeightPolicy{Zero: g.ZeroWeights, Epsilon: g.Epsilon, Invalid: g.InvalidWeights},
		OnChange: connector.OnChange(g.OnChange), Caption: g.Caption, Key: g.Key,
	}
	if slices.Contains(g.Nodes, config.AllLabels) {
		p.Labels, p.AllNodes = nil, true
	}
	p.Where = conditions(g.Where)
	if g.Coordinates != nil {
		p.Coordinates = connector.Coordinates(*g.Coordinates)
	}
	if g.RelationshipQuery != "" {
		p.RelationshipQuery = connector.Query{
			Text: g.RelationshipQuery, Orientation: export.Orientation(cmp.Or(g.Orientation, "natural")),
			Parallel: export.Parallel(cmp.Or(g.Parallel, "keep")),
		}
	}
	for _, r := range g.Relationships {
		p.Relationships = append(p.Relationships, connector.Relationship{
			Type: r.Type, Orientation: export.Orientation(r.Orientation), Parallel: export.Parallel(r.Parallel),
			Weight: r.Weight.Property, Strength: r.Weight.Strength(), Parse: r.Parse, DefaultWeight: r.DefaultWeight,
			Where: conditions(r.Where),
		})
	}
	return p
}

func conditions(all []config.Condition) []connector.Condition {
	var out []connector.Condition
	for _, c := range all {
		out = append(out, connector.Condition(c))
	}
	return out
}

// configDigest identifies everything in the job's settings that its scores and their places depend on. Where they are
// computed and how fast they are written is not part of it.
func configDigest(j config.Job) string {
	c := j.Compute
	j.Graph.OnChange, j.Graph.Caption, j.Graph.Key, j.Graph.Coordinates = "", "", "", nil // no score depends on them
	if j.Distances != nil {
		// no score depends on where they go
		asked := *j.Distances
		asked.File, j.Distances = "", &asked
	}
	if j.Dendrogram != nil {
		asked := *j.Dendrogram
		asked.File, j.Dendrogram = "", &asked
	}
	b, err := json.Marshal(struct {
		Graph     config.Graph
		Measures  []config.Measure
		Precision string
		Sample    int
		Seed      int64
		Mode      string
		Distances *config.Distances  `json:",omitempty"`
		Groups    *config.Supernodes `json:",omitempty"`
		Cuts      *config.Dendrogram `json:",omitempty"`
		Adaptive  float64            `json:",omitempty"`
		Error     float64            `json:",omitempty"`
		Top       int                `json:",omitempty"`
		Sure      float64            `json:",omitempty"`
		Seconds   float64            `json:",omitempty"`
	}{j.Graph, j.Measures, c.Precision, c.Sample.Sources, c.Seed, j.Write.Mode, j.Distances, j.Supernodes,
		j.Dendrogram, c.Adaptive, c.Sample.Error, c.Sample.Top, c.Sample.Confidence, c.Sample.Seconds})
	if err != nil {
		return "" // not reached: every field marshals; an empty digest never equals a recorded one
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))[:32]
}

// pass is one computation, which may serve several of a job's measures: node and edge scores come from the same pass.
type pass struct {
	measure kernels.Measure
	params  kernels.Params
	outputs []config.Measure
	work    *Computation // made by the plan step
	chosen  *chosen      // which pairs of nodes count; nil before they are read
}

// request asks for the scores of the pass, from all sources that count.
func (p pass) request(c config.Compute) kernels.Request {
	nodes, edges := p.wants()
	q := kernels.Request{
		Params: p.params, Nodes: nodes, Edges: edges, Threads: c.Threads, Reduce: c.Reduce, Pairs: withinOf(p.outputs[0]),
		Seed: c.Seed,
	}
	if p.chosen != nil {
		q.Sources, q.Shares, q.Pairs = p.chosen.sources, p.chosen.shares, p.chosen.pairs
	}
	return q
}

// passes groups the job's measures that differ only in what is written where.
func passes(measures []config.Measure) ([]pass, error) {
	var out []pass
	at := map[string]int{}
	for _, m := range measures {
		spec, ok := kernels.Lookup(m.Measure)
		if !ok {
			return nil, fmt.Errorf("unknown measure %q", m.Measure)
		}
		key, err := json.Marshal([]any{m.Measure, m.Params, choice(m)})
		if err != nil {
			return nil, err
		}
		i, seen := at[string(key)]
		if !seen {
			i = len(out)
			at[string(key)] = i
			out = append(out, pass{measure: spec, params: m.Params})
		}
		out[i].outputs = append(out[i].outputs, m)
	}
	return out, nil
}

func (p pass) wants() (nodes, edges bool) {
	for _, m := range p.outputs {
		nodes, edges = nodes || m.Nodes != "", edges || m.Relationships != ""
	}
	return nodes, edges
}

// Ownership asks whether the job may write its scores, by all names that they take under its mode of publication.
func Ownership(j config.Job) connector.Ownership {
	nodes, relationships := Properties(j)
	mode := connector.Mode(j.Write.Mode)
	var labels []string
	if j.Supernodes != nil {
		labels = append(labels, j.Supernodes.Label)
	}
	if j.Dendrogram != nil && j.Dendrogram.Label != "" {
		labels = append(labels, j.Dendrogram.Label)
	}
	return connector.Ownership{
		Labels: labels,
		Job:    j.Name, NodeProperties: mode.AllProperties(nodes), RelationshipProperties: mode.AllProperties(relationships),
		Projection: Projection(j.Graph), Mode: mode,
	}
}

// Properties returns the names of the scores that the job computes for nodes and for relationships.
func Properties(j config.Job) (nodes, relationships []string) {
	for _, m := range j.Measures {
		if m.Nodes != "" {
			nodes = append(nodes, m.Nodes)
		}
		if m.Relationships != "" {
			relationships = append(relationships, m.Relationships)
		}
	}
	return nodes, relationships
}
