package kernels

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// The closeness family: closeness, harmonic, graph, eccentricity. Each folds the distances d(t,v) of the nodes t that
// reach v. Searches run forwards from the sources t and fold at the nodes they reach, so that sources can be sampled.
// For an edge (u,v) the distance is that of its nearer end, over the t other than u and v.

// distanceFold is a measure of the closeness family.
type distanceFold struct {
	measure string
	kind    Fold
	// isLength says that the score is the length of a path, inverted that it is 1 / such a length.
	isLength, inverted bool
	// add folds one more distance, from so many sources, into a sum that starts at 0; join folds two sums.
	add  func(sum, d, sources float64) float64
	join func(sum, other float64) float64
	// score makes the score of the folded sum: from how many sources it was folded, and how many there could be.
	score func(sum, count, others float64, r Request) float64
	// blocks is the same fold over the blocks of an undirected graph; 0 where a sum over blocks is none over nodes.
	blocks closeness.Fold
}

func sumOf(sum, x float64) float64           { return sum + x }
func greatestOf(sum, x float64) float64      { return max(sum, x) }
func addDistances(sum, d, k float64) float64 { return sum + k*d }
func addInverses(sum, d, k float64) float64  { return sum + k/d }
func takeGreatest(sum, d, _ float64) float64 { return max(sum, d) }

func closenessFold() *distanceFold {
	return &distanceFold{measure: "closeness", kind: FoldSum, add: addDistances, join: sumOf, blocks: closeness.Sum, score: func(sum, count, others float64, r Request) float64 {
		switch r.Variant {
		case WassermanFaust:
			return quotient(count, sum) * quotient(count*sampleScale(r), others)
		case Classic:
			return quotient(1, sum*sampleScale(r))
		}
		return quotient(count, sum)
	}}
}

// 1 / (a + b) is not made of 1 / a and 1 / b, so harmonic has no fold over blocks.
func harmonicFold() *distanceFold {
	return &distanceFold{measure: "harmonic", kind: FoldInverse, add: addInverses, join: sumOf, score: func(sum, _, others float64, r Request) float64 {
		if r.Normalized != nil && !*r.Normalized {
			return sum * sampleScale(r)
		}
		return quotient(sum*sampleScale(r), others)
	}}
}

func eccentricityFold() *distanceFold {
	return &distanceFold{
		measure: "eccentricity", kind: FoldGreatest, isLength: true, add: takeGreatest, join: greatestOf, blocks: closeness.Greatest,
		score: func(sum, _, _ float64, _ Request) float64 { return sum },
	}
}

func graphFold() *distanceFold {
	return &distanceFold{
		measure: "graph", kind: FoldGreatest, inverted: true, add: takeGreatest, join: greatestOf, blocks: closeness.Greatest,
		score: func(sum, _, _ float64, _ Request) float64 { return quotient(1, sum) },
	}
}

func sampleScale(r Request) float64 {
	if r.Scale == 0 {
		return 1
	}
	return r.Scale
}

// cpu computes the measure.
func (f *distanceFold) cpu(ctx context.Context, g *export.Graph, r Request) (*Scores, error) {
	l, err := newLengths(ctx, g, r.Params)
	if err != nil {
		return nil, err
	}
	out, err := f.fold(ctx, g, r, l)
	if err != nil {
		return nil, err
	}
	factor := f.inUnits(math.Pow10(l.shift()))
	scale(out.Nodes, factor)
	scale(out.Edges, factor)
	return out, usable(f.measure, g, out, false)
}

// inUnits returns what a score is multiplied by when lengths were measured in a unit.
func (f *distanceFold) inUnits(unit float64) float64 {
	if f.isLength {
		return unit
	}
	return 1 / unit
}

// fold computes the measure in the units of the lengths.
func (f *distanceFold) fold(ctx context.Context, g *export.Graph, r Request, l lengths) (*Scores, error) {
	out := &Scores{Ties: l.ties()}
	if f.blocks != 0 {
		plan, reduction, err := planReduction(ctx, g, r, l, true)
		if err != nil {
			return nil, err
		}
		left := worthwhile(g, r.Weighted, true) // of the work
		if plan != nil {
			left = reduction.WorkRatio
		}
		if chains := planContracted(g, r, l, f.blocks, left); chains != nil {
			out.Reduction = chains.about
			return out, f.overChains(ctx, chains, g, r, l, out)
		}
		if out.Reduction = reduction; plan != nil {
			return out, f.overBlocks(ctx, plan, r, l, out)
		}
	}
	sums := newFolded(g, r.Edges)
	newFolding := func() folding {
		return folding{fold: f, g: g, own: newFolded(g, r.Edges), reach: newReach(g.N()), all: sums, totals: &out.Totals}
	}
	single := func(stop *stopper.Stopper) worker {
		return &foldWorker{folding: newFolding(), search: l.newSearch(g, false, stop)}
	}
	err := overBatches(ctx, g, r, single, func(stop *stopper.Stopper) worker {
		return &foldBatchWorker{folding: newFolding(), search: newMultiBFS(g, stop)}
	})
	if err != nil {
		return nil, err
	}
	nodes := make([]float64, g.N())
	for v := range nodes {
		nodes[v] = f.score(sums.nodes[v], sums.nodeCount[v], float64(g.N()-1), r)
	}
	if r.Nodes {
		out.Nodes = nodes
	}
	if r.Edges {
		out.Edges = make([]float64, g.M())
		for e := range out.Edges {
			out.Edges[e] = f.score(sums.edges[e], sums.edgeCount[e], float64(g.N()-2), r)
		}
		loopScores(g, nodes, out.Edges)
	}
	return out, nil
}

// overBlocks computes the scores of nodes by a plan.
func (f *distanceFold) overBlocks(ctx context.Context, plan *reduce.Reduced, r Request, l lengths, out *Scores) error {
	folds, err := plan.FoldDistances(ctx, f.blocks)
	if err != nil {
		return err
	}
	out.Totals = Totals{Pairs: plan.Info.Pairs, NoDistance: f.blocks != closeness.Sum}
	for v, ticks := range folds {
		length := lengthOf(l, ticks)
		if f.blocks == closeness.Sum {
			out.Totals.Distance += length
		}
		folds[v] = f.score(length, float64(plan.Reached(int32(v))), float64(len(folds)-1), r)
	}
	out.Nodes = folds
	return nil
}

// loopScores gives self-loops the scores of their nodes.
func loopScores(g *export.Graph, nodes, edges []float64) {
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if g.Targets[i] == v {
				edges[g.Edge(i)] = nodes[v]
			}
		}
	}
}

// folded has the folded sum of distances of every node and edge, and of how many sources.
type folded struct {
	nodes, nodeCount, edges, edgeCount []float64
}

func newFolded(g *export.Graph, edges bool) *folded {
	f := &folded{nodes: make([]float64, g.N()), nodeCount: make([]float64, g.N())}
	if edges {
		f.edges, f.edgeCount = make([]float64, g.M()), make([]float64, g.M())
	}
	return f
}

// folding is what workers fold.
type folding struct {
	fold     *distanceFold
	g        *export.Graph
	own, all *folded
	reach    reach
	sum      Totals
	totals   *Totals
}

// foldWorker searches from one source after another.
type foldWorker struct {
	folding
	search search
}

func (w *foldWorker) source(s int32) error {
	if err := w.search.from(s); err != nil {
		return err
	}
	p := w.search.found()
	w.sum.add(p, w.search)
	w.reach.add(p.order)
	for _, v := range p.order[1:] {
		w.own.nodes[v] = w.fold.add(w.own.nodes[v], w.search.distance(v), 1)
		w.own.nodeCount[v]++
	}
	if w.own.edges != nil {
		w.edges(s, p)
	}
	return nil
}

// edges folds distances at the edges: each at the arc that leaves its nearer end.
func (w *foldWorker) edges(s int32, p *paths) {
	back := w.g.Transpose()
	for _, v := range p.order[1:] {
		d := w.search.distance(v)
		w.row(w.g, s, v, d, false)
		if w.g.Directed {
			w.row(back, s, v, d, true)
		}
	}
}

// row folds d at the edges of v's row whose nearer end is v. Of two ends equally near, the one with the smaller index
// counts when undirected, and the one the arc leaves when directed.
func (w *foldWorker) row(g *export.Graph, s, v int32, d float64, back bool) {
	for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
		u := g.Targets[i]
		if u == s || u == v {
			continue
		}
		if w.search.reached(u) {
			far := w.search.distance(u)
			if far < d || far == d && (back || !g.Directed && u < v) {
				continue
			}
		}
		e := g.Edge(i)
		w.own.edges[e] = w.fold.add(w.own.edges[e], d, 1)
		w.own.edgeCount[e]++
	}
}

func (w *folding) merge() error {
	if w.reach.many {
		w.all.join(w.own, w.fold.join)
	} else {
		for _, v := range w.reach.nodes {
			w.all.joinAt(w.own, w.fold.join, w.g, v)
		}
	}
	w.reach.forget()
	w.totals.merge(&w.sum)
	return nil
}

// join joins all of from, and clears it.
func (f *folded) join(from *folded, join func(sum, other float64) float64) {
	for i, x := range from.nodes {
		f.nodes[i] = join(f.nodes[i], x)
	}
	for i, x := range from.edges {
		f.edges[i] = join(f.edges[i], x)
	}
	clear(from.nodes)
	clear(from.edges)
	move(f.nodeCount, from.nodeCount)
	move(f.edgeCount, from.edgeCount)
}

// joinAt joins what from has of a node and its edges, and clears it.
func (f *folded) joinAt(from *folded, join func(sum, other float64) float64, g *export.Graph, v int32) {
	f.nodes[v], from.nodes[v] = join(f.nodes[v], from.nodes[v]), 0
	f.nodeCount[v], from.nodeCount[v] = f.nodeCount[v]+from.nodeCount[v], 0
	if f.edges == nil {
		return
	}
	edges := func(g *export.Graph) {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			e := g.Edge(k) // 0 from an edge's other end
			f.edges[e], from.edges[e] = join(f.edges[e], from.edges[e]), 0
			f.edgeCount[e], from.edgeCount[e] = f.edgeCount[e]+from.edgeCount[e], 0
		}
	}
	edges(g)
	if g.Directed {
		edges(g.Transpose())
	}
}
