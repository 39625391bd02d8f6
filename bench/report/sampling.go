package report

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/bench"
)

// sampling writes what samples of sources cost and how far off they are.
func sampling(p *page, s *results) {
	p.paragraph("A plain sample searches from so many nodes and scales what they add up to. An adaptive sample may search from as many, "+
		"but takes no more for a node, or an edge, once its dependencies sum to more than %d n (Bader et al. 2007). Errors are the median "+
		"of the relative errors of the highest %g %% by exact scores. Exact scores are those of searches from all nodes, without reductions, "+
		"and the speed-up is their seconds over those of the sample. Taken is the median number of sources of the highest %g %%.",
		bench.SamplingC, 100*bench.TopShare, 100*bench.TopShare)
	for _, strategy := range s.strategies() {
		for _, g := range s.graphs() {
			rows := s.samplingRows(g, strategy)
			if len(rows) == 0 {
				continue
			}
			n, m := s.sizeOf(g)
			p.section(fmt.Sprintf("%s, %s: %s nodes, %s edges", g, strategy, grouped(int64(n)), grouped(int64(m))))
			p.table([]string{"share of sources", "plain: error", "of edges", "highest found", "speed-up",
				"adaptive: error", "of edges", "highest found", "searched", "taken", "speed-up"}, rows)
		}
	}
	problems(p, s)
}

// samplingRows are the rows of a graph, one for each share that was measured.
func (s *results) samplingRows(graph, strategy string) [][]string {
	var rows [][]string
	for _, share := range bench.SamplingShares() {
		plain, some := s.sampled(graph, strategy, share, 0)
		adaptive, more := s.sampled(graph, strategy, share, bench.SamplingC)
		if !some && !more {
			continue
		}
		a, b := plain.Sampling, adaptive.Sampling
		rows = append(rows, []string{
			shareName(share), errorText(a.Error), errorText(a.EdgeError), percent(a.Top),
			times(a.Speedup(plain.Seconds.Compute)), errorText(b.Error), errorText(b.EdgeError), percent(b.Top),
			grouped(int64(b.Searched)), grouped(int64(b.Taken)), times(b.Speedup(adaptive.Seconds.Compute)),
		})
	}
	return rows
}

// sampled finds a sample; without one it is empty.
func (s *results) sampled(graph, strategy string, share, c float64) (bench.Record, bool) {
	for _, r := range s.records {
		if r.Sampling != nil && r.Graph == graph && r.Strategy == strategy && r.Sampling.Share == share &&
			r.Sampling.C == c && r.Status == bench.OK {
			return r, true
		}
	}
	return bench.Record{Sampling: &bench.Sampling{}}, false
}

// errorText is a relative error in per cent.
func errorText(x float64) string {
	if x == 0 {
		return missing
	}
	return number(100*x) + " %"
}

func shareName(share float64) string { return fmt.Sprintf("%g %%", 100*share) }

// samplingCurves are the curves of errors, or of speed-ups, of the strategy that was measured first.
func samplingCurves(s *results, speed bool) *curves {
	shares := map[string]float64{}
	c := &curves{panels: s.graphs(), axis: "share of sources", unit: "error"}
	c.lines = []curve{{"plain, nodes", "work-efficient", false}, {"adaptive, nodes", "auto", false},
		{"adaptive, edges", "edge-parallel", false}}
	if speed {
		c.unit, c.lines = "speed-up", c.lines[:2]
	}
	for _, share := range bench.SamplingShares() {
		shares[shareName(share)], c.points = share, append(c.points, shareName(share))
	}
	c.value = func(graph, point string, of curve) float64 {
		limit := 0.0
		if of.key != "work-efficient" {
			limit = bench.SamplingC
		}
		r, _ := s.sampled(graph, s.strategies()[0], shares[point], limit)
		switch {
		case speed && r.Seconds.Compute > 0:
			return r.Sampling.Speedup(r.Seconds.Compute)
		case speed:
			return 0
		case of.key == "edge-parallel":
			return r.Sampling.EdgeError
		}
		return r.Sampling.Error
	}
	c.measuredPanels()
	return c
}
