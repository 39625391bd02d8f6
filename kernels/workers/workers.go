// Package workers hands the sources of a request to workers, one for each thread of the CPU, and merges what they find:
// in any order where they are Joiners, and otherwise in the order of the sources.
package workers

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// maxChunks bounds how many chunks the sources are cut into, and with it the cost of merging. It must not depend on the
// number of threads, or the order of summation would.
const maxChunks = 1024

// A chunk has leastChunk sources at least, and up to cheapChunk, from which on merging costs little, where busyChunks
// are left, which keep all threads busy.
const leastChunk, cheapChunk, busyChunks = 4, 32, 256

// Worker sums contributions of sources. Each worker is used by one goroutine at a time.
type Worker interface {
	// Source adds what one source contributes to the worker's own sums.
	Source(s int32) error
	// Merge moves the worker's own sums into the result and clears them. Unless it is a Joiner, calls come in the order of
	// the sources and one at a time over all workers, so that the result is the same bits whatever the number of threads.
	Merge() error
}

// Over gives the sources of a request, or all n nodes, to workers in chunks, and merges in order. It returns the
// error of the earliest chunk that failed, or the context's.
func Over(ctx context.Context, n int, r kernels.Request, newWorker func(stop *stopper.Stopper) Worker) error {
	return OverShard(ctx, n, ChunkSize(r.SourceCount(n)), r, kernels.Shard{}, newWorker)
}

// ChunkSize is the number of sources of a chunk: a few at least, so that merging stays cheap.
func ChunkSize(total int) int {
	return max(leastChunk, min(cheapChunk, total/busyChunks), (total+maxChunks-1)/maxChunks)
}

// OverChunks is Over with chunks of the given size.
func OverChunks(
	ctx context.Context, n, size int, r kernels.Request, newWorker func(stop *stopper.Stopper) Worker,
) error {
	return OverShard(ctx, n, size, r, kernels.Shard{}, newWorker)
}

// OverShard is OverChunks for the chunks of a shard. What the chunks are does not depend on the shard.
func OverShard(
	ctx context.Context, n, size int, r kernels.Request, shard kernels.Shard,
	newWorker func(stop *stopper.Stopper) Worker,
) error {
	total := r.SourceCount(n)
	first, last := shard.Part((total + size - 1) / size)
	q := &chunkQueue{request: r, total: min(last*size, total) - min(first*size, total), end: total, size: size,
		stop: stopper.New(ctx)}
	defer q.stop.Release()
	q.turn.L, q.merged = &q.mu, first
	q.next.Store(int64(first))
	var wg sync.WaitGroup
	for range min(Threads(r), last-first) {
		wg.Go(func() { q.work(newWorker(q.stop), last) })
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return q.err
}

// Threads is the number of CPU threads that a request asks for.
func Threads(r kernels.Request) int {
	if r.Threads > 0 {
		return r.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// Batcher is a Worker that takes all sources of a chunk at once.
type Batcher interface {
	Worker
	Batch(sources []int32) error
}

// Each is workers that all get each source, one after the other.
type Each []Joiner

// Source is as Worker has it.
func (e Each) Source(s int32) error {
	for _, w := range e {
		if err := w.Source(s); err != nil {
			return err
		}
	}
	return nil
}

// Merge is as Worker has it.
func (e Each) Merge() error {
	for _, w := range e {
		if err := w.Merge(); err != nil {
			return err
		}
	}
	return nil
}

// Join is as Joiner has it.
func (e Each) Join() error {
	for _, w := range e {
		if err := w.Join(); err != nil {
			return err
		}
	}
	return nil
}

type chunkQueue struct {
	request kernels.Request
	total   int // sources to do
	end     int // sources of all shards
	size    int
	stop    *stopper.Stopper
	next    atomic.Int64

	mu     sync.Mutex
	turn   sync.Cond
	merged int
	done   int
	err    error
	failed int // chunk of err
}

func (q *chunkQueue) work(w Worker, chunks int) {
	joiner, joins := w.(Joiner)
	finish := q.finish
	if joins {
		finish = q.finishAnywhen
	}
	for {
		c := int(q.next.Add(1)) - 1
		if c >= chunks {
			if joins {
				q.join(joiner)
			}
			return
		}
		err := q.chunk(w, c)
		if !finish(w, c, err) {
			return
		}
	}
}

func (q *chunkQueue) chunk(w Worker, c int) error {
	from, to := c*q.size, min((c+1)*q.size, q.end)
	if b, ok := w.(Batcher); ok {
		err := b.Batch(q.request.Sources[from:to])
		if err == nil {
			q.progress(to - from)
		}
		return err
	}
	for i := from; i < to; i++ {
		s := int32(i)
		if q.request.Sources != nil {
			s = q.request.Sources[i]
		}
		if err := w.Source(s); err != nil {
			return err
		}
		q.progress(1)
	}
	return nil
}

func (q *chunkQueue) progress(sources int) {
	if q.request.Progress == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done += sources
	q.request.Progress(q.done, q.total)
}

// finish waits for the turn of chunk c and merges it. It says whether to go on.
func (q *chunkQueue) finish(w Worker, c int, err error) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.merged < c {
		q.turn.Wait()
	}
	if q.err == nil {
		q.err = err
	}
	if q.err == nil {
		q.err = w.Merge()
	}
	q.merged++
	q.turn.Broadcast()
	return q.err == nil
}

// finishAnywhen is finish for a Joiner. Chunks before c were begun before it, so that the error of the earliest is
// known when all workers have ended.
func (q *chunkQueue) finishAnywhen(w Worker, c int, err error) bool {
	if err == nil {
		err = w.Merge()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil && (q.err == nil || c < q.failed) {
		q.err, q.failed = err, c
	}
	return q.err == nil
}

// join joins a worker that has ended.
func (q *chunkQueue) join(w Joiner) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = w.Join()
	}
}

// PartOf returns what reports the progress of a part: of so many of all, after others. report may be nil.
func PartOf(report func(done, of int), first, part, all int) func(done, of int) {
	if report == nil {
		return nil
	}
	return func(done, of int) { report(first+part*done/max(1, of), all) }
}

// leastBatches is into how many batches the sources are cut at the least, while they are that many, so that threads
// have something to do.
const leastBatches = 16

// leastShared is how many lanes a visit of a node is to serve, which costs up to three times that of a search from one
// source.
const leastShared = 3

// OverBatches is Over, for a shard, with batches of sources near one another for workers that take them so, where paths
// are measured in hops and the sources are neither few nor far apart; otherwise workers that search from one after the
// other get them.
func OverBatches(
	ctx context.Context, g *export.Graph, r kernels.Request, shard kernels.Shard,
	single, batch func(stop *stopper.Stopper) Worker,
) error {
	d, err := Divide(ctx, g, r)
	switch {
	case err != nil:
		return err
	case d.Shared > 1:
		r.Sources = d.Sources
		return OverShard(ctx, g.N(), d.Size, r, shard, batch)
	}
	return OverShard(ctx, g.N(), d.Size, r, shard, single)
}

// Division says how OverBatches divides sources.
type Division struct {
	// Sources are those of the request, in the order in which they are taken; nil for all nodes by number. Chunks have
	// Size of them.
	Sources []int32
	Size    int
	// Shared is how many of the sources of a batch a visit of a node serves, about; 1 where sources are searched one by
	// one.
	Shared int
}

// Cost is what searches from all nodes cost, in searches from one of them.
func (d Division) Cost(nodes int) float64 {
	if d.Shared <= 1 {
		return float64(nodes)
	}
	return float64(nodes) * leastShared / float64(d.Shared)
}

// Divide finds how OverBatches divides the sources of a request.
func Divide(ctx context.Context, g *export.Graph, r kernels.Request) (Division, error) {
	lanes := min(search.LaneCount, (r.SourceCount(g.N())+leastBatches-1)/leastBatches)
	if lanes >= leastShared && !r.Weighted && r.Pairs == nil {
		sources := search.Nearby(g, r.Sources)
		spread, err := search.Spread(ctx, g, sources, lanes, lanes)
		if err != nil {
			return Division{}, err
		}
		if lanes >= leastShared*spread {
			return Division{Sources: sources, Size: lanes, Shared: lanes / spread}, nil
		}
	}
	return Division{Sources: r.Sources, Size: ChunkSize(r.SourceCount(g.N())), Shared: 1}, nil
}

// SearchBytes bounds the memory of one search of those that OverBatches makes.
func SearchBytes(g kernels.Size, r kernels.Request) int64 {
	if r.Weighted {
		return search.Bytes(g.Nodes, g.Edges, r.Weighted, false)
	}
	return max(search.Bytes(g.Nodes, g.Edges, r.Weighted, false), search.MultiBFSBytes(g.Nodes))
}
