package report

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/bench"
)

// standsFor names a graph, and the paper's that it stands for when that is another.
func standsFor(graph, theirs string) string { return graph + " (" + theirs + ")" }

func sriram(p *page, s *results) {
	p.paragraph("Sriram et al. measured vertex-pull on a Tesla T10 against one core of an Athlon 64 X2 4400+. R-MAT " +
		"graphs with 8 draws " +
		"a node and 2^scale nodes, and the web graph of Notre Dame; node and edge betweenness from 4096 sources (all nodes " +
		"where there are fewer).")
	p.section("Table 1: seconds for 4096 sources")
	var rows [][]string
	for _, row := range sriramTable1() {
		q := query{graph: row.Graph, edgeScores: true}
		at := func(strategy string) float64 { q.strategy = strategy; return s.seconds(q, bench.SriramSources) }
		pull, auto, cpu := at("vertex-pull"), at("auto"), at(bench.CPU)
		rows = append(rows, []string{
			standsFor(row.Graph, row.Theirs), number(row.CPU), number(row.GPU), times(row.CPU / row.GPU),
			number(cpu), number(pull), number(auto), times(quotient(cpu, pull)), times(quotient(row.GPU, pull)),
		})
	}
	p.table([]string{"graph (theirs)", "their CPU", "their GPU", "their speed-up", "our CPU, all threads", "vertex-pull",
		"auto",
		"vertex-pull over our CPU", "vertex-pull over their GPU"}, rows)
	problems(p, s)
}

func cabral(p *page, s *results) {
	p.paragraph("Cabral et al. measured CUDACCER on a Tesla K20 against 32 threads on Intel Xeon E5-2660s, on " +
		"Barabasi-Albert graphs of " +
		"10,000 to 1,000,000 nodes. Each cell is the median over the sizes of the CPU's seconds (all threads of the host) " +
		"over the device's: " +
		"under 1x the device is slower.")
	var graphs [4][]string
	for _, g := range s.graphs() {
		var n, degree int
		if _, err := fmt.Sscanf(g, "ba-%d-%d", &n, &degree); err == nil && degree >= 1 && degree <= 4 {
			graphs[degree-1] = append(graphs[degree-1], g)
		}
	}
	for radius, published := range cabralSpeedups() {
		p.section(fmt.Sprintf("Table %d: speed-up at radius %d", radius+1, radius))
		rows := [][]string{{"CUDACCER, published"}, {"volume-lists"}, {"volume-bitmap"}}
		for d := range 4 {
			rows[0] = append(rows[0], times(published[d]))
			for i, strategy := range []string{"volume-lists", "volume-bitmap"} {
				rows[i+1] = append(rows[i+1], times(medianSpeedup(s, graphs[d], strategy, radius)))
			}
		}
		p.table([]string{"edges a new node", "1", "2", "3", "4"}, rows)
	}
	p.section("Milliseconds")
	var rows [][]string
	for radius := range 3 {
		for _, g := range s.graphs() {
			row := []string{g, fmt.Sprint(radius)}
			for _, strategy := range []string{bench.CPU, "volume-lists", "volume-bitmap"} {
				row = append(row, number(1e3*s.seconds(query{graph: g, strategy: strategy, radius: radius}, 0)))
			}
			rows = append(rows, row)
		}
	}
	p.table([]string{"graph", "radius", "CPU, all threads", "volume-lists", "volume-bitmap"}, rows)
	problems(p, s)
}

func medianSpeedup(s *results, graphs []string, strategy string, radius int) float64 {
	var ratios []float64
	for _, g := range graphs {
		cpu := s.seconds(query{graph: g, strategy: bench.CPU, radius: radius}, 0)
		device := s.seconds(query{graph: g, strategy: strategy, radius: radius}, 0)
		if cpu > 0 && device > 0 {
			ratios = append(ratios, cpu/device)
		}
	}
	if len(ratios) == 0 {
		return 0
	}
	slices.Sort(ratios)
	return (ratios[(len(ratios)-1)/2] + ratios[len(ratios)/2]) / 2
}

func mclaughlin(p *page, s *results) {
	p.paragraph("McLaughlin and Bader measured on a GeForce GTX Titan. MTEPS = 10^6 source-edge pairs a second. Where " +
		"their graph is not to be had, " +
		"one of the same kind and size stands for it: a random geometric graph of degree 34 for the sheet metal af_shell9, " +
		"a small world for " +
		"com-amazon, a Barabasi-Albert graph for loc-gowalla (whose 1,900,654 edges in the paper count both directions); " +
		"delaunay20 and smallworld are made anew.")
	p.section("Table III: MTEPS")
	var rows [][]string
	for _, row := range mclaughlinTable3() {
		at := func(strategy string) float64 { return 1e3 * s.rate(query{graph: row.Graph, strategy: strategy}) }
		edge, sampling, auto := at("edge-parallel"), at("sampling"), at("auto")
		rows = append(rows, []string{
			standsFor(row.Graph, row.Theirs), number(row.EdgeParallel), number(row.Sampling),
			times(row.Sampling / row.EdgeParallel),
			number(edge), number(sampling), times(quotient(sampling, edge)), number(auto),
		})
	}
	p.table([]string{"graph (theirs)", "their edge-parallel", "their sampling", "their speed-up", "edge-parallel",
		"sampling", "speed-up", "auto"}, rows)
	problems(p, s)
}

func figure5(p *page, s *results) {
	p.paragraph("McLaughlin and Bader's Figure 5 shows seconds for all sources against scale, on a GeForce GTX Titan, " +
		"for edge-parallel, GPU-FAN and " +
		"sampling. Its text says: sampling is over 12 times faster than GPU-FAN at every scale of rgg; edge-parallel is " +
		"ahead of sampling only on Delaunay " +
		"graphs of under 10,000 nodes; on kron, sampling's lead grows with scale.")
	families(p, s, bench.Figure5Families(), true)
}

func fan(p *page, s *results) {
	p.paragraph("Fan, Xu and Zhao measured on a GeForce GTX 1080 and on four threads of a Core i7-7700K; ours is the " +
		"device above, and all threads of its host. " +
		"Seconds for all sources, scaled up where they are many. Weights are the graph's own, or whole numbers from 1 to " +
		"10. higgs-mention is their mt-higgs; " +
		"the other graphs are of the same kind as theirs, not of the same size, so only the order of the strategies within " +
		"a column compares.")
	var header = []string{"strategy"}
	for _, c := range fanTables() {
		header = append(header, c.Theirs+", theirs", c.Graph+", ours")
	}
	p.section("Tables 2 and 3: seconds")
	var rows [][]string
	for _, strategy := range []string{bench.CPU, "vertex-parallel", "vertex-warp-4", "vertex-warp-8", "vertex-warp-16",
		"vertex-warp-32",
		"work-efficient", "work-efficient-warp-4", "work-efficient-warp-8", "work-efficient-warp-16",
		"work-efficient-warp-32"} {
		row := []string{strategy}
		for _, c := range fanTables() {
			row = append(row, number(c.Seconds[strategy]), number(s.seconds(query{graph: c.Graph, strategy: strategy}, 0)))
		}
		rows = append(rows, row)
	}
	p.table(header, rows)
	problems(p, s)
}

func jia(p *page, s *results) {
	p.paragraph("Jia et al. measured on a GeForce GTX 480 and on one thread of a Core i7-975. as-caida20071105 is of " +
		"the same series as their " +
		"as-rel.20071008; cit-HepTh is their hep-th; random graphs of the same size stand for the others. The paper gives " +
		"seconds of the CPU and, as a picture, " +
		"speed-ups of edge-parallel: 6.9x to 10.2x for betweenness, 4.9x to 11.4x for the others.")
	p.section("Table 2.3: seconds")
	var rows [][]string
	for _, row := range jiaTables() {
		published := map[string]float64{"closeness": row.CC, "graph": row.GC, "stress": row.SC, "betweenness": row.BC}
		for _, measure := range []string{"closeness", "graph", "stress", "betweenness"} {
			sources := 0
			if row.Graph == "rmat20-8" {
				sources = bench.FlickrSources
			}
			at := func(strategy string) float64 {
				return s.seconds(query{graph: row.Graph, measure: measure, strategy: strategy}, sources)
			}
			cpu, node, edge := at(bench.CPUSingle), at("vertex-parallel"), at("edge-parallel")
			rows = append(rows, []string{standsFor(row.Graph, row.Theirs), measure, number(published[measure]), number(cpu),
				number(node), number(edge),
				times(quotient(node, edge)), times(quotient(cpu, edge))})
		}
	}
	p.table([]string{"graph (theirs)", "measure", "their CPU, one thread", "our CPU, one thread", "vertex-parallel",
		"edge-parallel",
		"edge- over vertex-parallel", "edge-parallel over CPU"}, rows)
	p.section("Table 2.4: milliseconds of a breadth-first search")
	rows = nil
	for _, row := range jiaTables() {
		at := func(strategy string) float64 {
			return 1e3 * s.seconds(query{graph: row.Graph, measure: "eccentricity", strategy: strategy}, 1)
		}
		rows = append(rows, []string{standsFor(row.Graph, row.Theirs), number(row.CPU), number(row.Node), number(row.Edges),
			number(at(bench.CPUSingle)), number(at("vertex-parallel")), number(at("edge-parallel"))})
	}
	p.table([]string{"graph (theirs)", "their CPU", "their node-parallel", "their edge-parallel", "our CPU, one thread",
		"vertex-parallel", "edge-parallel"}, rows)
	problems(p, s)
}
