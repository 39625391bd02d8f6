package plan

import "math"

// cutsOnCPU is the time of all threads to cut every edge by betweenness: searches from all nodes, and then a share of
// these for every cut, until the graph has fallen apart. Rows are taken to fit into memory.
func (r Rates) cutsOnCPU(f *Features, _ int) float64 {
	n, m := f.reached()-float64(f.Degrees().Leaves), float64(f.Edges-f.Degrees().Leaves)
	searches := math.Max(n, 0) * (r.CPU.Cut.in(4*math.Max(n, 0)) + r.CPU.Cut.in(2*math.Max(m, 0)))
	return searches*(1+r.CPU.CutShare.Value*math.Max(m, 0)) + r.CPU.CutBase.in(float64(f.Edges))
}
