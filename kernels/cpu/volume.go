package cpu

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"unsafe"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// balls sums the degrees of the nodes within radius hops (Wehmuth and Ziviani's DACCER, as computed by Cabral et al.).
type balls struct {
	task
	radius int
	// next is as twinsOf has it, and the sources of the request are its first nodes.
	next []int32
}

func prepareVolume(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	p := balls{task: t, radius: kernels.DefaultRadius}
	if t.request.Radius != nil {
		p.radius = *t.request.Radius
	}
	p.request.Sources, p.next = twinsOf(t.graph)
	return p, nil
}

func (p balls) empty() *kernels.Partial {
	g := p.graph
	return kernels.NewPartial(p.measure, g.N(), g.M(), p.request, kernels.BoundsOf(g, p.request, 0))
}

func (p balls) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	volumes := make([]float64, p.graph.N())
	size := workers.ChunkSize(len(p.request.Sources))
	err := workers.OverShard(ctx, p.graph.N(), size, p.request, shard, func(stop *stopper.Stopper) workers.Worker {
		b := search.NewBFS(p.graph, false, stop)
		b.Limit = int32(min(p.radius, export.MaxNodes))
		return &volumeWorker{g: p.graph, ball: b, next: p.next, volume: volumes}
	})
	into.Nodes.Move(volumes)
	return err
}

func (p balls) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := p.scores()
	return out, all.Finish(p.measure, p.graph, p.request, out.Nodes, nil)
}

// twinsOf returns the first of the nodes of every row, and for each node the next one with the same row, or -1. The
// leaves of a star have one row, so that one search does for all of them.
func twinsOf(g *export.Graph) (first, next []int32) {
	hashes, order, seed := make([]uint64, g.N()), make([]int32, g.N()), maphash.MakeSeed()
	for v := range order {
		order[v] = int32(v)
		row := g.Row(int32(v))
		hashes[v] = maphash.Bytes(seed, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(row))), 4*len(row)))
	}
	slices.SortFunc(order, func(u, v int32) int { return cmp.Or(cmp.Compare(hashes[u], hashes[v]), cmp.Compare(u, v)) })
	next = slices.Repeat([]int32{-1}, g.N())
	for i, v := range order {
		if i > 0 && slices.Equal(g.Row(order[i-1]), g.Row(v)) {
			next[order[i-1]] = v
		} else {
			first = append(first, v)
		}
	}
	slices.Sort(first)
	return first, next
}

type volumeWorker struct {
	g      *export.Graph
	ball   *search.BFS
	next   []int32 // as twinsOf has it
	volume []float64
}

func (w *volumeWorker) Source(v int32) error {
	if err := w.ball.From(v); err != nil {
		return err
	}
	var sum int64
	for _, u := range w.ball.Order {
		sum += w.g.Degree(u)
	}
	w.volume[v] = float64(sum) // one worker writes one node
	if w.next[v] >= 0 {
		w.twins(v, sum)
	}
	return nil
}

// twins writes the volumes of the nodes with the same row as v, from that of v. The balls of all have the same nodes
// within radius-1 of the row's, and differ only in the centres that these leave out.
func (w *volumeWorker) twins(v int32, sum int64) {
	own, returns := w.g.Degree(v), w.returns(v)
	for u := w.next[v]; u >= 0; u = w.next[u] {
		volume := sum
		switch reached := w.ball.Reached(u); {
		case returns && !reached:
			volume += own
		case !returns && reached:
			volume -= own
		}
		w.volume[u] = float64(volume)
	}
}

// returns reports whether a path of at least one arc, and no more than the radius, leads from v back to it.
func (w *volumeWorker) returns(v int32) bool {
	return w.ball.Limit > 0 && slices.ContainsFunc(w.g.Transpose().Row(v), func(u int32) bool {
		return u == v || w.ball.Reached(u) && w.ball.Level[u] < w.ball.Limit
	})
}

func (*volumeWorker) Merge() error { return nil }

// volumeBytes bounds the memory besides the graph.
func volumeBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + 20*g.Nodes + int64(workers.Threads(r))*search.Bytes(g.Nodes, g.Edges, r.Weighted, false)
}
