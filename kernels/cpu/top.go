package cpu

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/internal/heap"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// prepareTop prepares the highest scores of a measure of the closeness family. By weights all scores are computed.
func prepareTop(ctx context.Context, t task, l lengths.Lengths) (problem, error) {
	if !t.request.Weighted {
		return keptTop{topFolds{plain{task: t, lengths: l, byLength: true}}, *t.request.Top}, nil
	}
	all, err := prepareAll(ctx, t, l)
	return keptTop{all, *t.request.Top}, err
}

// keptTop is a problem whose result is the highest scores.
type keptTop struct {
	all   problem
	count int
}

func (p keptTop) empty() *kernels.Partial { return p.all.empty() }

func (p keptTop) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	return p.all.search(ctx, shard, into)
}

func (p keptTop) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out, err := p.all.finish(all)
	if err == nil {
		out.Kept = KeepTop(out.Nodes, p.count)
	}
	return out, err
}

// topFolds finds the nodes of the highest scores by bounds, and folds distances to these alone. Where bounds do not
// pay, it folds distances to all nodes. It is not divided: the first shard does it all.
type topFolds struct{ all plain }

func (p topFolds) empty() *kernels.Partial { return p.all.empty() }

func (p topFolds) finish(all *kernels.Partial) (*kernels.Scores, error) { return p.all.finish(all) }

func (p topFolds) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	found := p.empty()
	done, err := distances.Highest(ctx, p.all.measure, p.all.graph, p.all.request, found)
	switch {
	case err != nil:
		return err
	case !done:
		return p.all.search(ctx, kernels.Shard{}, into)
	}
	return into.Join(found)
}

// topBytes bounds the memory of topFolds: a partial result of its own, and what bounds or all folds take.
func topBytes(g kernels.Size, r kernels.Request) int64 {
	const folded, finished = 32, 16 // bytes of a node in a partial result, and where scores are made of it
	return folded*g.Nodes + max(foldBytes(g, r), distances.TopBytes(g, r)+(folded+finished)*g.Nodes+scoreBytes(g, r))
}

// equalScores is how far, relatively, a score may lie under another and still tie with it: rounding may tell two equal
// sums apart.
const equalScores = 1e-12

// KeepTop keeps the count highest scores, and all that tie with the last of them. Others become NaN, which stands for
// null. It returns how many it kept.
func KeepTop(scores []float64, count int) int {
	least, kept := math.Inf(-1), 0
	if count < len(scores) {
		least = fromAbove(scores, count) * (1 - equalScores)
	}
	for v, score := range scores {
		if score < least {
			scores[v] = math.NaN()
			continue
		}
		kept++
	}
	return kept
}

// fromAbove returns score number count from above.
func fromAbove(scores []float64, count int) float64 {
	var best heap.Heap[float64]
	for _, score := range scores {
		switch {
		case len(best) == count && score <= best[0].Key:
			continue
		case len(best) == count:
			best.Pop()
		}
		best.Push(heap.Entry[float64]{Key: score})
	}
	return best[0].Key
}
