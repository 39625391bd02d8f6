package reduce

import (
	"context"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
)

// block is a biconnected component of DistanceFolds: a bridge from top to low, or a core.
type block struct {
	top  int32 // node that joins it to the block above
	core int32 // -1 for a bridge
	low  int32
	// length of the bridge, and the nodes that top and low stand for
	length, ofTop, ofLow float64
}

// blockOf records a part, which is the next core unless it is a single edge. Parts come after those that hang from
// them.
func (p *planner) blockOf(t *part) block {
	b := block{top: t.nodes[0], core: int32(len(p.cores))}
	if len(t.arcs) == 1 {
		b.core, b.low, b.length = -1, t.nodes[1], float64(p.simple.lengthOf(t.arcs[0]))
		b.ofTop, b.ofLow = float64(t.omega[0]), float64(t.omega[1])
	}
	return b
}

// Reached is the number of other nodes that a path joins to v.
func (r *Reduced) Reached(v int32) int64 { return int64(r.size[v]) - 1 }

// DistanceFolds folds, for each node, its distances to all others that a path joins to it: in hops or ticks, 0 where
// there is none. It searches blocks one by one, where a node stands for those behind it: for a sum by their number and
// the sum of their distances to it, for the greatest by the farthest of them. Nothing is subtracted, so sums lose no
// digits.
//
// What a node folds from its own block, less what lies behind the block's top, is complete in one search. Search finds
// that for a part of the nodes. Unfold then goes from the roots of the tree of blocks to its leaves.
type DistanceFolds struct {
	reduced *Reduced
	how     closeness.Fold
	down    []float64 // by node: its distances to what hangs from it by the blocks below
	before  []float64 // by block: down of its top without this block and later ones
	below   []float64 // by block: the top's distances to what it reaches by this block
	first   []int     // by core: the number of its first node among those of all cores
	top     []int32   // by core: the node of it that is the block's top
	toTop   []float64 // by node of all cores
}

// FoldDistances searches each block from its top. The Reduced must have been made with Options.Distances. The error is
// the context's, or an ErrOptions.
func (r *Reduced) FoldDistances(ctx context.Context, fold closeness.Fold) (*DistanceFolds, error) {
	if !r.options.Distances {
		return nil, fmt.Errorf("%w: blocks were not kept", ErrOptions)
	}
	stop := stopper.New(ctx)
	defer stop.Release()
	f := &DistanceFolds{
		reduced: r, how: fold, down: make([]float64, len(r.size)),
		before: make([]float64, len(r.blocks)), below: make([]float64, len(r.blocks)),
		first: make([]int, len(r.cores)+1), top: make([]int32, len(r.cores)),
	}
	for i := range r.cores {
		f.first[i+1] = f.first[i] + len(r.cores[i].Nodes)
	}
	f.toTop = make([]float64, f.first[len(r.cores)])
	for i := range r.blocks {
		if err := stop.Err(); err != nil {
			return nil, err
		}
		f.fromTop(i, &r.blocks[i], stop)
	}
	return f, stop.Err()
}

// fromTop folds the distances of the top of block i to what it reaches by the block.
func (f *DistanceFolds) fromTop(i int, b *block, stop *stopper.Stopper) {
	f.before[i] = f.down[b.top]
	if b.core < 0 {
		f.below[i] = f.how.Shift(b.length, b.ofLow, f.down[b.low])
	} else {
		c := &f.reduced.cores[b.core]
		f.top[b.core] = int32(slices.Index(c.Nodes, b.top))
		if c.FitsInt32(stop.Stopped) {
			topAs[int32](f, b.core, stop)
		} else {
			topAs[int64](f, b.core, stop)
		}
		for a, d := range f.toTop[f.first[b.core]:f.first[b.core+1]] {
			if int32(a) != f.top[b.core] {
				f.below[i] = f.how.Join(f.below[i], f.how.Shift(d, c.Omega[a], f.down[c.Nodes[a]]))
			}
		}
	}
	f.down[b.top] = f.how.Join(f.down[b.top], f.below[i])
}

// topAs finds the distances of all nodes of a core to its top.
func topAs[T cores.Distance](f *DistanceFolds, core int32, stop *stopper.Stopper) {
	c := &f.reduced.cores[core]
	row := cores.NewRow[T](len(c.Nodes))
	cores.NewSearch(cores.NewProblem[T](c), stop.Stopped).From(f.top[core], row)
	for a, d := range row.Dist {
		f.toTop[f.first[core]+a] = float64(d)
	}
}

// Folds returns how many numbers Search finds, one of each node of each core.
func (f *DistanceFolds) Folds() int { return len(f.toTop) }

// Unfold returns what the distances of each node fold to, from what Search found in all parts. Values are the same bits
// for every number of threads and of parts.
func (f *DistanceFolds) Unfold(found []float64) []float64 {
	r := f.reduced
	up, after := make([]float64, len(r.size)), make([]float64, len(r.size)) // by node: its distances to all else
	for i := len(r.blocks) - 1; i >= 0; i-- {
		b := &r.blocks[i]
		f.toLower(b, f.how.Join(up[b.top], f.how.Join(f.before[i], after[b.top])), found, up)
		after[b.top] = f.how.Join(after[b.top], f.below[i])
	}
	for v := range up {
		up[v] = f.how.Join(up[v], f.down[v])
	}
	return up
}

// toLower folds the distances of the other nodes of a block to what they reach by it; inside is what the distances of
// its top to all that is not below it folded to.
func (f *DistanceFolds) toLower(b *block, inside float64, found, up []float64) {
	if b.core < 0 {
		up[b.low] = f.how.Shift(b.length, b.ofTop, inside)
		return
	}
	c, first, top := &f.reduced.cores[b.core], f.first[b.core], f.top[b.core]
	for a, v := range c.Nodes {
		if int32(a) != top {
			up[v] = f.how.Join(found[first+a], f.how.Shift(f.toTop[first+a], c.Omega[top], inside))
		}
	}
}
