package report

import "github.com/linchpin-graph/linchpin/bench"

// edgeCosts writes what edge scores cost on top of node scores.
func edgeCosts(p *page, s *results) {
	p.section("Node scores alone, and with edge scores: seconds for all sources")
	var rows [][]string
	for _, precision := range s.precisions() {
		for _, g := range s.graphs() {
			for _, strategy := range s.strategies() {
				nodes := s.seconds(query{graph: g, strategy: strategy, precision: precision}, 0)
				edges := s.seconds(query{graph: g, strategy: strategy, precision: precision, edgeScores: true}, 0)
				if nodes > 0 || edges > 0 {
					rows = append(rows, []string{g, strategy, precision, number(nodes), number(edges), times(quotient(edges, nodes))})
				}
			}
		}
	}
	p.table([]string{"graph", "strategy", "precision", "nodes", "nodes and edges", "ratio"}, rows)
	problems(p, s)
}

// problems lists what failed or was wrong.
func problems(p *page, s *results) {
	var rows [][]string
	for _, r := range s.records {
		if r.Status != bench.OK {
			rows = append(rows, []string{r.Graph, r.Measure, r.Strategy, string(r.Status), r.Reason})
		}
	}
	if len(rows) > 0 {
		p.section("What did not work")
		p.table([]string{"graph", "measure", "strategy", "status", "reason"}, rows)
	}
}

// families writes the rate, or the seconds for all sources, of graphs of growing size.
func families(p *page, s *results, list []bench.ScalingFamily, seconds bool) {
	what := "GTEPS"
	if seconds {
		what = "seconds for all sources, scaled up where they are many"
	}
	for _, f := range measured(s, list) {
		p.section(f.Name + ": " + what)
		header := append([]string{"graph", "n", "m"}, s.strategies()...)
		var rows [][]string
		for _, g := range f.Graphs {
			n, m := s.sizeOf(g)
			if n == 0 {
				continue
			}
			row := []string{g, grouped(int64(n)), grouped(int64(m))}
			for _, strategy := range s.strategies() {
				x := s.rate(query{graph: g, strategy: strategy})
				if seconds {
					x = s.seconds(query{graph: g, strategy: strategy}, 0)
				}
				row = append(row, number(x))
			}
			rows = append(rows, row)
		}
		p.table(header, rows)
	}
	problems(p, s)
}

func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
