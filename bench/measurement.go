package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/kernels"
)

// measurement is one case under one strategy.
type measurement struct {
	Case
	suite     string
	strategy  string
	precision string
	graph     Graph
}

// onCPU says whether the strategy is the CPU.
func (m *measurement) onCPU() bool { return m.strategy == CPU || m.strategy == CPUSingle }

// samples reports whether the scores of a sample are to be compared with exact ones.
func (m *measurement) samples() bool { return m.Share > 0 || m.Error > 0 }

// measurements lists everything to measure.
func (s Suite) measurements() ([]measurement, error) {
	var out []measurement
	for _, c := range s.Cases {
		g, err := ParseGraph(c.Graph)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		if _, ok := kernels.Lookup(c.Measure); !ok {
			return nil, fmt.Errorf("suite %s: unknown measure %q", s.Name, c.Measure)
		}
		if c.Weighted && g.Weights == Unweighted {
			return nil, fmt.Errorf("suite %s: graph %s has no weights; add +own, +w10 or +real to its name", s.Name, g.Name)
		}
		for _, strategy := range expand(c) {
			if err := checkStrategy(c, strategy); err != nil {
				return nil, fmt.Errorf("suite %s: %w", s.Name, err)
			}
			precisions := s.Precisions
			if strategy == CPU || strategy == CPUSingle {
				precisions = []string{Double}
			}
			for _, precision := range precisions {
				out = append(out, measurement{c, s.Name, strategy, precision, g})
			}
		}
	}
	return out, nil
}

// byGraph groups measurements by round and graph, the rounds in their order, the graphs of each in the order in which
// they come.
func byGraph(all []measurement) [][]measurement {
	type place struct {
		round int
		graph string
	}
	var groups [][]measurement
	at := map[place]int{}
	for _, m := range all {
		i, seen := at[place{m.Round, m.Graph}]
		if !seen {
			i = len(groups)
			at[place{m.Round, m.Graph}], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], m)
	}
	slices.SortStableFunc(groups, func(a, b []measurement) int { return cmp.Compare(a[0].Round, b[0].Round) })
	return groups
}

// rivals splits a group into sets that are measured together, in the order in which they come: the strategies for the
// same sources, drawn at random, and each other measurement alone.
func rivals(group []measurement) [][]measurement {
	type contest struct {
		question
		drawn     int
		precision string
	}
	var sets [][]measurement
	at := map[contest]int{}
	for _, m := range group {
		c := contest{m.question(), m.Drawn, m.precision}
		i, seen := at[c]
		if !seen || m.Drawn == 0 || m.samples() {
			i = len(sets)
			at[c], sets = i, append(sets, nil)
		}
		sets[i] = append(sets[i], m)
	}
	return sets
}

func expand(c Case) []string {
	if slices.Equal(c.Strategies, []string{all}) {
		return append(measureStrategies(c), "auto")
	}
	return c.Strategies
}

func checkStrategy(c Case, strategy string) error {
	known := append([]string{CPU, CPUSingle, "auto"}, measureStrategies(c)...)
	if !slices.Contains(known, strategy) {
		return fmt.Errorf("%s has no strategy %q; it has %s", c.Measure, strategy, strings.Join(known, ", "))
	}
	return nil
}

// record returns the record of a measurement before anything is known of its result.
func (m *measurement) record() Record {
	r := Record{
		Suite: m.suite, Graph: m.Graph, Measure: m.Measure, Radius: m.Radius, Weighted: m.Weighted,
		EdgeScores: m.EdgeScores, Bucket: m.Bucket, Drawn: m.Drawn, Strategy: m.strategy, Precision: m.precision,
	}
	switch {
	case m.Error > 0:
		r.Bounded = &Bounded{Asked: m.Error}
	case m.Share > 0:
		r.Sampling = &Sampling{Share: m.Share, C: m.Adaptive}
	}
	return r
}

// batch is the number of sources that a sample of sources is made of. The threads of a CPU search from one source each.
func (m *measurement) batch() int {
	switch m.strategy {
	case CPU:
		return 4 * runtime.GOMAXPROCS(0)
	case CPUSingle:
		return 4
	}
	if _, folds := kernels.FoldOf(m.Measure); folds && !m.Weighted {
		return foldBatch
	}
	return deviceBatch
}

func (m *measurement) question() question {
	q := question{m.Measure, -1, m.Weighted, m.EdgeScores, m.Sources}
	if m.Radius != nil {
		q.radius = *m.Radius
	}
	return q
}

// request asks for the scores of a measurement, from all sources. Graphs are reduced for auto and chains, and where the
// case says so: the rates of other strategies are of whole searches.
func (m *measurement) request() kernels.Request {
	r := kernels.Request{Params: kernels.Params{Weighted: m.Weighted, Radius: m.Radius}, Nodes: true, Edges: m.EdgeScores,
		Reduce: kernels.ReduceOff}
	if m.strategy == "auto" || m.strategy == kernels.Chains || m.Reduced && m.onCPU() {
		r.Reduce = kernels.ReduceAuto
	}
	if m.strategy == CPUSingle {
		r.Threads = 1
	}
	return r
}
