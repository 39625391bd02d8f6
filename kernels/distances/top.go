package distances

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/heap"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/structure"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// Highest finds the nodes of the highest closeness, or harmonic closeness, by hops, and all that tie with the last of them. It
// searches backwards from one node after another, the one with the highest bound first, and ends a search as soon as the node cannot
// be among them (Bergamini, Borassi, Crescenzi, Marino and Meyerhenke, Computing top-k closeness centrality faster in unweighted
// graphs, 2019). It may return more nodes than that, whose scores differ from the last by rounding. On shallow graphs it goes on in batches, as
// d divides sources, where searches one by one take longer. It returns false if it took as long as searches from all nodes before it was done.
func Highest(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, d workers.Division) (nodes []int32, done bool, err error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	back := g
	if g.Directed {
		back = g.Transpose()
	}
	least, greatest, err := structure.Reach(back, stop)
	if err != nil {
		return nil, false, err
	}
	fold, _ := kernels.FoldOf(m.Name)
	each := int64(g.Arcs()+g.N()) / int64(d.Shared) // arcs that a search in a batch looks at
	b := bounds{score: kernels.FoldScore(m.Name, g.N(), r), inverse: fold == kernels.FoldInverse, least: least, most: greatest}
	t := &topNodes{graph: back, bounds: b, stop: stop, count: *r.Top, division: d, left: int64(g.N()) * each, highest: make([]atomic.Uint64, g.N())}
	t.walks(workers.Threads(r))
	for v := range t.highest {
		t.queue.Push(heap.Entry[float64]{Key: -t.highestOf(int32(v)), At: int32(v)})
	}
	var running sync.WaitGroup
	for range workers.Threads(r) {
		running.Go(func() { newTopSearch(t).work() })
	}
	running.Wait()
	if err := stop.Err(); err != nil {
		return nil, false, err
	}
	return t.nodes(), t.left >= 0, nil
}

// TopBytes bounds the memory of Highest, in bytes, besides the graph and its transpose.
func TopBytes(g kernels.Size, r kernels.Request) int64 {
	shared := (8 + 8 + 16 + 48) * g.Nodes
	if g.Directed {
		shared += 48 * g.Nodes
	}
	return shared + int64(workers.Threads(r))*16*g.Nodes
}

// topNodes is what the searches share. Bounds only get tighter, and no score depends on them.
type topNodes struct {
	graph *export.Graph // whose arcs searches follow: those that enter a node
	bounds
	stop     *stopper.Stopper
	count    int // of nodes asked for
	division workers.Division
	// highest has an upper bound of the score of each node, as the bits of a float64.
	highest []atomic.Uint64
	// threshold has the bits of a score that count nodes are known to have, less what rounding may be.
	threshold atomic.Uint64

	mu    sync.Mutex
	queue heap.Heap[float64] // of nodes, the highest bound first; a bound may have got lower since
	found []topNode
	best  heap.Heap[float64] // the highest scores found
	left  int64              // arcs that may be looked at
	// arcs were looked at by searches one by one, of which so many met a deep level
	arcs, searches, deep int64
}

// topNode is a node whose search was not cut.
type topNode struct {
	node  int32
	score float64
}

func (t *topNodes) highestOf(v int32) float64 { return math.Float64frombits(t.highest[v].Load()) }

func (t *topNodes) atLeast() float64 { return math.Float64frombits(t.threshold.Load()) }

// rounding is how much, relatively, bounds and scores may be off by rounding.
const rounding = 1e-9

// next takes the node with the highest bound, unless all that are left are known to be too low.
func (t *topNodes) next() (v int32, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) > 0 && t.left >= 0 && !t.stop.Stopped() {
		e := t.queue.Pop()
		bound := t.highestOf(e.At)
		switch {
		case -e.Key < t.atLeast():
			t.queue = nil
		case bound < -e.Key:
			if bound >= t.atLeast() {
				t.queue.Push(heap.Entry[float64]{Key: -bound, At: e.At})
			}
		default:
			return e.At, true
		}
	}
	return 0, false
}

// add keeps a node whose score is known.
func (t *topNodes) add(v int32, score float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.found = append(t.found, topNode{v, score})
	t.best.Push(heap.Entry[float64]{Key: score, At: v})
	if len(t.best) > t.count {
		t.best.Pop()
	}
	if len(t.best) == t.count {
		t.threshold.Store(math.Float64bits(t.best[0].Key * (1 - rounding)))
	}
}

// look counts arcs that a search looked at, or a batch.
func (t *topNodes) look(arcs int64, wasDeep bool) {
	t.mu.Lock()
	t.left -= arcs
	t.arcs, t.searches = t.arcs+arcs, t.searches+1
	if wasDeep {
		t.deep++
	}
	t.mu.Unlock()
}

// leastSearches is how many searches show what one takes.
const leastSearches = 16

// inBatches reports whether searches in batches look at fewer arcs than those that were cut. On deep graphs searches to their ends
// bound the scores of others.
func (t *topNodes) inBatches() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := int64(t.graph.Arcs() + t.graph.N())
	return t.division.Shared > 1 && 2*t.deep <= t.searches && t.searches >= leastSearches && t.arcs/t.searches > all/int64(t.division.Shared)
}

// nodes are those of the highest scores.
func (t *topNodes) nodes() []int32 {
	var out []int32
	for _, f := range t.found {
		if f.score >= t.atLeast() {
			out = append(out, f.node)
		}
	}
	return out
}
