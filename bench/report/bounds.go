package report

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/bench"
)

// bounds writes what samples with a bound on the error cost, next to exact scores.
func bounds(p *page, s *results) {
	p.paragraph("Errors and bounds are shares of all pairs of nodes: one of 0.01 is a hundredth of n(n-1)/2, for the score of every " +
		"node and, where edges are scored, of every edge at once. Exact scores are those of a run as a job would make it, with " +
		"reductions, in a process that is warm, as is that of the sample. Where exact scores take less than a sample, they are " +
		"computed in its place. Drawn are pairs of nodes, or sources.")
	for _, strategy := range s.strategies() {
		of := "GPU"
		if strategy == bench.CPU {
			of = "CPU"
		}
		var rows [][]string
		for _, r := range s.records {
			if r.Bounded != nil && r.Strategy == strategy && r.Status == bench.OK {
				rows = append(rows, boundsRow(&r))
			}
		}
		if len(rows) == 0 {
			continue
		}
		p.section(of)
		p.table([]string{"graph", "n / m", "scores", "error", "exact, s", "sample, s", "of exact", "drawn", "bound",
			"greatest error"}, rows)
	}
	problems(p, s)
}

func boundsRow(r *bench.Record) []string {
	b := r.Bounded
	scores, over, under, drawn, bound := "nodes", "", "", "exact instead", missing
	if r.EdgeScores {
		scores = "nodes, edges"
	}
	if b.Unfinished {
		over, under = "over ", "under "
	}
	switch {
	case b.Pairs > 0:
		drawn = grouped(b.Pairs) + " pairs"
	case b.Sources > 0:
		drawn = grouped(int64(b.Sources)) + " sources"
	}
	if b.Bound > 0 {
		bound = number(b.Bound)
	}
	greatest := missing
	if !b.Unfinished {
		greatest = fmt.Sprintf("%.1e", b.Greatest)
	}
	return []string{
		r.Graph, short(r.Nodes) + " / " + short(r.Edges), scores, fmt.Sprintf("%g", b.Asked), over + number(b.Exact),
		number(r.Seconds.Compute), under + fmt.Sprintf("%.2g", r.Seconds.Compute/b.Exact), drawn, bound, greatest,
	}
}
