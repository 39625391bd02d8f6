package cpu

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// prepareTop prepares the highest scores of a measure of the closeness family. By weights all scores are computed.
func prepareTop(ctx context.Context, t task, l lengths.Lengths) (problem, error) {
	all, err := problem(topFolds{plain{task: t, lengths: l, byLength: true}}), error(nil)
	if t.request.Weighted {
		all, err = prepareAll(ctx, t, l)
	}
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
		out.Kept = kernels.KeepTop(out.Nodes, p.count)
	}
	return out, err
}

// topFolds finds the nodes of the highest scores by bounds, and folds distances to these alone. Where bounds do not pay, it folds
// distances to all nodes. It is not divided: the first shard does it all.
type topFolds struct{ all plain }

func (p topFolds) empty() *kernels.Partial { return p.all.empty() }

func (p topFolds) finish(all *kernels.Partial) (*kernels.Scores, error) { return p.all.finish(all) }

func (p topFolds) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	g, r := p.all.graph, p.all.request
	d, err := workers.Divide(ctx, g, r)
	if err != nil {
		return err
	}
	nodes, done, err := distances.Highest(ctx, p.all.measure, g, r, d)
	switch {
	case err != nil:
		return err
	case !done:
		return p.all.search(ctx, kernels.Shard{}, into)
	}
	return p.foldTo(ctx, nodes, d, into)
}

// foldTo folds the distances to some nodes as a search from all sources does.
func (p topFolds) foldTo(ctx context.Context, nodes []int32, d workers.Division, into *kernels.Partial) error {
	stop := stopper.New(ctx)
	defer stop.Release()
	back, sources := p.all.graph, d.Sources
	if back.Directed {
		back = back.Transpose()
	}
	if sources == nil {
		sources = make([]int32, back.N())
		for v := range sources {
			sources[v] = int32(v)
		}
	}
	kind, _ := kernels.FoldOf(p.all.measure.Name)
	bfs, own, fold := search.NewBFS(back, false, stop), newFolded(back, false), folderOf(kind)
	for _, v := range nodes {
		if err := bfs.From(v); err != nil {
			return err
		}
		for chunk := range slices.Chunk(sources, d.Size) {
			lengths := lengthsOf(bfs, chunk, d.Shared > 1)
			for len(lengths) > 0 {
				same := 1
				for d.Shared > 1 && same < len(lengths) && lengths[same] == lengths[0] {
					same++
				}
				own.nodes[v] = fold(own.nodes[v], float64(lengths[0]), float64(same))
				own.nodeCount[v] += float64(same)
				lengths = lengths[same:]
			}
			own.moveNode(into, v)
		}
	}
	return nil
}

// lengthsOf returns the distances of those nodes that a search reached; its source, at 0, is left out.
func lengthsOf(bfs *search.BFS, nodes []int32, sorted bool) []int32 {
	var out []int32
	for _, s := range nodes {
		if bfs.Level[s] > 0 {
			out = append(out, bfs.Level[s])
		}
	}
	if sorted {
		slices.Sort(out)
	}
	return out
}

// topBytes bounds the memory of topFolds.
func topBytes(g kernels.Size, r kernels.Request) int64 {
	return max(foldBytes(g, r), distances.TopBytes(g, r)+foldBytes(g, kernels.Request{Nodes: true, Threads: 1}))
}
