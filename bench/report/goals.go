package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/bench"
)

// goals writes auto against what is wanted of it.
func goals(p *page, s *results) {
	p.paragraph("GTEPS of auto; what is wanted is a rate in single precision, %g of it in double, and edge scores for "+
		"at most %gx the time of node "+
		"scores alone. Under 1x a goal is not reached.", doubleShare, edgeLimit)
	p.section("Rates and goals")
	var rows [][]string
	for _, g := range s.graphs() {
		single, double := query{graph: g, strategy: "auto", precision: bench.Single}, query{graph: g, strategy: "auto",
			precision: bench.Double}
		goal, theirs := goalRates()[g], earlierRates()[g].HybridBC
		rows = append(rows, []string{
			g, number(goal), number(s.rate(single)), times(quotient(s.rate(single), goal)),
			times(quotient(s.rate(single), theirs)),
			number(s.rate(double)), times(quotient(s.rate(double), doubleShare*goal)), times(quotient(s.rate(double), theirs)),
			times(s.edgeCost(single)), times(s.edgeCost(double)),
		})
	}
	rows = append(rows, []string{"geometric mean", "", "", "", times(s.overHybrid(bench.Single)), "", "",
		times(s.overHybrid(bench.Double)), "", ""})
	p.table([]string{"graph", "goal", "single", "of the goal", "over hybrid_BC" + p.note(earlierNote), "double",
		"of its goal", "over hybrid_BC",
		"edges, single", "edges, double"}, rows)
	for _, precision := range s.precisions() {
		runs(p, s, "betweenness", precision)
	}
	problems(p, s)
}

// edgeCost is the time of node and edge scores over that of node scores; 0 where it is not known.
func (s *results) edgeCost(q query) float64 {
	nodes := s.seconds(q, 0)
	q.edgeScores = true
	return quotient(s.seconds(q, 0), nodes)
}

// overHybrid is the geometric mean of auto's rate over hybrid_BC's, of the graphs that have both.
func (s *results) overHybrid(precision string) float64 {
	var all []float64
	for _, g := range s.graphs() {
		if over := quotient(s.rate(query{graph: g, strategy: "auto", precision: precision}),
			earlierRates()[g].HybridBC); over > 0 {
			all = append(all, over)
		}
	}
	return geometricMean(all)
}

// geometricMean is 0 of nothing.
func geometricMean(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range all {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(all)))
}

// autoShare is what auto's rate is to reach of the best by hand.
const autoShare = 0.9

// autoPage writes auto beside the best strategy that was asked for by hand.
func autoPage(p *page, s *results) {
	p.paragraph("A line is as wanted when auto reaches %gx the best rate by hand. Auto may reduce the graph, what is "+
		"asked for by hand does not; "+
		"lines are over samples of the sources where all of them take long, and rates of samples over twice as large or as "+
		"small are not compared.", autoShare)
	for _, part := range s.byMeasure() {
		p.section(part.measure + ": auto against the best by hand, GTEPS")
		var rows [][]string
		var over []float64
		for _, g := range part.graphs() {
			auto, found := part.find(query{graph: g, strategy: "auto"})
			rate := part.rate(query{graph: g, strategy: "auto"})
			best, name := 0.0, missing
			for _, strategy := range part.strategies() {
				q := query{graph: g, strategy: strategy}
				if byHand, _ := part.find(q); strategy == "auto" || found && !alike(byHand, auto) {
					continue
				}
				if rate := part.rate(q); rate > best {
					best, name = rate, strategy
				}
			}
			over = append(over, quotient(rate, best))
			rows = append(rows, []string{g, number(rate), taken(auto), name, number(best), times(quotient(rate, best))})
		}
		p.paragraph("%s", asWanted(over, autoShare))
		p.table([]string{"graph", "auto", "taken", "best by hand", "its rate", "auto over the best"}, rows)
	}
	problems(p, s)
}

// samplesPage writes the times of random samples, with all of the preparation.
func samplesPage(p *page, s *results) {
	p.paragraph("Milliseconds, with all of the preparation: ordering nodes for batches is for these sources alone. A "+
		"line is as wanted when auto takes "+
		"at most 1/%g of the time of the best by hand.", autoShare)
	for _, part := range s.byMeasure() {
		for _, precision := range part.precisions() {
			samplesIn(p, part, precision)
		}
		part.besideHybrid(p)
	}
	problems(p, s)
}

// samplesIn writes the times of one measure in one precision.
func samplesIn(p *page, s *results, precision string) {
	p.section(fmt.Sprintf("%s, %s precision, milliseconds", s.measure, precision))
	var rows [][]string
	var over []float64
	byHand := slices.DeleteFunc(s.strategies(), func(strategy string) bool { return strategy == "auto" })
	for _, g := range s.graphs() {
		auto, found := s.find(query{graph: g, strategy: "auto", precision: precision})
		if !found {
			continue
		}
		row, best := []string{g, number(1e3 * auto.Seconds.Compute), taken(auto)}, math.Inf(1)
		for _, strategy := range byHand {
			r, _ := s.find(query{graph: g, strategy: strategy, precision: precision})
			if row = append(row, number(1e3*r.Seconds.Compute)); r.Status == bench.OK {
				best = min(best, r.Seconds.Compute)
			}
		}
		over = append(over, quotient(best, auto.Seconds.Compute))
		rows = append(rows, append(row, times(quotient(best, auto.Seconds.Compute))))
	}
	p.paragraph("%s", asWanted(over, autoShare))
	p.table(append(append([]string{"graph", "auto", "taken"}, byHand...), "the best over auto"), rows)
}

// What is wanted of random samples next to hybrid_BC: in the geometric mean, and on each line.
const (
	sampleMean  = 10
	sampleLeast = 2.5
)

// besideHybrid writes the rates of auto, in each precision, next to those of hybrid_BC, of graphs where these are
// known.
func (s *results) besideHybrid(p *page) {
	precisions := s.precisions()
	over := make([][]float64, len(precisions))
	var rows [][]string
	for _, g := range s.graphs() {
		theirs := earlierRates()[g].HybridBC
		if theirs == 0 {
			continue
		}
		row, known := []string{g, number(theirs)}, false
		for i, precision := range precisions {
			rate := s.rate(query{graph: g, strategy: "auto", precision: precision})
			row = append(row, number(rate), times(quotient(rate, theirs)))
			if rate > 0 {
				over[i], known = append(over[i], rate/theirs), true
			}
		}
		if known {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	header, text := []string{"graph", "hybrid_BC" + p.note(earlierNote)}, ""
	for i, precision := range precisions {
		header = append(header, "auto, "+precision, "over hybrid_BC")
		text += fmt.Sprintf(" In %s precision the mean is %s. %s", precision, times(geometricMean(over[i])),
			asWanted(over[i], sampleLeast))
	}
	p.paragraph(
		"GTEPS of auto next to hybrid_BC, whose rate does not depend on the number of sources. Wanted are %d times in the "+
			"geometric mean, and %g times on each line.%s", sampleMean, sampleLeast, text)
	p.table(header, rows)
}

// alike says whether two lines are from about as many sources.
func alike(a, b bench.Record) bool { return a.Sources <= 2*b.Sources && b.Sources <= 2*a.Sources }

// asWanted says how many of the quotients that are known reach a share, and which is the least.
func asWanted(quotients []float64, share float64) string {
	known, reached, least := 0, 0, math.Inf(1)
	for _, x := range quotients {
		if x == 0 {
			continue
		}
		known++
		least = min(least, x)
		if x >= share {
			reached++
		}
	}
	if known == 0 {
		return "No line has both yet."
	}
	return fmt.Sprintf("%d of %d lines are as wanted; the least is %s.", reached, known, times(least))
}

// closeness writes the rates of the family, and what its edge scores cost.
func closeness(p *page, s *results) {
	rates(p, s)
	p.section("What edge scores cost: seconds for all sources")
	var rows [][]string
	for _, measure := range s.distinct(func(r bench.Record) string { return r.Measure }) {
		for _, g := range s.graphs() {
			q := query{graph: g, measure: measure, strategy: "auto"}
			nodes := s.seconds(q, 0)
			cost := s.edgeCost(q)
			if nodes == 0 && cost == 0 {
				continue
			}
			rows = append(rows, []string{g, measure, number(nodes), number(cost * nodes), times(cost),
				fmt.Sprintf("%.3g", s.rate(q)/1e3)})
		}
	}
	p.table([]string{"graph", "measure", "nodes", "nodes and edges", "ratio", "TTEPS of nodes"}, rows)
	problems(p, s)
}

// small writes what small graphs take on a device that is open, beside the CPU.
func small(p *page, s *results) {
	p.section("Seconds for all sources, nodes and edges")
	p.paragraph("The worker is there already. The first column of the device is computing alone; the second has the way " +
		"to the worker and back as well.")
	elapsed := func(g, strategy string) float64 {
		r, ok := s.find(query{graph: g, strategy: strategy, edgeScores: true})
		if !ok || r.Status != bench.OK || r.Sources < r.Nodes { // the way does not grow with the sources
			return 0
		}
		return r.Seconds.Elapsed
	}
	var rows [][]string
	for _, g := range s.graphs() {
		n, m := s.sizeOf(g)
		device, cpu := elapsed(g, "auto"), elapsed(g, bench.CPU)
		rows = append(rows, []string{
			g, short(n) + " / " + short(m), number(s.seconds(query{graph: g, strategy: "auto", edgeScores: true}, 0)),
			number(device), number(cpu), times(quotient(device, cpu)),
		})
	}
	p.table([]string{"graph", "n / m", "device, computing", "device, all", "CPU", "device over CPU"}, rows)
	problems(p, s)
}
