package bench

// The suites of this project's own tables.

// Single and Double are the precisions of a device.
const (
	Single = "single"
	Double = "double"
)

// UnweightedGraphs are the graphs that unweighted betweenness is compared on, the largest last.
func UnweightedGraphs() []string {
	return []string{
		"facebook_combined", "email-Enron-lcc", "as-caida20071105", "road-LosAngeles", "luxembourg_osm", "smallworld-1e5-10",
		"kron16", "caidaRouterLevel", "delaunay17", "rgg17", "web-NotreDame", "cnr-2000", "ba-1e6-4", "delaunay20", "rgg20", "kron20",
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

// ScalingFamilies are graphs of growing size, family by family, in the order of their sizes.
func ScalingFamilies() []ScalingFamily {
	return []ScalingFamily{
		{"R-MAT, 16 draws a node", []string{"rmat10-16", "rmat12-16", "rmat14-16", "rmat16-16", "rmat18-16", "rmat20-16"}},
		{"Barabasi-Albert, 4 edges a node", []string{"ba-1024-4", "ba-4096-4", "ba-16384-4", "ba-65536-4", "ba-262144-4", "ba-1048576-4"}},
		{"small world, 10 neighbours", []string{"smallworld-1024-10", "smallworld-4096-10", "smallworld-16384-10", "smallworld-65536-10", "smallworld-262144-10", "smallworld-1048576-10"}},
		{"random geometric", []string{"rgg10", "rgg12", "rgg14", "rgg16", "rgg18", "rgg20"}},
		{"Delaunay", []string{"delaunay10", "delaunay12", "delaunay14", "delaunay16", "delaunay18", "delaunay20"}},
		{"road-like", []string{"road21x21", "road42x42", "road84x84", "road168x168", "road336x336", "road672x672"}},
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
		for _, g := range f.Graphs {
			s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Strategies: []string{
				"auto", "edge-parallel", "vertex-pull", "work-efficient", "hybrid", "work-efficient-warp-8",
			}})
		}
	}
	return s
}
