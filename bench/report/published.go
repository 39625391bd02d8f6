package report

// What others published, to stand beside what was measured here.

// earlier are the rates, in GTEPS, of other GPU programs, measured earlier on the same kind of GPU: an NVIDIA H200, 20
// November 2026. HybridBC is McLaughlin and Bader's code and CuGraph RAPIDS cuGraph 26.10, in single precision; both
// columns are of unweighted betweenness. EasyGraph is that program's GPU code, of weighted betweenness.
type earlier struct {
	HybridBC, CuGraph, EasyGraph float64
	// Overflowed names the columns whose scores were not finite.
	Overflowed []string
}

const earlierNote = "hybrid_BC, cuGraph 26.10 and EasyGraph: measured earlier on the same kind of GPU (one NVIDIA " +
	"H200, 2026-11-20), in single precision. " +
	"NaN: the program was done in this time, but scores were not finite."

// earlierRates by the graph's name.
func earlierRates() map[string]earlier {
	return map[string]earlier{
		"kron20": {HybridBC: 4.89, CuGraph: 1.94}, "kron16": {HybridBC: 7.70, CuGraph: 2.31},
		"ba-1e6-4": {HybridBC: 2.70, CuGraph: 0.59}, "smallworld-1e5-10": {HybridBC: 7.88, CuGraph: 0.91},
		"delaunay20":     {HybridBC: 2.77, Overflowed: []string{"hybrid_BC"}},
		"delaunay17":     {HybridBC: 4.02, CuGraph: 0.46, Overflowed: []string{"cuGraph"}},
		"rgg20":          {HybridBC: 4.25, Overflowed: []string{"hybrid_BC"}},
		"rgg17":          {HybridBC: 4.93, CuGraph: 0.51, Overflowed: []string{"hybrid_BC", "cuGraph"}},
		"luxembourg_osm": {HybridBC: 1.76, CuGraph: 0.065}, "as-caida20071105": {HybridBC: 2.37},
		"road-LosAngeles": {HybridBC: 4.11}, "caidaRouterLevel": {HybridBC: 3.34, CuGraph: 0.73},
		"web-NotreDame": {HybridBC: 4.49}, "cnr-2000": {HybridBC: 4.39}, "email-Enron-lcc": {HybridBC: 7.54, CuGraph: 0.74},
		"facebook_combined": {HybridBC: 5.98},
		"air-routes+own":    {EasyGraph: 1.40}, "higgs-mention+own": {EasyGraph: 0.61},
		"road-LosAngeles+own": {EasyGraph: 0.046},
		"email-Enron-lcc+w10": {EasyGraph: 1.89}, "delaunay_n16+w10": {EasyGraph: 0.65},
		"rmat16-16+w10": {EasyGraph: 3.35}, "rmat16-16+real": {EasyGraph: 2.68}, "caidaRouterLevel+w10": {EasyGraph: 1.31},
	}
}

// goalRates are the GTEPS wanted of auto in single precision, by the graph's name; in double 0.6 of them.
func goalRates() map[string]float64 {
	return map[string]float64{
		"kron20": 200, "kron16": 150, "ba-1e6-4": 60, "smallworld-1e5-10": 40, "delaunay20": 25, "delaunay17": 30,
		"rgg20": 50, "rgg17": 50,
		"luxembourg_osm": 50, "as-caida20071105": 30, "road-LosAngeles": 20, "caidaRouterLevel": 30, "web-NotreDame": 40,
		"cnr-2000":        40,
		"email-Enron-lcc": 40, "facebook_combined": 40,
	}
}

// doubleShare of a goal is wanted in double precision; edgeLimit is what edge scores may cost.
const (
	doubleShare = 0.6
	edgeLimit   = 1.3
)

// sriramRow is a row of Table 1 of Sriram et al.: seconds on a Tesla T10 and on one core of an Athlon 64 X2 4400+.
type sriramRow struct {
	Graph, Theirs string
	GPU, CPU      float64
}

func sriramTable1() []sriramRow {
	return []sriramRow{
		{"rmat12-8", "scale 12", 1.74, 52.01}, {"rmat14-8", "scale 14", 7.89, 162.20},
		{"rmat16-8", "scale 16", 39.67, 659.45},
		{"rmat18-8", "scale 18", 189.16, 3441.87}, {"rmat19-8", "scale 19", 402.33, 7717.01},
		{"web-NotreDame", "ND-Web", 59.73, 818.95},
	}
}

// cabralSpeedups are Tables 1 to 3 of Cabral et al., by radius and edges a new node: the median of how many times a
// Tesla K20 was faster than 32 threads on Xeon E5-2660s.
func cabralSpeedups() [3][4]float64 {
	return [3][4]float64{{152, 125, 121, 84}, {142, 135, 130, 136}, {1. / 3, 1. / 5, 1. / 6, 1. / 7}}
}

// mclaughlinRow is a row of Table III of McLaughlin and Bader: MTEPS on a GeForce GTX Titan.
type mclaughlinRow struct {
	Graph, Theirs          string
	EdgeParallel, Sampling float64
}

func mclaughlinTable3() []mclaughlinRow {
	return []mclaughlinRow{
		{"rgg19-34", "af_shell9", 18.00, 239.66}, {"caidaRouterLevel", "caidaRouterLevel", 180.98, 182.21},
		{"cnr-2000", "cnr-2000", 141.75, 220.64}, {"smallworld-334863-6", "com-amazon", 109.72, 127.79},
		{"delaunay20", "delaunay_n20", 14.19, 145.09}, {"ba-196591-5", "loc-gowalla", 209.56, 219.31},
		{"luxembourg_osm", "luxembourg.osm", 4.74, 39.42}, {"smallworld-1e5-10", "smallworld", 297.48, 398.63},
	}
}

// fanColumn is a column of Tables 2 and 3 of Fan, Xu and Zhao: seconds on a GeForce GTX 1080, by strategy; cpu are four
// threads of a Core i7-7700K.
type fanColumn struct {
	Graph, Theirs string
	Seconds       map[string]float64
}

func fanTables() []fanColumn {
	column := func(graph, theirs string, cpu, np, np4, np8, np16, np32, we, we4, we8, we16, we32 float64) fanColumn {
		return fanColumn{graph, theirs, map[string]float64{
			"cpu": cpu, "vertex-parallel": np, "vertex-warp-4": np4, "vertex-warp-8": np8, "vertex-warp-16": np16,
			"vertex-warp-32": np32,
			"work-efficient": we, "work-efficient-warp-4": we4, "work-efficient-warp-8": we8,
			"work-efficient-warp-16": we16, "work-efficient-warp-32": we32,
		}}
	}
	return []fanColumn{
		column("breast_coexpress+w10", "bio-human-gene2", 1023.48, 697.51, 0, 0, 0, 196.67, 612.14, 327.93, 229.53, 174.51,
			159.68),
		column("road-LosAngeles+own", "rec-amazon", 656.59, 309.49, 0, 0, 0, 1115.83, 226.55, 229.46, 238.03, 255.84, 282.98),
		column("rgg17-24+w10", "sc-shipsec1", 4046.30, 889.72, 0, 0, 0, 1478.78, 776.21, 502.52, 479.26, 484.18, 527.08),
		column("higgs-mention+own", "mt-higgs", 746.84, 222.60, 205.47, 222.39, 260.28, 337.89, 197.24, 166.88, 169.14,
			184.45, 215.46),
		column("caidaRouterLevel+w10", "rt-higgs", 21522.20, 4681.37, 4182.84, 4446.10, 5088.25, 6205.65, 4197.30, 3574.16,
			3641.77, 4008.30, 4757.07),
		column("er-131072-262144+w10", "ER, 2^17 nodes, degree 4", 0, 550.86, 578.09, 629.71, 805.60, 1294.71, 435.93, 413.36,
			420.20, 449.54, 501.69),
		column("rmat17-2+w10", "Kronecker, 2^17 nodes, degree 4", 0, 197.54, 159.74, 162.92, 179.60, 250.16, 133.84, 118.90,
			115.25, 115.12, 118.61),
	}
}

// jiaRow is a row of Tables 2.3 and 2.4 of Jia et al.: seconds on one thread of a Core i7-975 for closeness (CC), graph
// (GC), stress (SC) and betweenness (BC) centrality; milliseconds of a breadth-first search on that CPU and, node- and
// edge-parallel, on a GeForce GTX 480 (0: not published).
type jiaRow struct {
	Graph, Theirs    string
	CC, GC, SC, BC   float64
	CPU, Node, Edges float64
}

func jiaTables() []jiaRow {
	return []jiaRow{
		{"er-365-3206", "sp500-038", 0.006, 0.006, 0.22, 0.22, 0, 0, 0},
		{"ba-1458-1", "bo", 0.047, 0.049, 0.119, 0.117, 0, 0, 0},
		{"ba-2269-4", "cg-web", 0.160, 0.160, 0.506, 0.503, 0.099, 0.531, 0.225},
		{"as-caida20071105", "as-rel.20071008", 20, 20, 52, 52, 0.891, 3.670, 0.489},
		{"cit-HepTh", "hep-th", 76, 75, 251, 225, 2.923, 3.763, 0.753},
		{"rmat20-8", "flickr, 4096 sources", 341, 343, 824, 854, 72.397, 26.659, 11.926},
	}
}
