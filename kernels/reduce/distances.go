package reduce

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/parallel"
)

// block is a biconnected component on its way through FoldDistances: a bridge from top to low, or a core.
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

// FoldDistances folds, for each node, its distances to all others that a path joins to it: in hops or ticks, 0 where
// there is none. It searches blocks one by one, where a node stands for those behind it: for a sum by their number and
// the sum of their distances to it, for the greatest by the farthest of them. The Reduced must have been made with
// Options.Distances. Values are the same bits for every number of threads. The error is the context's, or an
// ErrOptions.
func (r *Reduced) FoldDistances(ctx context.Context, fold closeness.Fold) ([]float64, error) {
	if !r.options.Distances {
		return nil, fmt.Errorf("%w: blocks were not kept", ErrOptions)
	}
	stop := stopper.New(ctx)
	defer stop.Release()
	n := len(r.size)
	f := &folder{
		run: parallel.NewRun(stop, r.options.Threads, r.options.Progress), how: fold, cores: r.cores,
		down: make([]float64, n), up: make([]float64, n),
		before: make([]float64, len(r.blocks)), below: make([]float64, len(r.blocks)),
	}
	for i := range r.cores {
		f.run.Expect(len(r.cores[i].Nodes), r.cores[i].LinkCount)
	}
	for i := range r.blocks {
		f.fromTop(i, &r.blocks[i])
	}
	after := make([]float64, n)
	for i := len(r.blocks) - 1; i >= 0 && !stop.Stopped(); i-- {
		b := &r.blocks[i]
		f.toLower(b, f.how.Join(f.up[b.top], f.how.Join(f.before[i], after[b.top])))
		after[b.top] = f.how.Join(after[b.top], f.below[i])
	}
	for v := range f.up {
		f.up[v] = f.how.Join(f.up[v], f.down[v])
	}
	return f.up, stop.Err()
}

// folder folds distances from the leaves of the tree of blocks to its roots, and back. Nothing is subtracted, so sums
// lose no digits.
type folder struct {
	run    *parallel.Run
	how    closeness.Fold
	cores  []cores.Core
	down   []float64 // by node: its distances to what hangs from it by the blocks below
	up     []float64 // by node: its distances to all else
	before []float64 // by block: down of its top without this block and later ones
	below  []float64 // by block: the top's distances to what it reaches by this block
}

// fromTop folds the distances of the top of block i to what it reaches by the block.
func (f *folder) fromTop(i int, b *block) {
	f.before[i] = f.down[b.top]
	if b.core < 0 {
		f.below[i] = f.how.Shift(b.length, b.ofLow, f.down[b.low])
	} else {
		c := &f.cores[b.core]
		for a, v := range c.Nodes {
			if v == b.top {
				f.fold(blockFold{c, b.top, 0, []int32{int32(a)}, func(_ int32, fold float64) { f.below[i] = fold }})
			}
		}
	}
	f.down[b.top] = f.how.Join(f.down[b.top], f.below[i])
}

// toLower folds the distances of the other nodes of a block to what they reach by it; inside is what the distances of
// its top to all that is not below it folded to.
func (f *folder) toLower(b *block, inside float64) {
	if b.core < 0 {
		f.up[b.low] = f.how.Shift(b.length, b.ofTop, inside)
		return
	}
	c := &f.cores[b.core]
	var sources []int32
	for a, v := range c.Nodes {
		if v != b.top {
			sources = append(sources, int32(a))
		}
	}
	f.fold(blockFold{c, b.top, inside, sources, func(a int32, fold float64) { f.up[c.Nodes[a]] = fold }})
}

// blockFold is a core to search from some of its nodes.
type blockFold struct {
	core    *cores.Core
	top     int32   // node of the graph
	inside  float64 // of the top; of other nodes it is what hangs from them
	sources []int32
	// report is called with what the distances of each source fold to, from several goroutines.
	report func(source int32, fold float64)
}

func (f *folder) fold(b blockFold) {
	if b.core.FitsInt32(f.run.Stopped) {
		foldAs[int32](f, b)
	} else {
		foldAs[int64](f, b)
	}
}

func foldAs[T cores.Distance](f *folder, b blockFold) {
	const chunk = 64 // sources, so that small cores stay on one thread
	c, sources := b.core, b.sources
	p := cores.NewProblem[T](c)
	inside := make([]float64, len(c.Nodes))
	for i, v := range c.Nodes {
		if inside[i] = f.down[v]; v == b.top {
			inside[i] = b.inside
		}
	}
	f.run.Each((len(sources)+chunk-1)/chunk, func(int) func(int) {
		s, row := cores.NewSearch(p, f.run.Stopped), cores.NewRow[T](len(c.Nodes))
		return func(i int) {
			these := sources[i*chunk : min((i+1)*chunk, len(sources))]
			for _, a := range these {
				if !s.From(a, row) {
					return
				}
				b.report(a, foldRow(f.how, row.Dist, a, c.Omega, inside))
			}
			f.run.Done(len(these), c.LinkCount)
		}
	})
}

// foldRow folds the distances of source a to all other nodes and to those that they stand for, as Fold.Shift and Fold.Join
// do. Each fold has a loop of its own, for speed.
func foldRow[T cores.Distance](how closeness.Fold, dist []T, a int32, omega, inside []float64) float64 {
	fold := 0.0
	if how == closeness.Greatest {
		for w, d := range dist {
			if w != int(a) {
				fold = max(fold, float64(d)+inside[w])
			}
		}
		return fold
	}
	for w, d := range dist {
		if w != int(a) {
			fold += omega[w]*float64(d) + inside[w]
		}
	}
	return fold
}
