package main

import (
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/internal/report"
	"github.com/linchpin-graph/linchpin/kernels"
)

// measuresOf lists what a job computes.
func measuresOf(job config.Job) []report.Measure {
	var out []report.Measure
	for _, m := range job.Measures {
		spec, ok := kernels.Lookup(m.Measure)
		if !ok {
			continue // not reached: the config is checked
		}
		out = append(out, report.Measure{
			Measure: spec, Params: m.Params, Nodes: m.Nodes, Relationships: m.Relationships,
			Sampled: int64(job.Compute.Sample.Sources), Seed: job.Compute.Seed,
		})
	}
	return out
}

// selectionOf says which part of the database a job's graph is.
func selectionOf(job config.Job) []report.Fact {
	g := job.Graph
	var out []report.Fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, report.Fact{Name: name, Value: value})
		}
	}
	add("Nodes", strings.Join(g.Nodes, ", "))
	add("Nodes", g.NodeQuery)
	add("Only nodes", conditionText(g.Where))
	for _, r := range g.Relationships {
		text := fmt.Sprintf("%s, %s", r.Type, r.Orientation)
		if r.Weight.Property != "" {
			text += ", weight " + r.Weight.Property
			if r.Weight.Strength() {
				text += " (a strength; its length is 1 over it)"
			}
		}
		if r.Parallel != "" && r.Parallel != "keep" {
			text += ", parallel: " + r.Parallel
		}
		if where := conditionText(r.Where); where != "" {
			text += ", only " + where
		}
		add("Relationships", text)
	}
	add("Relationships", g.RelationshipQuery)
	if g.ZeroWeights != "" && weighs(g) {
		add("Weights of 0", g.ZeroWeights)
	}
	return out
}

func weighs(g config.Graph) bool {
	for _, r := range g.Relationships {
		if r.Weight.Property != "" {
			return true
		}
	}
	return g.RelationshipQuery != ""
}

func conditionText(all []config.Condition) string {
	var out []string
	for _, c := range all {
		text := c.Property + " " + c.Is
		if c.Value != nil {
			text += fmt.Sprintf(" %v", c.Value)
		}
		out = append(out, text)
	}
	return strings.Join(out, " and ")
}
