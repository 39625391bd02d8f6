package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/bench"
)

// widthShare is what the rate at the strategy's own width is to reach of the best by hand, closenessTimes that of
// closeness over betweenness.
const (
	widthShare     = 0.85
	closenessTimes = 2
)

// widths lists those of the records, ascending, but for the strategy's own.
func (s *results) widths() (out []string) {
	var values []float64
	for _, r := range s.records {
		if r.Bucket > 0 && !slices.Contains(values, r.Bucket) {
			values = append(values, r.Bucket)
		}
	}
	slices.Sort(values)
	for _, x := range values {
		out = append(out, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return out
}

// rateAt is the rate of betweenness of nodes by buckets of a width, "" for the strategy's own.
func (s *results) rateAt(graph, precision, width string) float64 {
	bucket, _ := strconv.ParseFloat(width, 64) // as widths wrote it
	return s.rate(query{graph: graph, measure: "betweenness", strategy: "batched", precision: precision, bucket: bucket})
}

// bucketCurves shows the rate against the width of buckets, and in dashes that of the strategy's own.
func bucketCurves(s *results) *curves {
	c := &curves{panels: s.graphs(), points: s.widths(), axis: "width",
		value: func(graph, width string, of curve) float64 {
			if of.own {
				width = ""
			}
			return s.rateAt(graph, of.key, width)
		}}
	for _, precision := range s.precisions() {
		c.lines = append(c.lines, curve{precision, precision, false}, curve{precision + ", own width", precision, true})
	}
	c.measuredPanels()
	return c
}

// buckets writes the rates at each width, and what edge scores and closeness take at the strategy's own.
func buckets(p *page, s *results) {
	p.paragraph("Widths of buckets are multiples of the mean weight over the mean degree; own is the strategy's. Wanted "+
		"are %gx the best rate by hand, "+
		"edge scores for %gx the time of node scores alone, and closeness at %gx the rate of betweenness.", widthShare,
		edgeLimit, float64(closenessTimes))
	widths := s.widths()
	for _, precision := range s.precisions() {
		p.section("GTEPS by width, " + precision + " precision")
		var rows [][]string
		var over []float64
		for _, g := range s.graphs() {
			own, best := s.rateAt(g, precision, ""), 0.0
			row := []string{g, number(own)}
			for _, width := range widths {
				rate := s.rateAt(g, precision, width)
				best = max(best, rate)
				row = append(row, number(rate))
			}
			over = append(over, quotient(own, best))
			rows = append(rows, append(row, times(quotient(own, best))))
		}
		p.paragraph("%s", asWanted(over, widthShare))
		p.table(append(append([]string{"graph", "own"}, widths...), "own over the best"), rows)
	}
	for _, precision := range s.precisions() {
		p.section("Edge scores and closeness, " + precision + " precision")
		var rows [][]string
		for _, g := range s.graphs() {
			q := query{graph: g, measure: "betweenness", strategy: "batched", precision: precision}
			nodes, cost := s.rate(q), s.edgeCost(q)
			q.measure = "closeness"
			rows = append(rows, []string{g, number(nodes), times(cost), number(s.rate(q)), times(quotient(s.rate(q), nodes))})
		}
		p.table([]string{"graph", "betweenness, GTEPS", "time with edge scores", "closeness, GTEPS", "over betweenness"},
			rows)
	}
	problems(p, s)
}

// spread names a kind of weights by what they are drawn from.
func spread(w string) string {
	switch bench.Weights(w) {
	case bench.OneWeights:
		return "1"
	case bench.IntWeights:
		return "1..10"
	case bench.ThousandWeights:
		return "1..1e3"
	case bench.MillionWeights:
		return "1..1e6"
	case bench.RealWeights:
		return "reals"
	}
	return w
}

// spreadsOf lists the graphs without their weights, and the weights that there are, both in order of appearance.
func spreadsOf(s *results) (graphs, weights []string) {
	graphs = s.distinct(func(r bench.Record) string { base, _, _ := strings.Cut(r.Graph, "+"); return base })
	weights = s.distinct(func(r bench.Record) string { _, w, _ := strings.Cut(r.Graph, "+"); return w })
	return graphs, weights
}

// spreadCurves shows the rate against the spread of weights.
func spreadCurves(s *results) *curves {
	graphs, weights := spreadsOf(s)
	names := map[string]string{}
	c := &curves{panels: graphs, axis: "weights", value: func(graph, point string, of curve) float64 {
		return s.rate(query{graph: graph + "+" + names[point], strategy: of.key, precision: s.precisions()[0]})
	}}
	for _, w := range weights {
		name := spread(w)
		names[name], c.points = w, append(c.points, name)
	}
	for _, strategy := range s.strategies() {
		c.lines = append(c.lines, curve{strategy, strategy, false})
	}
	c.measuredPanels()
	return c
}

// spreads writes the rates by the spread of weights.
func spreads(p *page, s *results) {
	graphs, weights := spreadsOf(s)
	header := []string{"graph", "strategy"}
	for _, w := range weights {
		header = append(header, spread(w))
	}
	for _, precision := range s.precisions() {
		p.section(fmt.Sprintf("GTEPS by the weights, %s precision", precision))
		var rows [][]string
		for _, g := range graphs {
			for _, strategy := range s.strategies() {
				row := []string{g, strategy}
				for _, w := range weights {
					row = append(row, number(s.rate(query{graph: g + "+" + w, strategy: strategy, precision: precision})))
				}
				rows = append(rows, row)
			}
		}
		p.table(header, rows)
	}
	problems(p, s)
}
