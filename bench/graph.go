// Package bench measures linchpin on the graphs of the literature: it checks each strategy against the CPU's exact
// scores, times it, and appends one JSON line a measurement. Package bench/report turns the lines into tables and
// pictures.
package bench

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/export/generate"
)

// Weights says where the weights of a graph come from.
type Weights string

// A graph has no weights; its own; or seeded ones: whole numbers drawn from 1 to a bound, or reals from (0, 1].
const (
	Unweighted      Weights = ""
	OwnWeights      Weights = "own"
	OneWeights      Weights = "w1"
	IntWeights      Weights = "w10"
	ThousandWeights Weights = "w1e3"
	MillionWeights  Weights = "w1e6"
	RealWeights     Weights = "real"
)

// seeded is how the generator calls weights that are drawn.
func (w Weights) seeded() (generate.Weights, bool) {
	kind, ok := map[Weights]generate.Weights{
		OneWeights: generate.OneWeights, IntWeights: generate.IntegerWeights, ThousandWeights: generate.ThousandWeights,
		MillionWeights: generate.MillionWeights, RealWeights: generate.RealWeights,
	}[w]
	return kind, ok
}

// Graph is one graph of the benchmarks.
type Graph struct {
	// Name is how the command line and the records call it; ParseGraph reads it.
	Name string
	// Base is the name without its weights: graphs of one base differ by weights only.
	Base    string
	Weights Weights
	// Recipe makes the graph; nil when it is read from the data folder.
	Recipe *generate.Spec
}

// dataGraphs are the graphs that are read from files. Each is taken undirected, without self-loops, parallel edges
// merged to the one of the least weight.
func dataGraphs() []dataGraph {
	return []dataGraph{
		{"luxembourg_osm", false}, {"as-caida20071105", false}, {"road-LosAngeles", true}, {"caidaRouterLevel", false},
		{"web-NotreDame", false}, {"cnr-2000", false}, {"email-Enron-lcc", false}, {"facebook_combined", false},
		{"air-routes", true}, {"higgs-mention", true}, {"delaunay_n16", false}, {"rgg_n_2_15_s0", false},
		{"cit-HepTh", false}, {"breast_coexpress", false}, {"ca-GrQc-lcc", false}, {"wiki-Vote", false}, {"power", false},
		{"karate", false}, {"delaunay_n13", false},
	}
}

type dataGraph struct {
	name     string
	weighted bool
}

// anyData begins the name of a graph of the data folder that is not among dataGraphs.
const anyData = "data:"

// ParseGraph returns the graph of this name: a graph of the data folder or a generated one (see GraphForms), then +w10,
// +w1, +w1e3, +w1e6 or +real for seeded weights, or +own for the weights of the file.
func ParseGraph(name string) (Graph, error) {
	base, suffix, _ := strings.Cut(name, "+")
	base, named := strings.CutPrefix(base, anyData)
	g := Graph{Name: name, Base: base, Weights: Weights(suffix)}
	if _, ok := g.Weights.seeded(); !ok && g.Weights != Unweighted && g.Weights != OwnWeights {
		return g, fmt.Errorf("graph %q: weights %q; they are own, w10, w1, w1e3, w1e6 or real", name, suffix)
	}
	if named {
		if base == "" || filepath.Base(base) != base {
			return g, fmt.Errorf("graph %q: %s is to be followed by the name of a graph of the data folder", name, anyData)
		}
		return g, nil
	}
	i := slices.IndexFunc(dataGraphs(), func(d dataGraph) bool { return d.name == base })
	if i < 0 {
		recipe, err := parseRecipe(base)
		if err != nil {
			return g, fmt.Errorf("graph %q: %w", name, err)
		}
		g.Recipe = recipe
	}
	if g.Weights == OwnWeights && (i < 0 || !dataGraphs()[i].weighted) {
		return g, fmt.Errorf("graph %q has no weights of its own; use +w10 or +real", name)
	}
	return g, nil
}

// ParseGraphs reads a list of names.
func ParseGraphs(names []string) ([]Graph, error) {
	out := make([]Graph, len(names))
	for i, name := range names {
		g, err := ParseGraph(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		out[i] = g
	}
	return out, nil
}

// GraphForms lists the names that ParseGraph reads: graphs of the data folder, any other there, then the forms of
// generated ones, in which a capital stands for a number.
func GraphForms() []string {
	var out []string
	for _, d := range dataGraphs() {
		out = append(out, d.name)
	}
	out = append(out, anyData+"NAME")
	for _, r := range rules() {
		out = append(out, r.form)
	}
	return out
}
