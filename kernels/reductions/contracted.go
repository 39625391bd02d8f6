package reductions

import (
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// contractedGain is the share of the work of other reductions that chains may leave to be taken for distances (not
// measured).
const contractedGain = 0.5

// contractedShare is the share of nodes of degree 3 and more up to which chains are looked at (not measured).
const contractedShare = 0.5

// Contracted is what folding trees and contracting chains leave of a graph, for folds of distances.
type Contracted struct {
	Middles *closeness.Subdivided // nil unless edge scores are wanted
	Trees   *closeness.Trees
	Core    *closeness.Contracted

	about *kernels.Reduction
}

// planContracted folds trees and contracts chains where the request lets it and a list asks for it, or where so much
// less of the work is left than by other reductions; otherwise, or where numbers or memory do not fit, it returns nil.
func planContracted(
	g *export.Graph, r kernels.Request, l lengths.Lengths, fold closeness.Fold, other float64,
) *Contracted {
	reducing, err := kernels.ParseReduce(r.Reduce)
	ticks, obstacle := reducible(g, r, l)
	if err != nil || !reducing.Trees || !reducing.Chains || obstacle != "" || !fewBranch(g) && reducing.Blocks {
		return nil
	}
	start := time.Now()
	arcs := make([]float64, g.Arcs())
	for i := range arcs {
		if arcs[i] = 1; ticks == nil {
			continue
		}
		if arcs[i] = float64(ticks[i]); ticks[i] > 1<<53 {
			return nil
		}
	}
	p := &Contracted{}
	if p.Middles, p.Trees = closeness.FoldTrees(g, arcs, fold, r.Edges); p.Trees == nil {
		return nil
	}
	p.Core = closeness.Contract(p.Trees.Graph)
	standing := p.Trees.Standing()
	if p.Core == nil || len(p.Core.Branch) == standing && (standing > 0 || p.Middles == nil) || !p.Core.Fits(p.Trees) ||
		p.Core.Bytes() > reduce.DefaultMemory+contractedBytes*int64(g.N()+g.M()) {
		return nil
	}
	if p.Middles != nil && !p.Middles.Exact(p.Trees, closeness.LongestContracted) {
		return nil
	}
	ratio := p.Core.WorkRatio(g.N(), g.M())
	if reducing.Blocks && ratio > contractedGain*other {
		return nil
	}
	p.about = &kernels.Reduction{
		WorkRatio: ratio, Searched: int64(len(p.Core.Branch)), Seconds: time.Since(start).Seconds(), Taken: []string{},
	}
	if p.Trees.Folded() > 0 {
		p.about.Taken = append(p.about.Taken, "trees")
	}
	if standing > 0 {
		p.about.Taken = append(p.about.Taken, "chains")
	}
	p.about.Reduced(int64(g.N()))
	return p
}

// fewBranch says whether few nodes have over two neighbours.
func fewBranch(g *export.Graph) bool {
	branch := g.CountNodes(func(degree int64) bool { return degree > 2 })
	return float64(branch) <= contractedShare*float64(g.N())
}
