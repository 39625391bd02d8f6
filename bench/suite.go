package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Strategies that are not those of a device: the CPU on all threads, and on one.
const (
	CPU       = "cpu"
	CPUSingle = "cpu-1"
)

// all stands for every strategy that the measure has, and auto.
const all = "all"

// Case is one graph and measure with the strategies to compare.
type Case struct {
	Graph    string
	Measure  string
	Radius   *int
	Weighted bool
	// EdgeScores asks for edge scores besides those of nodes.
	EdgeScores bool
	// Bucket is engine.Task.Bucket.
	Bucket float64
	// Profile is engine.Task.Profile: where the time went is recorded as well, of kernels that count, which makes them
	// slower.
	Profile bool
	// Reduced lets the CPU reduce the graph where that pays, as it does in a job; auto always may.
	Reduced bool
	// Sources fixes their number; 0 for the rule of Timing.
	Sources int
	// Drawn takes so many sources at random, all of which are searched from, and charges all of the preparation to them.
	Drawn      int
	Strategies []string
	// Against is a measure whose node scores those of the case are compared with.
	Against string
	// Share is the share of the nodes that a sample may search from, whose scores are compared with exact ones; Adaptive
	// is C of adaptive.Sample, 0 for a plain sample.
	Share, Adaptive float64
	// Error is the error that a sample with a bound is asked for, whose scores and time are compared with exact ones.
	Error float64
	// Round is 0 for what is most wanted of a suite: cases of a lower round are measured first, of all graphs.
	Round int
}

// Suite is a list of cases under one name.
type Suite struct {
	Name string
	// About is one line: which table or figure it repeats.
	About string
	// Precisions of the device to measure with, each; the CPU knows double only.
	Precisions []string
	Cases      []Case
}

// Suites lists every suite.
func Suites() []Suite {
	return []Suite{
		goalsSuite(), autoSuite(), closenessSuite(), profileSuite(), volumesSuite(), ranksSuite(), trianglesSuite(),
		smallSuite(), unweightedSuite(), edgeSuite(), weightedSuite(), spreadSuite(), bucketSuite(), scalingSuite(),
		sriramTable1(), cabralTables(), mclaughlinTable3(), mclaughlinFigure5(), fanTables(), jiaTables(), samplesSuite(),
		randomSources(), volumeCloseness(), sriramSampling(), boundsSuite(),
	}
}

// FindSuite returns the suite of this name.
func FindSuite(name string) (Suite, error) {
	var names []string
	for _, s := range Suites() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Suite{}, fmt.Errorf("no suite %q; there are %s", name, strings.Join(names, ", "))
}

// NewSuite returns a suite outside of the list, named own, of one case on these graphs. Without precisions it is
// the default one.
func NewSuite(graphs []string, c Case, strategies, precisions []string) (Suite, error) {
	if len(graphs) == 0 {
		return Suite{}, errors.New("neither a suite nor graphs are named")
	}
	s := Suite{Name: "own", About: "Measurements outside of the suites.", Precisions: []string{kernels.DefaultPrecision}}
	for _, g := range graphs {
		c.Graph, c.Strategies = g, strategies
		s.Cases = append(s.Cases, c)
	}
	return s.withPrecisions(precisions)
}

func (s Suite) withPrecisions(precisions []string) (Suite, error) {
	for _, p := range precisions {
		if p != Single && p != Double {
			return s, fmt.Errorf("precision %q; it is double or single", p)
		}
	}
	if len(precisions) > 0 {
		s.Precisions = precisions
	}
	_, err := s.measurements()
	return s, err
}

// Select narrows the suite to these graphs and strategies and measures in these precisions, each list empty for no
// change. A graph or strategy that the suite does not have is an error.
func (s Suite) Select(graphs, strategies, precisions []string) (Suite, error) {
	known := map[string]bool{all: true} // graphs and strategies, whose names differ
	var cases []Case
	for _, c := range s.Cases {
		known[c.Graph] = true
		if len(graphs) > 0 && !slices.Contains(graphs, c.Graph) {
			continue
		}
		if len(strategies) > 0 && !slices.Equal(strategies, []string{all}) {
			c.Strategies = keepStrategies(c, strategies)
		}
		for _, strategy := range c.Strategies {
			known[strategy] = true
		}
		if len(c.Strategies) > 0 {
			cases = append(cases, c)
		}
	}
	for _, g := range graphs {
		if !known[g] {
			return s, fmt.Errorf("suite %s has no graph %q", s.Name, g)
		}
	}
	for _, strategy := range strategies {
		if !known[strategy] {
			return s, fmt.Errorf("suite %s has no strategy %q on these graphs", s.Name, strategy)
		}
	}
	s.Cases = cases
	return s.withPrecisions(precisions)
}

// keepStrategies returns those wanted that the case has, all of them where it names all.
func keepStrategies(c Case, wanted []string) []string {
	has := c.Strategies
	if slices.Equal(has, []string{all}) {
		has = append(append([]string{"auto"}, measureStrategies(c)...), CPU, CPUSingle)
	}
	var out []string
	for _, w := range wanted {
		if slices.Contains(has, w) {
			out = append(out, w)
		}
	}
	return out
}

// measureStrategies are those that --strategy of linchpin takes besides auto: of the papers, engines by name, and
// chains.
func measureStrategies(c Case) []string {
	m, _ := kernels.Lookup(c.Measure)
	return m.StrategiesFor(c.Weighted)
}

// engines are the engines that compute the case, by their own names, and chains where all nodes are sources.
func (c Case) engines() []string {
	return slices.DeleteFunc(measureStrategies(c), func(name string) bool {
		return kernels.OfPapers(name) || name == batched || name == kernels.Chains && c.Drawn > 0
	})
}
