// Package structures predicts the measures of a graph's structure on the CPU: what falls apart, cores and triangles,
// the last on a device as well. The rates are those of BenchmarkFind of kernels/structure on an R-MAT of scale 17 and
// as-caida20071105, and for triangles those of 16 threads of bench/results/h100-products.jsonl.
package structures

import "github.com/linchpin-graph/linchpin/kernels"

// rate is the time of a thread in seconds.
type rate struct {
	// part is per node and per arc, and alone what one thread does of that next to it.
	part, alone float64
	// wedge is per pair of edges that may close a triangle.
	wedge float64
	// single says that one thread looks at nodes and arcs.
	single bool
}

// rates has an entry for every kind that kernels/structure computes.
func rates() map[kernels.Kind]rate {
	components, search := rate{part: 6e-9}, rate{part: 45e-9, single: true}
	triangles := rate{part: 31e-9, alone: 9e-9, wedge: 3.6e-9}
	return map[kernels.Kind]rate{
		kernels.Components: components, kernels.StrongComponents: search, kernels.EdgeComponents: search,
		kernels.Articulation: search, kernels.Bridges: search, kernels.Blocks: search,
		kernels.Cores: {part: 20e-9}, kernels.Trusses: {part: 40e-9, wedge: 21e-9},
		kernels.Triangles: triangles, kernels.Clustering: triangles, kernels.Similarity: triangles,
		kernels.Curvature: triangles,
	}
}

// Kinds lists the kinds that Seconds predicts.
func Kinds() (kinds []kernels.Kind) {
	for kind := range rates() {
		kinds = append(kinds, kind)
	}
	return kinds
}

// Graph is what a prediction needs to know. Wedges, as looks.Wedges has them, are asked for only where triangles are
// looked for.
type Graph struct {
	Nodes, Arcs int64
	Wedges      func() float64
}

// perThread is what starting a thread and waiting for it adds to a pass over triangles.
const perThread = 60e-6

// Seconds predicts the time of a measure of a kind, of so many busy threads added up. Without triangles, degrees are
// all that is looked at.
func Seconds(kind kernels.Kind, g Graph, threads float64, triangles bool) float64 {
	r, parts := rates()[kind], float64(g.Nodes+g.Arcs)
	looks := parts * (r.part + r.alone*threads)
	if r.single {
		looks *= threads
	}
	if r.alone > 0 {
		looks += perThread * threads * threads
	}
	if !triangles || r.wedge == 0 {
		return looks
	}
	return looks + g.Wedges()*r.wedge
}

// OnDevices lists the kinds that DeviceSeconds predicts: those of triangles.
func OnDevices() []kernels.Kind {
	return []kernels.Kind{kernels.Triangles, kernels.Clustering, kernels.Similarity, kernels.Curvature}
}

// DeviceSeconds predicts the time of a measure of triangles on a device, with the host's part.
func DeviceSeconds(g Graph, triangles bool) float64 {
	looks := 0.5e-3 + 4.3e-9*float64(g.Nodes+g.Arcs)
	if !triangles {
		return looks
	}
	return looks + 7e-12*g.Wedges()
}
