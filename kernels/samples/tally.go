package samples

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// tally is the adaptive.Tally of the CPU.
type tally struct {
	request kernels.Request
	stop    *stopper.Stopper
	workers []*search.Pair
	counts  []int64
	nodes   int  // entries of nodes in counts
	near    bool // nodes lie next to their neighbours
	classes []int32
	size    int64 // of the pilot
}

func newTally(ctx context.Context, g *export.Graph, r kernels.Request) *tally {
	t := &tally{request: r, stop: stopper.New(ctx)}
	edges := 0
	if r.Nodes {
		t.nodes = g.N()
	}
	if r.Edges {
		edges = g.M()
	}
	t.counts = make([]int64, t.nodes+edges)
	newPair := func() *search.Pair { return search.NewPair(g, t.stop) }
	if t.near = isNear(g); t.near {
		nodes := order.Near(g)
		near, places := inOrder(g, nodes)
		newPair = func() *search.Pair { return search.NewPairInOrder(near, places, nodes, t.stop) }
	}
	for range workers.Threads(r) {
		t.workers = append(t.workers, newPair())
	}
	return t
}

// drawChunk is how many pairs a thread takes at once.
const drawChunk = 32

// Draw implements adaptive.Tally.
func (t *tally) Draw(ctx context.Context, pairs []adaptive.Ends) (work int64, err error) {
	var next atomic.Int64
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for _, p := range t.workers {
		p.Work = 0
		group.Go(func() {
			for from := next.Add(drawChunk) - drawChunk; from < int64(len(pairs)); from = next.Add(drawChunk) - drawChunk {
				if err := t.chunk(p, pairs[from:min(from+drawChunk, int64(len(pairs)))]); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
					next.Store(int64(len(pairs)))
				}
			}
		})
	}
	group.Wait()
	for _, p := range t.workers {
		work += p.Work
	}
	if ctx.Err() != nil {
		return work, context.Cause(ctx)
	}
	return work, failed
}

func (t *tally) chunk(p *search.Pair, pairs []adaptive.Ends) error {
	for _, x := range pairs {
		if err := p.Draw(x.From, x.To, search.Key(x.Key)); err != nil {
			return err
		}
		t.count(p, x.From, x.To)
	}
	return nil
}

// count counts the nodes and edges of a path.
func (t *tally) count(p *search.Pair, from, to int32) {
	if t.nodes > 0 {
		for _, v := range p.Nodes {
			if t.request.Endpoints || v != from && v != to {
				atomic.AddInt64(&t.counts[v], 1)
			}
		}
	}
	if t.request.Edges {
		for _, e := range p.Edges {
			atomic.AddInt64(&t.counts[t.nodes+int(e)], 1)
		}
	}
}

// Sort implements adaptive.Tally.
func (t *tally) Sort(size int64) (nodes, edges []int64, err error) {
	nodes, edges = make([]int64, size+1), make([]int64, size+1)
	t.classes, t.size = make([]int32, len(t.counts)), size
	for i, c := range t.counts {
		t.classes[i] = int32(c)
		if i < t.nodes {
			nodes[c]++
		} else {
			edges[c]++
		}
	}
	clear(t.counts)
	return nodes, edges, nil
}

// Nearest implements adaptive.Tally.
func (t *tally) Nearest(at []adaptive.Split) ([]adaptive.Around, error) {
	out := make([]adaptive.Around, len(at))
	for i := range out {
		out[i] = adaptive.Around{
			UpToRising: adaptive.None, OverRising: adaptive.Never, UpToFalling: adaptive.None, OverFalling: adaptive.Never,
		}
	}
	near := func(c, at int64, upTo, over *int64) {
		if c <= at {
			*upTo = max(*upTo, c)
		} else {
			*over = min(*over, c)
		}
	}
	for i, c := range t.counts {
		k := t.classes[i]
		near(c, at[k].Rising, &out[k].UpToRising, &out[k].OverRising)
		near(c, at[k].Falling, &out[k].UpToFalling, &out[k].OverFalling)
	}
	return out, nil
}

// Best implements adaptive.Tally.
func (t *tally) Best(edges bool, k int) ([]adaptive.Parted, error) {
	first, end := 0, t.nodes
	if edges {
		first, end = t.nodes, len(t.counts)
	}
	out := make([]adaptive.Parted, t.size+1)
	for i := range out {
		out[i] = adaptive.Parted{LeastBest: adaptive.Never, GreatestOther: adaptive.None}
	}
	for place, i := range bestOf(t.counts[first:end]) {
		p, c := &out[t.classes[first+i]], t.counts[first+i]
		if place < k {
			p.LeastBest = min(p.LeastBest, c)
		} else {
			p.GreatestOther = max(p.GreatestOther, c)
		}
	}
	return out, nil
}

// Counts implements adaptive.Tally.
func (t *tally) Counts() ([]int64, []int32, error) { return t.counts, t.classes, nil }

// bestOf are the places of counts, the greatest first.
func bestOf(counts []int64) []int {
	order := make([]int, len(counts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case counts[i] > counts[j]:
			return -1
		case counts[i] < counts[j]:
			return 1
		}
		return 0
	})
	return order
}
