package serve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

// definition is what a job computes, in words.
type definition struct {
	Nodes         string
	Relationships []string
	Measures      []string
	// Queries are those that select the graph, each with what it selects.
	Queries []query
}

// query is a statement in Cypher with what it is for.
type query struct{ What, Cypher string }

func define(j config.Job) definition {
	d := definition{Nodes: nodesInWords(j.Graph)}
	if q := j.Graph.NodeQuery; q != "" {
		d.Queries = append(d.Queries, query{"Selects the nodes", q})
	}
	if q := j.Graph.RelationshipQuery; q != "" {
		d.Relationships = append(d.Relationships,
			"those of a query, "+direction(j.Graph.Orientation)+parallel(j.Graph.Parallel))
		d.Queries = append(d.Queries, query{"Selects the relationships", q})
	}
	for _, r := range j.Graph.Relationships {
		d.Relationships = append(d.Relationships, relationshipInWords(r))
	}
	for _, m := range j.Measures {
		d.Measures = append(d.Measures, measureInWords(m))
	}
	switch s := j.Compute.Sample; {
	case s.Error > 0:
		d.Measures = append(d.Measures,
			fmt.Sprintf("betweenness estimated to within %v of all pairs, with confidence %v", s.Error, s.Confidence))
	case s.Top > 0:
		d.Measures = append(d.Measures,
			fmt.Sprintf("betweenness estimated until the best %d are told from the others, with confidence %v", s.Top,
				s.Confidence))
	case s.Sources > 0:
		d.Measures = append(d.Measures, "estimated from "+grouped(int64(s.Sources))+" source nodes")
	}
	return d
}

func nodesInWords(g config.Graph) string {
	text := strings.Join(g.Nodes, " or ")
	switch {
	case g.NodeQuery != "":
		text = "those of a query"
	case slices.Contains(g.Nodes, config.AllLabels):
		text = "all"
	}
	return text + where(g.Where)
}

// weightInWords is what paths add up.
func weightInWords(w config.Weight) string {
	if w.Strength() {
		return "1/" + w.Property
	}
	return w.Property
}

func relationshipInWords(r config.Relationship) string {
	text := r.Type + ", " + direction(r.Orientation)
	if r.Weight.Property != "" {
		text += ", weighted by " + weightInWords(r.Weight)
	}
	return text + parallel(r.Parallel) + where(r.Where)
}

func direction(orientation string) string {
	switch orientation {
	case "undirected":
		return "both ways"
	case "reverse":
		return "turned round"
	}
	return "as directed"
}

func parallel(how string) string {
	if how == "" || how == "keep" {
		return ""
	}
	return ", parallel ones as one (" + how + ")"
}

func where(all []config.Condition) string {
	words := make([]string, 0, len(all))
	for _, c := range all {
		text := c.Property + " " + c.Is
		if c.Value != nil {
			text += fmt.Sprintf(" %v", c.Value)
		}
		words = append(words, text)
	}
	if len(words) == 0 {
		return ""
	}
	return ", where " + strings.Join(words, " and ")
}

func measureInWords(m config.Measure) string {
	var to []string
	if m.Nodes != "" {
		to = append(to, "nodes: "+m.Nodes)
	}
	if m.Relationships != "" {
		to = append(to, "relationships: "+m.Relationships)
	}
	text := m.Measure
	if m.Weighted {
		text = "weighted " + text
	}
	return text + " (" + strings.Join(to, ", ") + ")"
}

// brief is a job's definition in a line for each of measures and graph.
func brief(j config.Job) (measures, graph string) {
	var names []string
	for _, m := range j.Measures {
		if !slices.Contains(names, m.Measure) {
			names = append(names, m.Measure)
		}
	}
	types := make([]string, 0, len(j.Graph.Relationships))
	for _, r := range j.Graph.Relationships {
		text := r.Type
		if r.Weight.Property != "" {
			text += " (by " + weightInWords(r.Weight) + ")"
		}
		types = append(types, text)
	}
	graph = "nodes " + nodesInWords(j.Graph) + ", relationships "
	if len(types) == 0 {
		return strings.Join(names, ", "), graph + "of a query"
	}
	return strings.Join(names, ", "), graph + strings.Join(types, ", ")
}

// readers are the statements that read the scores of a job.
func readers(j config.Job) []query {
	nodes, relationships := jobs.Properties(j)
	r := neo4j.ReadersOf(j.Name, connector.Mode(j.Write.Mode), jobs.Projection(j.Graph), nodes, relationships)
	var out []query
	for _, q := range []query{
		{"Read the scores of nodes", r.Nodes}, {"Read the scores of relationships", r.Relationships},
		{"Read relationships with their ends, of the same run", r.Both},
	} {
		if q.Cypher != "" {
			out = append(out, q)
		}
	}
	return out
}
