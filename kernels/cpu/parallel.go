package cpu

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

// leastChunk is the least number of sources of a chunk.
const leastChunk = 4

// worker sums contributions of sources. Each worker is used by one goroutine at a time.
type worker interface {
	// source adds what one source contributes to the worker's own sums.
	source(s int32) error
	// merge moves the worker's own sums into the result and clears them. Calls come in the order of the sources and
	// one at a time over all workers, so that the result is the same bits whatever the number of threads.
	merge() error
}

// overSources gives the sources of a request, or all n nodes, to workers in chunks, and merges in order. It returns the
// error of the earliest chunk that failed, or the context's.
func overSources(ctx context.Context, n int, r kernels.Request, newWorker func(stop *stopper.Stopper) worker) error {
	return overShard(ctx, n, chunkSize(r.SourceCount(n)), r, kernels.Shard{}, newWorker)
}

// chunkSize is the number of sources of a chunk: a few at least, so that merging stays cheap.
func chunkSize(total int) int { return max(leastChunk, (total+maxChunks-1)/maxChunks) }

// overChunks is overSources with chunks of the given size.
func overChunks(
	ctx context.Context, n, size int, r kernels.Request, newWorker func(stop *stopper.Stopper) worker,
) error {
	return overShard(ctx, n, size, r, kernels.Shard{}, newWorker)
}

// overShard is overChunks for the chunks of a shard. What the chunks are does not depend on the shard.
func overShard(
	ctx context.Context, n, size int, r kernels.Request, shard kernels.Shard,
	newWorker func(stop *stopper.Stopper) worker,
) error {
	total := r.SourceCount(n)
	first, last := shard.Part((total + size - 1) / size)
	q := &chunkQueue{request: r, total: min(last*size, total) - min(first*size, total), end: total, size: size, stop: stopper.New(ctx)}
	defer q.stop.Release()
	q.turn.L, q.merged = &q.mu, first
	q.next.Store(int64(first))
	var wg sync.WaitGroup
	for range min(threads(r), last-first) {
		wg.Go(func() { q.work(newWorker(q.stop), last) })
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return q.err
}

// threads is the number of CPU threads that a request asks for.
func threads(r kernels.Request) int {
	if r.Threads > 0 {
		return r.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// batchWorker is a worker that takes all sources of a chunk at once.
type batchWorker interface {
	worker
	batch(sources []int32) error
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
}

func (q *chunkQueue) work(w worker, chunks int) {
	for {
		c := int(q.next.Add(1)) - 1
		if c >= chunks {
			return
		}
		err := q.chunk(w, c)
		if !q.finish(w, c, err) {
			return
		}
	}
}

func (q *chunkQueue) chunk(w worker, c int) error {
	from, to := c*q.size, min((c+1)*q.size, q.end)
	if b, ok := w.(batchWorker); ok {
		err := b.batch(q.request.Sources[from:to])
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
		if err := w.source(s); err != nil {
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
func (q *chunkQueue) finish(w worker, c int, err error) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.merged < c {
		q.turn.Wait()
	}
	if q.err == nil {
		q.err = err
	}
	if q.err == nil {
		q.err = w.merge()
	}
	q.merged++
	q.turn.Broadcast()
	return q.err == nil
}

// leastBatches is into how many batches the sources are cut at the least, while they are that many, so that threads
// have something to do.
const leastBatches = 16

// leastShared is how many lanes a visit of a node is to serve, which costs up to three times that of a search from one
// source.
const leastShared = 3

// overBatches is overSources, for a shard, with batches of sources near one another for workers that take them so,
// where paths are measured in hops and the sources are neither few nor far apart; otherwise workers that search from one
// after the other get them.
func overBatches(
	ctx context.Context, g *export.Graph, r kernels.Request, shard kernels.Shard,
	single, batch func(stop *stopper.Stopper) worker,
) error {
	lanes := min(search.LaneCount, (r.SourceCount(g.N())+leastBatches-1)/leastBatches)
	if lanes >= leastShared && !r.Weighted && r.Pairs == nil {
		sources := search.Nearby(g, r.Sources)
		spread, err := search.Spread(ctx, g, sources, lanes)
		if err != nil {
			return err
		}
		if lanes >= leastShared*spread {
			r.Sources = sources
			return overShard(ctx, g.N(), lanes, r, shard, batch)
		}
	}
	return overShard(ctx, g.N(), chunkSize(r.SourceCount(g.N())), r, shard, single)
}
