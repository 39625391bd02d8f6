package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/internal/picture"
)

// papers are what to cite for each measure.
var papers = map[string][]string{
	"betweenness": {
		"L. C. Freeman: A set of measures of centrality based on betweenness. Sociometry 40 (1977), 35–41.",
		"U. Brandes: A faster algorithm for betweenness centrality. Journal of Mathematical Sociology 25 (2001), 163–177.",
		"U. Brandes: On variants of shortest-path betweenness centrality and their generic computation. Social Networks 30 (2008), 136–145.",
	},
	"stress": {
		"A. Shimbel: Structural parameters of communication networks. Bulletin of Mathematical Biophysics 15 (1953), 501–507.",
		"U. Brandes: On variants of shortest-path betweenness centrality and their generic computation. Social Networks 30 (2008), 136–145.",
	},
	"closeness": {
		"G. Sabidussi: The centrality index of a graph. Psychometrika 31 (1966), 581–603.",
		"S. Wasserman, K. Faust: Social Network Analysis: Methods and Applications. Cambridge University Press, 1994.",
	},
	"harmonic": {
		"M. Marchiori, V. Latora: Harmony in the small-world. Physica A 285 (2000), 539–546.",
		"P. Boldi, S. Vigna: Axioms for centrality. Internet Mathematics 10 (2014), 222–262.",
	},
	"graph":        {"P. Hage, F. Harary: Eccentricity and centrality in networks. Social Networks 17 (1995), 57–63."},
	"eccentricity": {"P. Hage, F. Harary: Eccentricity and centrality in networks. Social Networks 17 (1995), 57–63."},
	"degree":       {"L. C. Freeman: Centrality in social networks: conceptual clarification. Social Networks 1 (1979), 215–239."},
	"strength": {
		"A. Barrat, M. Barthélemy, R. Pastor-Satorras, A. Vespignani: The architecture of complex weighted networks. PNAS 101 (2004), 3747–3752.",
	},
}

// ofSamples is what to cite for estimates from drawn source nodes.
const ofSamples = "U. Brandes, C. Pich: Centrality estimation in large networks. International Journal of Bifurcation and Chaos 17 (2007), 2303–2318." //nolint:misspell // Pich is a name

// references are the papers of all measures, each once.
func references(r Report) []string {
	var out []string
	for _, m := range r.Measures {
		all := papers[m.Name]
		if m.Sampled > 0 && m.BySource {
			all = append(slices.Clip(all), ofSamples)
		}
		for _, p := range all {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// methods are sentences that a paper can take over.
func methods(r Report) []string {
	run := r.Run
	names := make([]string, 0, len(r.Measures))
	for _, m := range r.Measures {
		names = append(names, m.describe())
	}
	out := []string{fmt.Sprintf("The graph has %s nodes and %s edges (%s relationships, digest %s).",
		picture.Count(run.Nodes), picture.Count(run.Edges), picture.Count(run.Relationships), short(run.Graph))}
	if len(names) > 0 {
		out = append(out, fmt.Sprintf("We computed %s with linchpin %s on %s.", list(names), run.Version, run.Device))
	}
	var reduced []string
	for _, x := range run.Reductions {
		if len(x.Taken) > 0 {
			reduced = append(reduced, x.Taken...)
		}
	}
	slices.Sort(reduced)
	if reduced = slices.Compact(reduced); len(reduced) > 0 {
		out = append(out, fmt.Sprintf("Exact reductions (%s) came first; they do not change the scores.",
			strings.Join(reduced, ", ")))
	}
	if run.Ties != "" {
		out = append(out, fmt.Sprintf("Path lengths were compared as follows: %s.", run.Ties))
	}
	return out
}

// describe is the measure in a sentence of a paper.
func (m Measure) describe() string {
	text := m.Name + " centrality"
	if m.Weighted {
		text = "weighted " + text
	}
	switch {
	case m.Nodes != "" && m.Relationships != "":
		text += " of nodes and relationships"
	case m.Relationships != "":
		text += " of relationships"
	}
	if m.Sampled > 0 && m.BySource {
		return fmt.Sprintf("%s (estimated from %s source nodes, seed %d)", text, picture.Count(m.Sampled), m.Seed)
	}
	return text + " (exact)"
}

func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func short(digest string) string { return digest[:min(len(digest), 16)] }
