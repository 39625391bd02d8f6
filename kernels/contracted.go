package kernels

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// contractedGain is the share of the work of other reductions that chains may leave to be taken for distances (not measured).
const contractedGain = 0.5

// contractedShare is the share of nodes of degree 3 and more up to which chains are looked at (not measured).
const contractedShare = 0.5

// contractedPlan is what folding trees and contracting chains leave of a graph, for folds of distances.
type contractedPlan struct {
	middles *closeness.Subdivided // nil unless edge scores are wanted
	trees   *closeness.Trees
	core    *closeness.Contracted
	about   *Reduction
}

// planContracted folds trees and contracts chains where the request lets it and a list asks for it, or where so much less of the work is left than
// by other reductions; otherwise, or where numbers or memory do not fit, it returns nil.
func planContracted(g *export.Graph, r Request, l lengths, fold closeness.Fold, other float64) *contractedPlan {
	mode, switches, err := parseReduce(r.Reduce)
	ticks, obstacle := reducible(g, r, l)
	if err != nil || mode == ReduceOff || switches.NoTrees || switches.NoChains || obstacle != "" || !fewBranch(g) && !switches.NoBlocks {
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
	p := &contractedPlan{}
	if p.middles, p.trees = closeness.FoldTrees(g, arcs, fold, r.Edges); p.trees == nil {
		return nil
	}
	p.core = closeness.Contract(p.trees.Graph)
	standing := p.trees.Standing()
	if p.core == nil || len(p.core.Branch) == standing && (standing > 0 || p.middles == nil) || !p.core.Fits(p.trees) || p.core.Bytes() > reduce.DefaultMemory+contractedBytes*int64(g.N()+g.M()) {
		return nil
	}
	if p.middles != nil && !p.middles.Exact(p.trees, closeness.LongestContracted) {
		return nil
	}
	ratio := p.core.WorkRatio(g.N(), g.M())
	if !switches.NoBlocks && ratio > contractedGain*other {
		return nil
	}
	p.about = &Reduction{WorkRatio: ratio, Searched: int64(len(p.core.Branch)), Seconds: time.Since(start).Seconds(), Taken: []string{}}
	if p.trees.Folded() > 0 {
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

// overChains computes the scores by a plan.
func (f *distanceFold) overChains(ctx context.Context, p *contractedPlan, g *export.Graph, r Request, l lengths, out *Scores) error {
	folds, counts, err := closeness.FoldContracted(ctx, p.trees, p.core, r.Threads, r.Progress)
	if err != nil {
		return err
	}
	var sums Folds
	sums, out.Totals = UnfoldTrees(p.trees, p.middles, folds, counts, func(ticks float64) float64 { return lengthOf(l, ticks) })
	if r.Nodes {
		out.Nodes = make([]float64, g.N())
	}
	if r.Edges {
		out.Edges = make([]float64, g.M())
	}
	return sums.Scores(f.measure, g, r, out.Nodes, out.Edges)
}
