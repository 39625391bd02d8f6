package bench

import "github.com/linchpin-graph/linchpin/kernels"

// The suites of this project's own tables.

// Single and Double are the precisions of a device.
const (
	Single = kernels.Single
	Double = kernels.Double
)

// UnweightedGraphs are the graphs that unweighted betweenness is compared on, the largest last.
func UnweightedGraphs() []string {
	return []string{
		"facebook_combined", "email-Enron-lcc", "as-caida20071105", "road-LosAngeles", "luxembourg_osm", "smallworld-1e5-10",
		"kron16", "caidaRouterLevel", "delaunay17", "rgg17", "web-NotreDame", "cnr-2000", "ba-1e6-4", "delaunay20", "rgg20",
		"kron20",
	}
}

// WeightedGraphs are the graphs that weighted betweenness is compared on.
func WeightedGraphs() []string {
	return []string{
		"air-routes+own", "higgs-mention+own", "road-LosAngeles+own", "email-Enron-lcc+w10", "delaunay_n16+w10",
		"rmat16-16+w10", "rmat16-16+real", "caidaRouterLevel+w10", "luxembourg_osm+w10",
	}
}

func unweightedSuite() Suite {
	s := Suite{
		Name: "unweighted", Precisions: []string{Single},
		About: "Unweighted betweenness of nodes: every strategy on every graph.",
	}
	for _, g := range UnweightedGraphs() {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Strategies: []string{all}})
	}
	return s
}

// edgeSuite measures node scores alone and with edge scores, side by side.
func edgeSuite() Suite {
	s := Suite{
		Name: "edge-scores", Precisions: []string{Single},
		About: "What edge betweenness costs on top of node betweenness.",
	}
	add := func(c Case) {
		for _, edges := range []bool{false, true} {
			c.EdgeScores = edges
			s.Cases = append(s.Cases, c)
		}
	}
	for _, g := range UnweightedGraphs() {
		add(Case{Graph: g, Measure: "betweenness", Strategies: []string{"auto", "vertex-pull", "hybrid"}})
	}
	for _, g := range WeightedGraphs() {
		add(Case{Graph: g, Measure: "betweenness", Weighted: true, Strategies: []string{"auto", "work-efficient-warp-8"}})
	}
	return s
}

func weightedSuite() Suite {
	s := Suite{
		Name: "weighted", Precisions: []string{Single},
		About: "Weighted betweenness of nodes: every strategy on every graph.",
	}
	for _, g := range WeightedGraphs() {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Weighted: true, Strategies: []string{all}})
	}
	return s
}

// spreadSuite measures what the spread of weights costs, beside the strategies of Fan et al. and the CPU.
func spreadSuite() Suite {
	s := Suite{
		Name: "weights-spread", Precisions: []string{Single},
		About: "Weighted betweenness by batched against the spread of weights: 1, 1..10, 1..1000, 1..1000000, reals.",
	}
	for _, g := range []string{"road-LosAngeles", "email-Enron-lcc", "delaunay_n16", "rmat16-16"} {
		for _, w := range []Weights{OneWeights, IntWeights, ThousandWeights, MillionWeights, RealWeights} {
			for round, strategy := range []string{batched, "work-efficient-warp-8"} {
				s.Cases = append(s.Cases, Case{Graph: g + "+" + string(w), Measure: "betweenness", Weighted: true,
					Strategies: []string{strategy}, Round: round})
			}
		}
	}
	return s
}

// bucketSuite measures batched by weights against the width of its buckets, 0 for its own choice, and closeness beside
// it.
func bucketSuite() Suite {
	s := Suite{
		Name: "buckets", Precisions: []string{Single, Double},
		About: "Weighted betweenness by batched against the width of buckets; edge scores and closeness at its own width.",
	}
	for _, g := range WeightedGraphs() {
		c := Case{Graph: g, Measure: "betweenness", Weighted: true, Strategies: []string{batched}}
		for round, widths := range [][]float64{{0, 4, 8, 16}, {2, 32}, {1, 64}} {
			for _, c.Bucket = range widths {
				c.Round = round
				s.Cases = append(s.Cases, c)
			}
		}
		c.Round, c.Bucket, c.EdgeScores = 1, 0, true
		s.Cases = append(s.Cases, c)
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "closeness", Weighted: true, Strategies: []string{batched},
			Round: 1})
	}
	return s
}

// ScalingFamilies are graphs of growing size, family by family, in the order of their sizes.
func ScalingFamilies() []ScalingFamily {
	return []ScalingFamily{
		{"R-MAT, 16 draws a node", []string{"rmat10-16", "rmat12-16", "rmat14-16", "rmat16-16", "rmat18-16", "rmat20-16",
			"rmat22-16"}},
		{"Barabasi-Albert, 4 edges a node", []string{"ba-1024-4", "ba-4096-4", "ba-16384-4", "ba-65536-4", "ba-262144-4",
			"ba-1048576-4", "ba-4194304-4"}},
		{"small world, 10 neighbours", []string{"smallworld-1024-10", "smallworld-4096-10", "smallworld-16384-10",
			"smallworld-65536-10", "smallworld-262144-10", "smallworld-1048576-10", "smallworld-4194304-10"}},
		{"random geometric", []string{"rgg10", "rgg12", "rgg14", "rgg16", "rgg18", "rgg20", "rgg22"}},
		{"Delaunay", []string{"delaunay10", "delaunay12", "delaunay14", "delaunay16", "delaunay18", "delaunay20",
			"delaunay22"}},
		{"road-like", []string{"road21x21", "road42x42", "road84x84", "road168x168", "road336x336", "road672x672",
			"road1344x1344"}},
	}
}

// ScalingFamily is one line of pictures of scaling.
type ScalingFamily struct {
	Name   string
	Graphs []string
}

func scalingSuite() Suite {
	s := Suite{
		Name: "scaling", Precisions: []string{Single},
		About: "Rate against size, by family of graphs.",
	}
	for _, f := range ScalingFamilies() {
		for i, g := range f.Graphs {
			c := Case{Graph: g, Measure: "betweenness", Strategies: []string{"auto", "edge-parallel", "vertex-pull",
				"work-efficient", "hybrid", "work-efficient-warp-8"}}
			if i == len(f.Graphs)-1 { // of 2^22 nodes
				c.Strategies = []string{"auto", "work-efficient"}
			}
			s.Cases = append(s.Cases, c)
		}
	}
	return s
}

// goalsSuite measures auto as it is meant to be used: nodes alone and with edges, in both precisions.
func goalsSuite() Suite {
	s := Suite{
		Name: "goals", Precisions: []string{Single, Double},
		About: "Unweighted betweenness by auto against its goals: nodes, nodes and edges, either precision.",
	}
	for _, g := range UnweightedGraphs() {
		for _, edges := range []bool{false, true} {
			s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", EdgeScores: edges, Strategies: []string{"auto"}})
		}
	}
	return s
}

// autoSuite measures auto next to every way that could be asked for by hand: batched first, then its engines by name
// and chains, then the strategies of papers that were best on some graph.
func autoSuite() Suite {
	s := Suite{
		Name: "auto", Precisions: []string{Single},
		About: "Auto against every way that can be asked for by hand.",
	}
	add := func(c Case, others ...string) {
		c.Strategies = []string{"auto", batched}
		s.Cases = append(s.Cases, c)
		for i, strategy := range append(c.engines(), others...) {
			c.Round, c.Strategies = i+1, []string{strategy}
			s.Cases = append(s.Cases, c)
		}
	}
	for _, g := range UnweightedGraphs() {
		add(Case{Graph: g, Measure: "betweenness"}, "work-efficient")
	}
	for _, g := range WeightedGraphs() {
		add(Case{Graph: g, Measure: "betweenness", Weighted: true}, "work-efficient-warp-4", "work-efficient-warp-8")
	}
	for _, g := range closenessGraphs() {
		add(Case{Graph: g, Measure: "closeness"}, "work-efficient")
	}
	return s
}

func closenessGraphs() []string {
	return []string{"email-Enron-lcc", "luxembourg_osm", "delaunay17", "web-NotreDame", "delaunay20", "kron20"}
}

// closenessSuite measures the family that needs distances alone, and what its edge scores cost.
func closenessSuite() Suite {
	s := Suite{
		Name: "closeness", Precisions: []string{Double},
		About: "Closeness, harmonic centrality and eccentricity by auto: nodes, nodes and edges.",
	}
	for _, g := range closenessGraphs() {
		measures := []string{"closeness"}
		if g == "delaunay17" || g == "web-NotreDame" {
			measures = append(measures, "harmonic", "eccentricity")
		}
		for _, measure := range measures {
			for _, edges := range []bool{false, true} {
				s.Cases = append(s.Cases, Case{Graph: g, Measure: measure, EdgeScores: edges, Strategies: []string{"auto"}})
			}
		}
	}
	return s
}

// profileSuite measures what bounds batched on the graphs on which it is slowest.
func profileSuite() Suite {
	s := Suite{
		Name: "profiles", Precisions: []string{Single},
		About: "What bounds betweenness by batched, on the graphs where it is slowest.",
	}
	for _, g := range []string{"road-LosAngeles", "delaunay17", "ba-1e6-4", "delaunay20", "rgg20"} {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Profile: true, Strategies: []string{batched}})
	}
	for _, g := range []string{"air-routes+own", "email-Enron-lcc+w10", "rmat16-16+real", "road-LosAngeles+own"} {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Weighted: true, Profile: true,
			Strategies: []string{batched}})
	}
	return s
}

// volumesSuite measures volumes of more than radius 2, where balls grow from few arcs to all of them.
func volumesSuite() Suite {
	s := Suite{
		Name: "volumes", Precisions: []string{Double},
		About: "Volumes of radius 3 to 6: batched against a search a node.",
	}
	for _, g := range []string{"as-caida20071105", "ba-100000-4", "kron16", "delaunay17"} {
		for _, radius := range []int{3, 4, 6} {
			s.Cases = append(s.Cases, Case{Graph: g, Measure: "volume", Radius: &radius,
				Strategies: []string{batched, "volume-bitmap", CPU}})
		}
	}
	return s
}

// ranksSuite measures PageRank, whose reason says how many bytes an iteration moves per second.
func ranksSuite() Suite {
	s := Suite{
		Name: "ranks", Precisions: []string{Double},
		About: "PageRank by products on the device, next to the CPU.",
	}
	for _, g := range []string{"kron20", "kron20+w10", "rmat20-16", "cnr-2000", "web-NotreDame",
		"delaunay20", "as-caida20071105"} {
		s.Cases = append(s.Cases,
			Case{Graph: g, Measure: "pagerank", Weighted: g == "kron20+w10", Strategies: []string{"pull", CPU}})
	}
	return s
}

// trianglesSuite measures what is made of the triangles of edges.
func trianglesSuite() Suite {
	s := Suite{
		Name: "triangles", Precisions: []string{Double},
		About: "Triangles and curvature of nodes and edges by one pass on the device, next to the CPU.",
	}
	for _, measure := range []string{"curvature", "triangles"} {
		for _, g := range []string{"er-1e7-1e8", "rmat20-16", "kron18", "cnr-2000", "web-NotreDame", "as-caida20071105"} {
			s.Cases = append(s.Cases, Case{Graph: g, Measure: measure, EdgeScores: true, Strategies: []string{"triangles", CPU}})
		}
	}
	return s
}

// smallSuite measures graphs that a CPU is quickly done with, by themselves and a thousand in one job.
func smallSuite() Suite {
	s := Suite{
		Name: "small", Precisions: []string{Double},
		About: "Small graphs, and 1,000 random graphs of 500 nodes in one job: nodes and edges, beside the CPU.",
	}
	for _, g := range []string{"karate", "air-routes", "facebook_combined", "er-500-2000", "1000xer-500-2000"} {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", EdgeScores: true, Reduced: true,
			Strategies: []string{"auto", CPU}})
	}
	return s
}

// randomSources measures random samples on the graphs of the goals, where hybrid_BC's rate is known: auto first, then
// every way.
func randomSources() Suite {
	s := Suite{
		Name: "random-sources", Precisions: []string{Single, Double},
		About: "Betweenness from 512, 4,096 and 32,768 random sources: auto against hybrid_BC, and against every way it has for them.",
	}
	for _, g := range UnweightedGraphs() {
		for _, drawn := range []int{512, 4096, 32768} {
			c := Case{Graph: g, Measure: "betweenness", Drawn: drawn, Strategies: []string{"auto"}}
			s.Cases = append(s.Cases, c)
			c.Round, c.Strategies = 1, append([]string{batched, "work-efficient", "work-efficient-warp-4"}, c.engines()...)
			s.Cases = append(s.Cases, c)
		}
	}
	return s
}

// samplesSuite measures random samples of sources: auto next to batches of neighbours, of which a sample has few, their
// engines by name, and searches of one source each.
func samplesSuite() Suite {
	s := Suite{
		Name: "samples", Precisions: []string{Double},
		About: "Betweenness from 64, 1,024 and 32,768 random sources: auto against every way it has for them.",
	}
	for _, f := range ScalingFamilies() {
		for i, g := range f.Graphs[:len(f.Graphs)-1] {
			for round, drawn := range []int{1024, 64, 32768} {
				if size := 1024 << (2 * i); 2*drawn > size || drawn > 1024 && i == 5 {
					continue // nearly all, or a minute
				}
				c := Case{Graph: g, Measure: "betweenness", Drawn: drawn, Round: round}
				c.Strategies = append([]string{"auto", batched, "work-efficient", "work-efficient-warp-4"}, c.engines()...)
				s.Cases = append(s.Cases, c)
			}
		}
	}
	return s
}

// boundsSuite measures samples with a bound on the error next to exact scores, on graphs of over 100,000 nodes.
func boundsSuite() Suite {
	s := Suite{
		Name: "bounds", Precisions: []string{Double},
		About: "Betweenness with an error of 0.01, or 0.001, and confidence 0.9, against exact scores.",
	}
	add := func(graph string, edges bool, wanted float64) {
		c := Case{Graph: graph, Measure: "betweenness", EdgeScores: edges, Error: wanted, Reduced: true,
			Strategies: []string{"auto"}}
		s.Cases = append(s.Cases, c)
		c.Round, c.Strategies = 1, []string{CPU}
		s.Cases = append(s.Cases, c)
	}
	for _, g := range []string{
		"caidaRouterLevel", "smallworld-1e5-10", "web-NotreDame", "cnr-2000", "delaunay17", "rgg17", "luxembourg_osm",
	} {
		add(g, false, 0.01)
		add(g, true, 0.01)
	}
	for _, g := range []string{"delaunay20", "ba-1e6-4", "kron20"} {
		add(g, false, 0.01)
		add(g, false, 0.001)
	}
	return s
}
