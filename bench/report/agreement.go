package report

import (
	"fmt"
	"strconv"

	"github.com/linchpin-graph/linchpin/bench"
)

// volumeCloseness writes how much volumes agree with closeness.
func volumeCloseness(p *page, s *results) {
	p.paragraph("Closeness is of the variant wassermanFaust, which ranks small components low. The highest are the first "+
		"%g %% of the nodes. Equal scores share a rank; where several share the last place among the highest, each counts for "+
		"its part. Radius 0 is the degree.", 100*bench.TopShare)
	for _, part := range []struct {
		title string
		of    func(*bench.Agreement) float64
	}{
		{"Spearman's rank correlation", func(a *bench.Agreement) float64 { return a.Spearman }},
		{"Kendall's tau-b", func(a *bench.Agreement) float64 { return a.Kendall }},
		{"Overlap of the highest", func(a *bench.Agreement) float64 { return a.Top }},
	} {
		p.section(part.title)
		p.table(append([]string{"graph", "nodes", "edges"}, radii()...), s.agreements(part.of))
	}
	p.section("Seconds")
	var rows [][]string
	for _, g := range s.graphs() {
		row := []string{g}
		closeness := missing
		for radius := range bench.VolumeRadii {
			r, ok := s.find(query{graph: g, strategy: bench.CPU, radius: radius})
			if ok && r.Agreement != nil {
				closeness = number(r.Agreement.Seconds)
			}
			row = append(row, number(r.Seconds.Compute))
		}
		rows = append(rows, append(row, closeness))
	}
	p.table(append(append([]string{"graph"}, radii()...), "closeness"), rows)
	problems(p, s)
}

func radii() []string {
	var out []string
	for radius := range bench.VolumeRadii {
		out = append(out, fmt.Sprintf("radius %d", radius))
	}
	return out
}

// agreements are the rows of a table of agreements, a graph each.
func (s *results) agreements(of func(*bench.Agreement) float64) [][]string {
	var rows [][]string
	for _, g := range s.graphs() {
		n, m := s.sizeOf(g)
		row := []string{g, grouped(int64(n)), grouped(int64(m))}
		for radius := range bench.VolumeRadii {
			cell := missing
			if r, ok := s.find(query{graph: g, strategy: bench.CPU, radius: radius}); ok && r.Agreement != nil {
				cell = strconv.FormatFloat(of(r.Agreement), 'f', 3, 64)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}
