package bench

import (
	"fmt"
	"strings"
)

// The suites that repeat the papers' tables, on their graphs where those are to be had, otherwise on their like. What
// the papers published, and which graph stands for which, is in bench/report.

// SriramSources is the number of sources of every row of Sriram et al.'s Table 1.
const SriramSources = 1 << 12

// sriramTable1 repeats Table 1 of Sriram et al. (2009): betweenness of nodes and edges from 4096 sources on R-MAT
// graphs with 8 edges a node, and on ND-Web.
func sriramTable1() Suite {
	s := Suite{
		Name: "sriram-table1", Precisions: []string{Double},
		About: "Sriram et al. 2009, Table 1: node and edge betweenness from 4096 sources.",
	}
	for _, g := range []string{"rmat12-8", "rmat14-8", "rmat16-8", "rmat18-8", "rmat19-8", "web-NotreDame"} {
		s.Cases = append(s.Cases, Case{
			Graph: g, Measure: "betweenness", EdgeScores: true, Sources: SriramSources,
			Strategies: []string{"vertex-pull", "auto", CPU},
		})
	}
	return s
}

// SamplingShares are the shares of the nodes that samples search from.
func SamplingShares() []float64 { return []float64{.01, .02, .05, .1, .2, .5} }

// SamplingC is where sums of adaptive samples stop.
const SamplingC = 5

// sriramSampling measures what Sriram et al. (2009) approximate with, the adaptive sample of Bader et al. (2007), next
// to a plain sample of as many sources.
func sriramSampling() Suite {
	s := Suite{
		Name: "sriram-sampling", Precisions: []string{Double},
		About: "Sriram et al. 2009 and Bader et al. 2007: error and speed-up of samples against the share of sources.",
	}
	for _, g := range []string{
		"rmat12-8", "rmat14-8", "ca-GrQc-lcc", "as-caida20071105", "facebook_combined", "power", "rmat12-8+w10",
		"ca-GrQc-lcc+w10",
	} {
		for _, share := range SamplingShares() {
			for _, c := range []float64{0, SamplingC} {
				s.Cases = append(s.Cases, Case{
					Graph: g, Measure: "betweenness", Weighted: strings.HasSuffix(g, "+w10"), EdgeScores: true, Share: share,
					Adaptive: c, Strategies: []string{CPU},
				}, Case{
					Graph: g, Measure: "betweenness", Weighted: strings.HasSuffix(g, "+w10"), Share: share, Adaptive: c,
					Strategies: []string{"auto"}, Round: 1,
				})
			}
		}
	}
	return s
}

// cabralSizes are the sizes of Cabral et al.'s Barabasi-Albert graphs.
func cabralSizes() []int { return []int{10_000, 100_000, 200_000, 400_000, 600_000, 1_000_000} }

// cabralTables repeats Tables 1 to 3 of Cabral et al. (2014): volumes of radius 0, 1 and 2 on Barabasi-Albert graphs
// with 1 to 4 edges a new node, against all threads of the CPU.
func cabralTables() Suite {
	s := Suite{
		Name: "cabral-tables", Precisions: []string{Double},
		About: "Cabral et al., Tables 1 to 3: volumes of radius 0, 1 and 2 against the CPU.",
	}
	for _, n := range cabralSizes() {
		for degree := 1; degree <= 4; degree++ {
			for radius := range 3 {
				s.Cases = append(s.Cases, Case{
					Graph: fmt.Sprintf("ba-%d-%d", n, degree), Measure: "volume", Radius: &radius,
					Strategies: []string{"volume-lists", "volume-bitmap", CPU},
				})
			}
		}
	}
	return s
}

// VolumeRadii are the radii at which volumes are compared with closeness; radius 0 is the degree.
const VolumeRadii = 3

// volumeCloseness tests what Cabral et al. rest on: that the volume of radius 2 ranks nodes like closeness does.
func volumeCloseness() Suite {
	s := Suite{
		Name: "volume-closeness", Precisions: []string{Double},
		About: "Cabral et al.: how much the order by volume of radius 0, 1 and 2 agrees with that by closeness.",
	}
	for _, g := range []string{
		"ca-GrQc-lcc", "facebook_combined", "as-caida20071105", "cit-HepTh", "email-Enron-lcc", "power",
		"ba-100000-2", "smallworld-16384-10", "rgg14", "road84x84",
	} {
		for radius := range VolumeRadii {
			s.Cases = append(s.Cases, Case{
				Graph: g, Measure: "volume", Radius: &radius, Against: "closeness", Strategies: []string{CPU},
			})
		}
	}
	return s
}

// mclaughlinTable3 repeats Table III of McLaughlin and Bader (2014).
func mclaughlinTable3() Suite {
	s := Suite{
		Name: "mclaughlin-table3", Precisions: []string{Single},
		About: "McLaughlin and Bader 2014, Table III: edge-parallel against sampling.",
	}
	for _, g := range []string{
		"rgg19-34", "caidaRouterLevel", "cnr-2000", "smallworld-334863-6", "delaunay20", "ba-196591-5", "luxembourg_osm",
		"smallworld-1e5-10",
	} {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness",
			Strategies: []string{"edge-parallel", "sampling", "auto"}})
	}
	return s
}

// mclaughlinFigure5 repeats Figure 5 of McLaughlin and Bader (2014): time against scale.
func mclaughlinFigure5() Suite {
	s := Suite{
		Name: "mclaughlin-figure5", Precisions: []string{Single},
		About: "McLaughlin and Bader 2014, Figure 5: time against size.",
	}
	for _, f := range Figure5Families() {
		for _, g := range f.Graphs {
			s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Strategies: []string{"edge-parallel", "sampling"}})
		}
	}
	return s
}

// Figure5Families are the graphs of McLaughlin and Bader's Figure 5.
func Figure5Families() []ScalingFamily {
	return []ScalingFamily{
		{"random geometric", []string{"rgg15", "rgg16", "rgg17", "rgg18", "rgg19", "rgg20"}},
		{"Delaunay", []string{"delaunay10", "delaunay12", "delaunay14", "delaunay16", "delaunay18", "delaunay20"}},
		{"Kronecker", []string{"kron16", "kron17", "kron18", "kron19", "kron20"}},
	}
}

// fanTables repeats Tables 2 and 3 of Fan, Xu and Zhao (2017): weighted betweenness, weights 1 to 10 where the graph
// has none of its own.
func fanTables() Suite {
	s := Suite{
		Name: "fan-tables", Precisions: []string{Double},
		About: "Fan, Xu and Zhao 2017, Tables 2 and 3: weighted betweenness by virtual warps.",
	}
	table2 := []string{"vertex-parallel", "work-efficient", "vertex-warp-32", "work-efficient-warp-32",
		"work-efficient-warp-4", "work-efficient-warp-8", "work-efficient-warp-16", CPU}
	table3 := append([]string{"vertex-warp-4", "vertex-warp-8", "vertex-warp-16"}, table2...)
	for _, g := range []string{"breast_coexpress+w10", "road-LosAngeles+own", "rgg17-24+w10"} {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Weighted: true, Strategies: table2})
	}
	for _, g := range []string{"higgs-mention+own", "caidaRouterLevel+w10", "er-131072-262144+w10", "rmat17-2+w10"} {
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "betweenness", Weighted: true, Strategies: table3})
	}
	return s
}

// FlickrSources is the number of sources that Jia et al. took on the flickr graph.
const FlickrSources = 4096

// jiaTables repeats Tables 2.3 and 2.4 of Jia et al. (2011): four measures on one thread of the CPU and by node- and
// edge-parallel strategies; and breadth-first search from one source, which the eccentricity with respect to one source
// is.
func jiaTables() Suite {
	s := Suite{
		Name: "jia-tables", Precisions: []string{Double},
		About: "Jia et al. 2011, Tables 2.3 and 2.4: four measures, and breadth-first search, node- against edge-parallel.",
	}
	strategies := []string{"vertex-parallel", "edge-parallel", CPUSingle}
	for _, g := range []string{"er-365-3206", "ba-1458-1", "ba-2269-4", "as-caida20071105", "cit-HepTh", "rmat20-8"} {
		sources := 0
		if g == "rmat20-8" {
			sources = FlickrSources
		}
		for _, measure := range []string{"closeness", "graph", "stress", "betweenness"} {
			s.Cases = append(s.Cases, Case{Graph: g, Measure: measure, Sources: sources, Strategies: strategies})
		}
		s.Cases = append(s.Cases, Case{Graph: g, Measure: "eccentricity", Sources: 1, Strategies: strategies})
	}
	return s
}
