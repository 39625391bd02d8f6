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
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/structure"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// Highest folds the distances to the nodes of the highest closeness, or harmonic closeness, by hops, and to all that
// tie with the last of them. It searches backwards from one node after another, the one with the highest bound first,
// and ends a search as soon as the node cannot be among them (Bergamini, Borassi, Crescenzi, Marino and Meyerhenke,
// Computing top-k closeness centrality faster in unweighted graphs, 2019). It may fold the distances to other nodes as
// well, also with the bits of Fold. On shallow graphs it goes on in batches where searches one by one take longer. It
// returns false if it took as long as searches from all nodes before it was done.
func Highest(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, into *kernels.Partial,
) (done bool, err error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	t, err := newTopNodes(m, g, r, stop)
	if err != nil {
		return false, err
	}
	t.into = into
	t.divide = func() (workers.Division, error) { return workers.Divide(ctx, g, r) }
	var running sync.WaitGroup
	threads := workers.Threads(r)
	for range threads {
		running.Go(func() {
			s := newTopSearch(t)
			s.firsts(min((t.count+threads-1)/threads, search.LaneCount))
			s.work()
		})
	}
	running.Wait()
	return !t.tooLong(), stop.Err()
}

// TopBytes bounds the memory of Highest, in bytes, besides the graph and its transpose.
func TopBytes(g kernels.Size, r kernels.Request) int64 {
	return BoundBytes(g) + int64(workers.Threads(r))*(16*g.Nodes+search.MultiBFSBytes(g.Nodes))
}

// BoundBytes bounds the memory of the bounds of all scores, in bytes.
func BoundBytes(g kernels.Size) int64 {
	bytes := (8 + 8 + 16 + walkBytes) * g.Nodes
	if g.Directed {
		bytes += 48 * g.Nodes
	}
	return bytes
}

// topNodes is what the searches share. Bounds only get tighter, and no score depends on them.
type topNodes struct {
	graph *export.Graph // whose arcs searches follow: those that enter a node
	bounds
	stop  *stopper.Stopper
	count int // of nodes asked for
	into  *kernels.Partial
	// highest has an upper bound of the score of each node, as the bits of a float64.
	highest []atomic.Uint64
	// threshold has the bits of a score that count nodes are known to have, less what rounding may be.
	threshold atomic.Uint64

	mu    sync.Mutex
	queue heap.Heap[float64] // of nodes, the highest bound first; a bound may have got lower since
	best  heap.Heap[float64] // the highest scores found

	// shallow reports that walks lead from all nodes to most within a few steps.
	shallow bool

	// What follows is for searches on the CPU. handed is how many nodes were handed out before any search can end early.
	// division is how a full run divides its sources, which takes as long as some searches to find out; nil until one of
	// the threads has.
	handed   atomic.Int64
	division *workers.Division
	divide   func() (workers.Division, error)
	divides  bool
	// looked is how many arcs were looked at, arcs by searches one by one, of which so many met a deep level.
	looked, arcs, searches, deep int64
}

// newTopNodes bounds the scores of all nodes.
func newTopNodes(m kernels.Measure, g *export.Graph, r kernels.Request, stop *stopper.Stopper) (*topNodes, error) {
	back := g
	if g.Directed {
		back = g.Transpose()
	}
	least, most, err := structure.Reach(back, stop)
	if err != nil {
		return nil, err
	}
	fold, _ := kernels.FoldOf(m.Name)
	b := bounds{score: kernels.FoldScore(m.Name, g.N(), r), inverse: fold == kernels.FoldInverse, least: least, most: most}
	t := &topNodes{graph: back, bounds: b, stop: stop, count: *r.Top, highest: make([]atomic.Uint64, g.N())}
	t.walks(workers.Threads(r))
	for v := range t.highest {
		t.queue.Push(heap.Entry[float64]{Key: -t.highestOf(int32(v)), At: int32(v)})
	}
	return t, stop.Err()
}

func (t *topNodes) highestOf(v int32) float64 { return math.Float64frombits(t.highest[v].Load()) }

func (t *topNodes) atLeast() float64 { return math.Float64frombits(t.threshold.Load()) }

// rounding is how much, relatively, bounds and scores may be off by rounding.
const rounding = 1e-9

// next takes the node with the highest bound, unless all that are left are known to be too low.
func (t *topNodes) next() (v int32, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) > 0 && !t.tooLong() && !t.stop.Stopped() {
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

// some takes up to count nodes with the highest bounds.
func (t *topNodes) some(count int) (nodes []int32) {
	for len(nodes) < count {
		v, ok := t.next()
		if !ok {
			break
		}
		nodes = append(nodes, v)
	}
	return nodes
}

// term is what a node at a distance adds to the exact sum of the node that it reaches. Hops, and their sums, are whole
// numbers of units.
func (t *topNodes) term(distance int64) exact.Word { return t.into.Nodes.Scale.Of(t.fold(1, distance)) }

// add keeps a node whose search came to its end: how many others reach it, and what their distances add up to.
func (t *topNodes) add(v int32, count int64, sum exact.Word) {
	t.into.Nodes.Words[v].Add(sum)
	t.into.NodeCounts[v] += count
	t.mu.Lock()
	defer t.mu.Unlock()
	t.learn(v)
}

// learn takes note of the score of a node that distances were folded to.
func (t *topNodes) learn(v int32) {
	sums := t.into.Nodes
	t.best.Push(heap.Entry[float64]{Key: t.score(sums.Scale.Value(sums.Words[v]), float64(t.into.NodeCounts[v])), At: v})
	if len(t.best) > t.count {
		t.best.Pop()
	}
	if len(t.best) == t.count {
		t.threshold.Store(math.Float64bits(t.best[0].Key * (1 - rounding)))
	}
}

// all is how many arcs a search of all looks at; a node counts as one.
func (t *topNodes) all() int64 { return int64(t.graph.Arcs() + t.graph.N()) }

// eachInBatch is how many arcs a search in a batch looks at.
func (t *topNodes) eachInBatch() int64 { return t.all() / int64(t.division.Shared) }

// tooLong reports whether as many arcs were looked at as in a run of all nodes.
func (t *topNodes) tooLong() bool {
	return t.division != nil && t.looked > int64(t.graph.N())*t.eachInBatch()
}

// look counts arcs that a search looked at.
func (t *topNodes) look(arcs int64, wasDeep bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.looked, t.arcs, t.searches = t.looked+arcs, t.arcs+arcs, t.searches+1
	if wasDeep {
		t.deep++
	}
}

// lookInBatch counts arcs that a batch looked at.
func (t *topNodes) lookInBatch(arcs int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.looked += arcs
}

// findDivision has one of the threads find out how a full run divides its sources, once searches have taken about as
// long.
func (t *topNodes) findDivision() {
	t.mu.Lock()
	mine := !t.divides && t.looked > 2*t.all()
	t.divides = t.divides || mine
	t.mu.Unlock()
	if !mine {
		return
	}
	if d, err := t.divide(); err == nil { // otherwise nobody wants to know
		t.mu.Lock()
		t.division = &d
		t.mu.Unlock()
	}
}

// leastSearches is how many searches show what one takes.
const leastSearches = 16

// inBatches reports whether searches in batches look at fewer arcs than those that were cut. On deep graphs searches to
// their ends bound the scores of others.
func (t *topNodes) inBatches() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.division != nil && t.division.Shared > 1 && 2*t.deep <= t.searches && t.searches >= leastSearches &&
		t.arcs/t.searches > t.eachInBatch()
}
