package plan

import (
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// Reductions are what exact reductions leave of a graph, as shares of nodes times edges.
type Reductions struct {
	// Union is what trees and blocks leave, Trees what trees alone leave.
	Union, Trees float64
	// Search and Demand are what chains leave as well: searches between branch nodes, and pairs of chains.
	// FoldDemand is Demand for folds of distances.
	Search, Demand float64
	// Branch is the number of branch nodes, Folded of nodes that trees take.
	Branch int64
	// Twins reports whether twins were merged.
	Twins bool
	// Planned reports whether this comes from a plan of reduce.New; otherwise it is an estimate from
	// degrees. Seconds is what the plan took, which is then over.
	Planned bool
	Seconds float64
	// By is the device whose host made the plan; the other would have to make it again. "" stands for any.
	By Device
}

// ReductionsOf returns what a plan leaves; seconds is the time that it took.
func ReductionsOf(i reduce.Info, seconds float64) Reductions {
	trees := 1.0
	if i.Nodes > 0 && i.Edges > 0 {
		trees = float64(i.Nodes-i.Folded) / float64(i.Nodes) * float64(i.Edges-i.Folded) / float64(i.Edges)
	}
	return Reductions{
		Union: i.BlockRatio, Trees: trees, Search: i.SearchRatio, Demand: i.DemandRatio, Branch: i.Branch,
		Twins: i.Bundled+i.Merged > 0, Planned: true, Seconds: seconds,
	}
}

// Guess estimates reductions from the degrees: nodes of degree 1 fold, those of degree 2 lie on chains, and of a forest
// nothing is left.
// Trees, blocks and twins take more, so that what is left is at most this, except on graphs of few branch
// nodes.
func (f *Features) Guess() Reductions {
	if !f.Reducible || !f.MayReduce || !f.All || f.Directed || f.Nodes == 0 || f.Edges == 0 {
		return Reductions{Union: 1, Trees: 1, Search: 1}
	}
	d, n, m := f.Degrees(), float64(f.Nodes), float64(f.Edges)
	if m < f.reached() { // a forest, or a graph with many trees
		return Reductions{Branch: 1}
	}
	leaves, branch := float64(d.Leaves), float64(max(d.Branch, 1))
	trees := (n - leaves) * max(m-leaves, 0) / (n * m)
	inner := n - leaves - branch - float64(d.Isolated)
	chains := min(inner, m)
	return Reductions{
		Union: trees, Trees: trees, Search: branch * max(m-leaves-inner, 1) / (n * m),
		Demand: chains * (branch + chains) / (n * m), Branch: int64(branch),
	}
}

// mayReduce reports whether exact reductions apply to the graph and the request: by real weights, for betweenness on
// the CPU alone.
func (f *Features) mayReduce(by Device) bool {
	return f.Reducible && f.MayReduce && f.All && !f.Directed && f.Edges <= reduce.MaxEdges && f.Edges > 0 &&
		(!f.Weighted || f.Weights().Class != Reals || by == CPU && f.Kind == kernels.Dependencies)
}

// taken names the reductions of a way.
func (r Reductions) taken(chains bool) []string {
	names := []string{"trees", "blocks"}
	if chains {
		names = append(names, "chains")
	}
	if chains && r.Twins {
		names = append(names, "twins")
	}
	return names
}

// Planning is the time of a plan for the CPU or for a device: what it took, or what it will take.
func (r *Rates) Planning(f *Features, left Reductions, by Device) float64 {
	if left.Planned && (left.By == "" || left.By == by) {
		return left.Seconds
	}
	if by == CPU {
		return r.CPU.Plan.in(float64(f.Nodes + f.Edges))
	}
	each := r.Host.Plan
	if !f.mayContract() {
		each = r.Host.PlanBlocks
	}
	return each.in(float64(f.Nodes+f.Edges)) * when(f.Weighted, r.Host.PlanWeights.Value)
}

// folding is the time to fold trees and contract chains for folds of distances, which make no use of a plan.
func (r *Rates) folding(f *Features) float64 { return r.Host.Trees.in(float64(f.Nodes + f.Edges)) }

// chainsCost predicts searches between branch nodes, for measures whose searches count paths.
func (r *Rates) chainsCost(f *Features, left Reductions) Cost {
	c, all := r.Chains, float64(f.Nodes)*float64(f.Edges)
	search := c.Link.in(left.Search*all) + c.Pair.in(left.Demand*all) + c.Branch.in(float64(left.Branch))
	search *= fittedSMs / float64(r.Shape.SMs)
	return Cost{Prepare: r.Host.Base.in(1) + r.Planning(f, left, GPU), Search: c.Base.in(1) + search}
}

// chainFoldsCost is chainsCost of the closeness family.
func (r *Rates) chainFoldsCost(f *Features, left Reductions) Cost {
	c, all := r.Chains, float64(f.Nodes)*float64(f.Edges)
	search := c.FoldLink.in(left.Search*all) + c.FoldPair.in(left.Demand*all)
	search = c.Base.in(1) + search*fittedSMs/float64(r.Shape.SMs)
	search *= when(f.EdgeScores, c.FoldEdge.Value)
	return Cost{Prepare: r.Host.Base.in(1) + 2*r.folding(f), Search: search}
}

// onUnion predicts an engine on what trees and blocks leave, or trees alone for folds.
func (r *Rates) onUnion(f *Features, left Reductions, cost func(*Features, size) Cost) Cost {
	if f.Kind == kernels.FoldedDistances {
		out := cost(f, f.size().left(left.Trees))
		out.Prepare += r.folding(f)
		return out
	}
	out := cost(f, f.size().left(left.Union))
	out.Prepare += r.Planning(f, left, GPU)
	return out
}
