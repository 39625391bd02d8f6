package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/bench"
)

// rates writes the table of all strategies on all graphs, in GTEPS, one for each measure and precision, with what other
// programs reached beside it.
func rates(p *page, s *results) {
	for _, part := range s.byMeasure() {
		for _, precision := range part.precisions() {
			ratesOf(p, part, precision)
		}
	}
}

func ratesOf(p *page, s *results, precision string) {
	p.section(fmt.Sprintf("%s: all strategies, %s precision, GTEPS", s.measure, precision))
	p.paragraph("GTEPS = sources * m / seconds / 10^9, by the n and m of the whole graph. The best strategy of each " +
		"line is bold.")
	strategies := s.strategies()
	header := append([]string{"graph", "n / m"}, strategies...)
	var others []otherColumn
	if strings.HasSuffix(s.measure, "betweenness") {
		others = otherColumns(s.graphs())
	}
	for _, o := range others {
		header = append(header, o.name+p.note(earlierNote))
	}
	var rows [][]string
	for _, g := range s.graphs() {
		rows = append(rows, ratesRow(p, s, g, precision, strategies, others))
	}
	p.table(header, rows)
	runs(p, s, s.measure, precision)
}

// otherColumn is a program that was measured earlier.
type otherColumn struct {
	name string
	of   func(earlier) float64
}

// otherColumns lists the programs that have a rate on one of the graphs.
func otherColumns(graphs []string) []otherColumn {
	var out []otherColumn
	for _, o := range []otherColumn{
		{"hybrid_BC", func(e earlier) float64 { return e.HybridBC }},
		{"cuGraph", func(e earlier) float64 { return e.CuGraph }},
		{"EasyGraph", func(e earlier) float64 { return e.EasyGraph }},
	} {
		if slices.ContainsFunc(graphs, func(g string) bool { return o.of(earlierRates()[g]) > 0 }) {
			out = append(out, o)
		}
	}
	return out
}

func ratesRow(p *page, s *results, graph, precision string, strategies []string, others []otherColumn) []string {
	n, m := s.sizeOf(graph)
	row := []string{graph, short(n) + " / " + short(m)}
	best := 0.0
	for _, strategy := range strategies {
		best = max(best, s.rate(query{graph: graph, strategy: strategy, precision: precision}))
	}
	for _, strategy := range strategies {
		r, ok := s.find(query{graph: graph, strategy: strategy, precision: precision})
		row = append(row, rateCell(p, r, ok, best))
	}
	for _, o := range others {
		e := earlierRates()[graph]
		cell := number(o.of(e))
		if cell != missing && slices.Contains(e.Overflowed, o.name) {
			cell += " NaN"
		}
		row = append(row, cell)
	}
	return row
}

func rateCell(p *page, r bench.Record, ok bool, best float64) string {
	switch {
	case !ok:
		return missing
	case r.Status != bench.OK:
		return string(r.Status) + p.note(r.Reason)
	case r.GTEPS == 0: // the measure does not search from sources
		return number(r.Seconds.Compute) + " s"
	case r.GTEPS == best:
		return "**" + number(r.GTEPS) + "**"
	}
	return number(r.GTEPS)
}

// runs says, for the best strategy of each graph, how it was measured.
func runs(p *page, s *results, measure, precision string) {
	p.section(fmt.Sprintf("%s: how the best were measured, %s precision", measure, precision))
	var rows [][]string
	for _, g := range s.graphs() {
		best := bench.Record{}
		for _, strategy := range s.strategies() {
			if r, ok := s.find(query{graph: g, strategy: strategy, precision: precision}); ok && r.Status == bench.OK &&
				r.GTEPS > best.GTEPS {
				best = r
			}
		}
		if best.Graph == "" {
			continue
		}
		rows = append(rows, []string{
			g, best.Strategy, taken(best), sourcesCell(best), number(best.Seconds.Compute), number(best.Seconds.Preprocess),
			grouped(int64(best.Depth)), fmt.Sprintf("%.1e", best.CheckedError), grouped(int64(best.CheckedSources)),
			number(float64(best.PeakDevice) / (1 << 20)),
		})
	}
	p.table([]string{"graph", "best", "taken", "sources", "seconds", "of them preprocessing", "depth", "largest error",
		"sources checked", "device MiB"}, rows)
}

func taken(r bench.Record) string {
	if r.Batch > 0 {
		return fmt.Sprintf("%s, K = %d", r.Taken, r.Batch)
	}
	return r.Taken
}

func sourcesCell(r bench.Record) string {
	if r.Sources == r.Nodes {
		return "all"
	}
	return grouped(int64(r.Sources))
}
