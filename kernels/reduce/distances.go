package reduce

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Fold says how the distances to a node become one number.
type Fold int

// Distances are summed, or the greatest counts.
const (
	Sum Fold = iota + 1
	Greatest
)

// block is a biconnected component on its way through FoldDistances: a bridge from top to low, or a core.
type block struct {
	top  int32 // node that joins it to the block above
	core int32 // -1 for a bridge
	low  int32
	// length of the bridge, and the nodes that top and low stand for
	length, ofTop, ofLow float64
}

// blockOf records a part, which is the next core unless it is a single edge. Parts come after those that hang from them.
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

// FoldDistances folds, for each node, its distances to all others that a path joins to it: in hops or ticks, 0 where
// there is none. It searches blocks one by one, where a node stands for those behind it: for a sum by their number and
// the sum of their distances to it, for the greatest by the farthest of them. The Reduced must have been made with
// Options.Distances. Values are the same bits for every number of threads. The error is the context's, or an ErrOptions.
func (r *Reduced) FoldDistances(ctx context.Context, fold Fold) ([]float64, error) {
	if !r.options.Distances {
		return nil, fmt.Errorf("%w: blocks were not kept", ErrOptions)
	}
	stop := stopper.New(ctx)
	defer stop.Release()
	n := len(r.size)
	f := &folder{
		run: &run{options: &r.options, stop: stop, threads: r.options.threads()}, greatest: fold == Greatest, cores: r.Cores,
		down: make([]float64, n), up: make([]float64, n), before: make([]float64, len(r.blocks)), below: make([]float64, len(r.blocks)),
	}
	for i := range r.Cores {
		f.plan(len(r.Cores[i].Nodes), r.Cores[i].LinkCount)
	}
	for i := range r.blocks {
		f.fromTop(i, &r.blocks[i])
	}
	after := make([]float64, n)
	for i := len(r.blocks) - 1; i >= 0 && !stop.Stopped(); i-- {
		b := &r.blocks[i]
		f.toLower(b, f.join(f.up[b.top], f.join(f.before[i], after[b.top])))
		after[b.top] = f.join(after[b.top], f.below[i])
	}
	for v := range f.up {
		f.up[v] = f.join(f.up[v], f.down[v])
	}
	return f.up, stop.Err()
}

// folder folds distances from the leaves of the tree of blocks to its roots, and back. Nothing is subtracted, so sums
// lose no digits.
type folder struct {
	*run
	greatest bool
	cores    []Core
	down     []float64 // by node: its distances to what hangs from it by the blocks below
	up       []float64 // by node: its distances to all else
	before   []float64 // by block: down of its top without this block and later ones
	below    []float64 // by block: the top's distances to what it reaches by this block
}

// join folds two folds.
func (f *folder) join(a, b float64) float64 {
	if f.greatest {
		return max(a, b)
	}
	return a + b
}

// add folds the distances to a node of a block and to those it stands for, whose distances to it were folded to inside.
func (f *folder) add(sum, distance, omega, inside float64) float64 {
	if f.greatest {
		return max(sum, distance+inside)
	}
	return sum + (omega*distance + inside)
}

// fromTop folds the distances of the top of block i to what it reaches by the block.
func (f *folder) fromTop(i int, b *block) {
	f.before[i] = f.down[b.top]
	if b.core < 0 {
		f.below[i] = f.add(0, b.length, b.ofLow, f.down[b.low])
	} else {
		c := &f.cores[b.core]
		for a, v := range c.Nodes {
			if v == b.top {
				f.fold(c, []int32{int32(a)}, b, 0, func(_ int32, sum float64) { f.below[i] = sum })
			}
		}
	}
	f.down[b.top] = f.join(f.down[b.top], f.below[i])
}

// toLower folds the distances of the other nodes of a block to what they reach by it; inside is what the distances of
// its top to all that is not below it folded to.
func (f *folder) toLower(b *block, inside float64) {
	if b.core < 0 {
		f.up[b.low] = f.add(0, b.length, b.ofTop, inside)
		return
	}
	c := &f.cores[b.core]
	var sources []int32
	for a, v := range c.Nodes {
		if v != b.top {
			sources = append(sources, int32(a))
		}
	}
	f.fold(c, sources, b, inside, func(a int32, sum float64) { f.up[c.Nodes[a]] = sum })
}

// fold searches a core from some of its nodes and tells what the distances of each fold to, from several goroutines.
func (f *folder) fold(c *Core, sources []int32, b *block, insideTop float64, tell func(a int32, sum float64)) {
	if c.FitsInt32(f.stop.Stopped) {
		foldAs[int32](f, c, sources, b, insideTop, tell)
	} else {
		foldAs[int64](f, c, sources, b, insideTop, tell)
	}
}

func foldAs[T Distance](f *folder, c *Core, sources []int32, b *block, insideTop float64, tell func(a int32, sum float64)) {
	const chunk = 64 // sources, so that small cores stay on one thread
	p := NewProblem[T](c)
	inside := make([]float64, len(c.Nodes))
	for i, v := range c.Nodes {
		if inside[i] = f.down[v]; v == b.top {
			inside[i] = insideTop
		}
	}
	f.parallel((len(sources)+chunk-1)/chunk, func(int) func(int) {
		s, row := NewSearch(p, f.stop.Stopped), NewRow[T](len(c.Nodes))
		return func(i int) {
			these := sources[i*chunk : min((i+1)*chunk, len(sources))]
			for _, a := range these {
				if !s.From(a, row) {
					return
				}
				sum := 0.0
				for w, d := range row.Dist {
					if w != int(a) {
						sum = f.add(sum, float64(d), c.Omega[w], inside[w])
					}
				}
				tell(a, sum)
			}
			f.progress(len(these), c.LinkCount)
		}
	})
}
