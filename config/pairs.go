package config

import (
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/kernels"
)

// NodeSet are some nodes of the graph. Exactly one of Nodes and Query is set.
type NodeSet struct {
	// Nodes are labels: nodes of the graph that carry any of them are in the set. A label alone may be written without
	// keys.
	Nodes []string `yaml:"nodes" json:",omitempty" jsonschema:"minItems=1"`
	// Where leaves out nodes that do not meet all of these conditions; it goes with nodes, not with query.
	Where []Condition `yaml:"where" json:",omitempty" jsonschema:"minItems=1"`
	// Query is a Cypher query that returns the nodes, or their ids, instead of labels.
	Query string `yaml:"query" json:",omitempty" jsonschema:"minLength=1"`
}

// setText lets a set be written as its label alone.
func (s *NodeSet) setText(text string) string {
	s.Nodes = []string{text}
	return "nodes"
}

// Whose masses a pair counts.
const (
	demandOfBoth    = "both"
	demandOfSources = "sources"
)

// Demand is how much pairs of nodes count.
type Demand struct {
	// Property is the node property that says how much a node counts, such as population.
	Property string `yaml:"property" jsonschema:"required,minLength=1"`
	// Of says whose property a pair counts: both, that of its source times that of its target; or sources, that of its
	// source alone.
	Of string `yaml:"of" json:",omitempty" jsonschema:"enum=both,enum=sources"`
	// Default is the value of nodes without the property. Without it such nodes fail the run.
	Default *float64 `yaml:"default" json:",omitempty" jsonschema:"minimum=0"`
}

// setText lets a demand be written as its property alone.
func (d *Demand) setText(text string) string {
	d.Property = text
	return "property"
}

// OfSources reports whether a pair counts by its source alone.
func (d *Demand) OfSources() bool { return d.Of == demandOfSources }

// ChoosesPairs reports whether not all pairs of nodes count alike.
func (m *Measure) ChoosesPairs() bool {
	return m.Sources != nil || m.WeighsPairs()
}

// WeighsPairs reports whether not all pairs of the sources count alike.
func (m *Measure) WeighsPairs() bool { return m.Targets != nil || m.Within != nil || m.Demand != nil }

// checkPairs checks which pairs of nodes count, and how much.
func (d *decoder) checkPairs(m *Measure, spec kernels.Measure, job *Job, path string) {
	if !m.ChoosesPairs() {
		return
	}
	d.checkNodeSet(m.Sources, path+".sources")
	switch {
	case spec.Kind.Restarts():
		d.refusePairs(spec, path, "targets", "within")
		if m.Demand != nil && !m.Demand.OfSources() && !d.failed[path+".demand"] {
			d.mistake(path+".demand", spec.Name+" has sources alone", "write of: sources")
		}
		return
	case !spec.BySource:
		d.refusePairs(spec, path, "sources", "targets", "within", "demand")
		return
	}
	d.checkNodeSet(m.Targets, path+".targets")
	if m.Within != nil && !d.failed[path+".within"] {
		d.checkRange(m, &job.Graph, path+".within")
	}
	if job.Compute.Adaptive > 0 && spec.Kind == kernels.Dependencies {
		d.mistake(path, "compute.adaptive counts all pairs of nodes",
			"remove sources, targets, within and demand, or compute.adaptive")
	}
	d.checkCounts(m, spec, path)
}

// refusePairs finds keys of a measure that have no meaning for it.
func (d *decoder) refusePairs(spec kernels.Measure, path string, keys ...string) {
	for _, key := range keys {
		if _, given := d.at[path+"."+key]; given {
			d.mistake(path+"."+key, spec.Name+" is not a sum over pairs of nodes", "remove it")
		}
	}
}

func (d *decoder) checkNodeSet(s *NodeSet, path string) {
	if s == nil || d.failed[path] {
		return
	}
	nodes, query := path+".nodes", path+".query"
	switch {
	case len(s.Nodes) > 0 && s.Query != "":
		d.mistake(query, "nodes is set too", "keep one of nodes and query")
	case len(s.Nodes) == 0 && strings.TrimSpace(s.Query) == "" && !d.failed[nodes] && !d.failed[query]:
		d.mistake(path, "neither nodes nor query says which nodes are in the set", "such as {nodes: [Port]}")
	case len(s.Where) > 0 && s.Query != "":
		d.mistake(path+".where", "it goes with nodes, and query is set", "put the condition into the query")
	}
	d.checkConditions(s.Where, path+".where")
}

// weights are the names of the weights that the graph names; weight, if it names none.
func (g *Graph) weights() []string {
	var names []string
	for _, r := range g.Relationships {
		if r.Weight.Property != "" && !slices.Contains(names, r.Weight.Property) {
			names = append(names, r.Weight.Property)
		}
	}
	if len(names) == 0 {
		return []string{"weight"}
	}
	return names
}

// checkCounts finds options that a demand does not go with.
func (d *decoder) checkCounts(m *Measure, spec kernels.Measure, path string) {
	if m.Demand == nil || d.failed[path+".demand"] {
		return
	}
	demand := &kernels.Demand{Sources: []float64{1}}
	if !m.Demand.OfSources() {
		demand.Targets = demand.Sources
	}
	r := kernels.Request{Params: m.Params, Nodes: true, Edges: m.Relationships != "",
		Pairs: &kernels.Pairs{Demand: demand}}
	if err := spec.CheckPairs(r); err != nil {
		d.mistake(path+".demand", err.Error(), "")
	}
}
