package config

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/kernels"
)

// asStrength marks a weight whose length is 1 over it.
const asStrength = "strength"

// setText lets a weight be written as its property alone.
func (w *Weight) setText(text string) string {
	w.Property = text
	return "property"
}

// Strength reports whether the length of a relationship is 1 over its weight.
func (w Weight) Strength() bool { return w.As == asStrength }

// MarshalJSON writes a length as its property alone.
func (w Weight) MarshalJSON() ([]byte, error) {
	if !w.Strength() {
		return json.Marshal(w.Property)
	}
	type keys Weight
	return json.Marshal(keys(w))
}

// checkStrengths finds what has no meaning for strengths.
func (d *decoder) checkStrengths(job *Job, path string) {
	g := &job.Graph
	i := slices.IndexFunc(g.Relationships, func(r Relationship) bool { return r.Weight.Strength() })
	if i < 0 {
		return
	}
	property := g.Relationships[i].Weight.Property
	if g.ZeroWeights == "epsilon" && !d.failed[path+".graph.zeroWeights"] {
		d.mistake(path+".graph.zeroWeights",
			fmt.Sprintf("epsilon makes a connection of a strength %s of 0, which is none", property),
			"write zeroWeights: skip, or refuse")
	}
	for k, m := range job.Measures {
		spec, ok := kernels.Lookup(m.Measure)
		if ok && (m.Weighted && spec.Kind.Strengths() ||
			spec.Weights == kernels.RequiredWeights && spec.Kind == kernels.Degrees) {
			d.mistake(fmt.Sprintf("%s.measures[%d].measure", path, k),
				fmt.Sprintf("%s reads strengths, and as: strength makes lengths of %s", m.Measure, property),
				"move it to a job of its own with weight: "+property)
		}
	}
}

// defaultWeighted makes a measure of lengths follow the weight that the graph names, unless the measure says otherwise.
// It used to count hops, so a measure that says neither gets a warning.
func (d *decoder) defaultWeighted(m *Measure, spec kernels.Measure, g *Graph, path string) {
	if _, given := d.at[path+".weighted"]; given || spec.Weights != kernels.OptionalWeights || spec.Kind.Strengths() {
		return // a weight is a length, unless it is said that it is a strength
	}
	weight := g.namedWeight()
	if weight == "" {
		return
	}
	m.Weighted = true
	d.warn(path, fmt.Sprintf("%s follows %s; earlier versions counted hops here", spec.Name, weight),
		"write weighted: true to keep the weight, or weighted: false to count hops")
}

// namedWeight describes the weight that the graph names; it returns "" if the graph names none.
func (g *Graph) namedWeight() string {
	if namesWeight(g.RelationshipQuery) {
		return "the weights of relationshipQuery"
	}
	var named, plain []string
	for _, r := range g.Relationships {
		quoted := fmt.Sprintf("%q", r.Weight.Property)
		if r.Weight.Strength() {
			quoted = "1/" + quoted
		}
		switch {
		case r.Weight.Property == "" && r.Parallel != "count":
			plain = append(plain, r.Type)
		case r.Weight.Property != "" && !slices.Contains(named, quoted):
			named = append(named, quoted)
		}
	}
	var text string
	switch len(named) {
	case 0:
		return ""
	case 1:
		text = "the weight " + named[0]
	default:
		text = "the weights " + and(named)
	}
	if len(plain) > 0 {
		text += fmt.Sprintf(", and relationships of type %s weigh 1", and(plain))
	}
	return text
}

// and joins words as English does.
func and(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

var (
	returnClause = regexp.MustCompile(`(?is)\bRETURN\b`)
	afterReturn  = regexp.MustCompile(`(?is)\b(ORDER\s+BY|SKIP|LIMIT|UNION)\b.*`)
	weightColumn = regexp.MustCompile("(?:^|[\\s,])`?weight`?\\s*(?:,|;|$)")
	weightAlias  = regexp.MustCompile("(?i:\\bAS)\\s+`?weight\\b")
)

// namesWeight reports whether a query returns a column weight, as far as its text shows. A run knows from the server,
// and fails if there are no weights for a measure that needs them.
func namesWeight(query string) bool {
	found := returnClause.FindAllStringIndex(query, -1)
	if found == nil {
		return false
	}
	columns := afterReturn.ReplaceAllString(query[found[len(found)-1][1]:], "")
	if strings.HasPrefix(strings.TrimSpace(columns), "*") {
		return weightAlias.MatchString(query)
	}
	return weightColumn.MatchString(columns)
}
