package plan

import "math"

// What holds a graph together: a few looks at every arc, or one at every pair of arcs that may close a triangle.

// StructureRates are those of a thread.
type StructureRates struct {
	// Join is for components, Search for depth-first searches, Peel for cores.
	Join, Search, Peel Rate
	// Wedge is for triangles, Truss for trusses.
	Wedge, Truss Rate
}

func cpuStructure() StructureRates {
	const from = "BenchmarkFind of kernels/structure, rmat17 and as-caida20071105"
	return StructureRates{
		Join: ns(10, "node or arc", from), Search: ns(45, "node or arc", from), Peel: ns(40, "node or arc", from),
		Wedge: ns(3, "pair of arcs", from), Truss: ns(15, "pair of arcs", from),
	}
}

func (f *Features) nodesAndArcs() float64 { return float64(f.Nodes) + float64(f.Arcs) }

// wedges bounds the pairs of arcs that a pass over triangles looks at: no row of it is longer than the square root of 2m, or than the
// greatest degree.
func (f *Features) wedges() float64 {
	m := float64(f.Edges)
	return m * math.Min(math.Sqrt(m), float64(f.Degrees().Greatest))
}

// joinsOnCPU is the time of all threads for components, peelsOnCPU for cores, wedgesOnCPU for what is made of triangles.
func (r Rates) joinsOnCPU(f *Features, _ int) float64 {
	return r.CPU.Structure.Join.in(f.nodesAndArcs())
}

func (r Rates) peelsOnCPU(f *Features, _ int) float64 {
	return r.CPU.Structure.Peel.in(f.nodesAndArcs())
}

func (r Rates) wedgesOnCPU(f *Features, threads int) float64 {
	return r.peelsOnCPU(f, threads) + r.CPU.Structure.Wedge.in(f.wedges())
}

// depthsOnCPU and trussesOnCPU are the times of one thread, while the others wait.
func (r Rates) depthsOnCPU(f *Features, threads int) float64 {
	return r.CPU.Structure.Search.in(f.nodesAndArcs()) * r.busy(f, threads)
}

func (r Rates) trussesOnCPU(f *Features, threads int) float64 {
	return r.wedgesOnCPU(f, threads) + r.CPU.Structure.Truss.in(f.wedges())*r.busy(f, threads)
}
