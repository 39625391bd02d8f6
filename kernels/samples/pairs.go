package samples

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// pairSample counts on how many drawn paths each node and edge is. Counts are integers, so that they have the same bits
// in any order.
type pairSample struct {
	g        *export.Graph
	request  kernels.Request
	accuracy kernels.Accuracy
	pairs    *joinable
	stop     *stopper.Stopper
	workers  []*search.Pair
	// counts are of the nodes, where these are asked for, and then of the edges.
	counts []int64
	nodes  int // entries of nodes in counts
	drawn  int64
	// classes has the pilot's count of each entry, by which logs has the logarithm of 2 over its probability to be wrong.
	classes  []int32
	logs     []float64
	error    float64 // of the mean of a count
	estimate *kernels.Estimate
}

func newPairSample(ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy) *pairSample {
	s := &pairSample{
		g: g, request: r, accuracy: a, pairs: newJoinable(g), stop: stopper.New(ctx),
		estimate: &kernels.Estimate{Request: r, Confidence: a.Confidence},
	}
	edges := 0
	if r.Nodes {
		s.nodes = g.N()
	}
	if r.Edges {
		edges = g.M()
	}
	s.counts = make([]int64, s.nodes+edges)
	for range workers.Threads(r) {
		s.workers = append(s.workers, search.NewPair(g, s.stop))
	}
	return s
}

// joinable are the ordered pairs of nodes that a path may join: those of one component if the graph is undirected.
type joinable struct {
	count uint64
	order []int32  // the nodes, component by component
	first []int    // of each component in order, and the end
	pairs []uint64 // before each component
}

func newJoinable(g *export.Graph) *joinable {
	p := &joinable{order: make([]int32, g.N())}
	component := make([]int32, g.N())
	if !g.Directed {
		component = componentsOf(g)
	}
	for v := range p.order {
		p.order[v] = int32(v)
	}
	slices.SortStableFunc(p.order, func(a, b int32) int { return int(component[a]) - int(component[b]) })
	for i, v := range p.order {
		if i == 0 || component[v] != component[p.order[i-1]] {
			p.close(i)
		}
	}
	if g.N() > 0 {
		p.close(g.N())
	}
	return p
}

// componentsOf returns a node of its component for each node.
func componentsOf(g *export.Graph) []int32 {
	sets, root := disjoint.New(g.N()), make([]int32, g.N())
	for v := range int32(g.N()) {
		for _, w := range g.Row(v) {
			sets.Join(v, w)
		}
	}
	for v := range root {
		root[v] = sets.Find(int32(v))
	}
	return root
}

// close ends a component before the place i of order, and begins the next.
func (p *joinable) close(i int) {
	if len(p.first) > 0 {
		size := uint64(i - p.first[len(p.first)-1])
		p.count += size * (size - 1)
	}
	p.first, p.pairs = append(p.first, i), append(p.pairs, p.count)
}

// draw draws one of the pairs; each with the same probability.
func (p *joinable) draw(random *rand.Rand) (s, t int32) {
	x := random.Uint64N(p.count)
	c, exact := slices.BinarySearch(p.pairs, x)
	if !exact {
		c--
	}
	for p.pairs[c+1] == p.pairs[c] { // components of one node have no pairs
		c++
	}
	x -= p.pairs[c]
	others := uint64(p.first[c+1]-p.first[c]) - 1
	i, j := x/others, x%others
	if j >= i {
		j++
	}
	return p.order[p.first[c]+int(i)], p.order[p.first[c]+int(j)]
}

// Streams of random numbers of the pilot and of the sample.
const (
	pilotStream = 0x70696c6f74
	mainStream  = 0x6d61696e
)

// drawChunk is how many pairs a thread takes at once.
const drawChunk = 32

// draw draws pairs until there are so many. The i-th pair depends on nothing but the seed, the stream and i.
func (s *pairSample) draw(ctx context.Context, stream uint64, until int64) error {
	var next atomic.Int64
	next.Store(s.drawn)
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for _, p := range s.workers {
		group.Go(func() {
			source := rand.NewPCG(0, 0)
			random := rand.New(source)
			for from := next.Add(drawChunk) - drawChunk; from < until; from = next.Add(drawChunk) - drawChunk {
				err := s.chunk(p, source, random, stream, from, min(from+drawChunk, until))
				mu.Lock()
				if err != nil {
					failed = err
					next.Store(until)
				} else if s.request.Progress != nil {
					s.request.Progress(int(min(from+drawChunk, until)), int(until))
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	s.drawn = until
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return failed
}

func (s *pairSample) chunk(p *search.Pair, source *rand.PCG, random *rand.Rand, stream uint64, from, to int64) error {
	for i := from; i < to; i++ {
		source.Seed(scatter(uint64(s.accuracy.Seed)^stream), scatter(uint64(i)))
		v, t := s.pairs.draw(random)
		if err := p.Draw(v, t, random); err != nil {
			return err
		}
		s.count(p, v, t)
	}
	return nil
}

// count counts the nodes and edges of a path.
func (s *pairSample) count(p *search.Pair, from, to int32) {
	if s.nodes > 0 {
		for _, v := range p.Nodes {
			if s.request.Endpoints || v != from && v != to {
				atomic.AddInt64(&s.counts[v], 1)
			}
		}
	}
	if s.request.Edges {
		for _, e := range p.Edges {
			atomic.AddInt64(&s.counts[s.nodes+int(e)], 1)
		}
	}
}

// scatter makes unlike numbers of numbers that follow one another (Steele, Lea and Flood's SplitMix64, 2014).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// perPair is the work of a pair, on average over all drawn.
func (s *pairSample) perPair() float64 {
	work := int64(0)
	for _, p := range s.workers {
		work += p.Work
	}
	return float64(work) / float64(s.drawnInAll())
}

func (s *pairSample) drawnInAll() int64 { return s.drawn + s.pilotSize() }

// pilotSize is the number of pairs of the pilot; 0 while it is drawn.
func (s *pairSample) pilotSize() int64 { return int64(max(0, len(s.logs)-1)) }

// share is the part of all n(n-1) ordered pairs that a path may join.
func (s *pairSample) share() float64 {
	n := float64(s.g.N())
	return float64(s.pairs.count) / (n * (n - 1))
}

// scores are the means of the counts, as scores. Sums of single pairs belong to no source, so that their totals are left
// out.
func (s *pairSample) scores() *kernels.Scores {
	nodes, edges := kernels.BetweennessFactors(s.g, s.request)
	each := kernels.Quotient(float64(s.pairs.count), float64(s.drawn))
	out := &kernels.Scores{Totals: kernels.Totals{NoDistance: true}}
	if s.request.Nodes {
		out.Nodes = scaled(s.counts[:s.nodes], each*nodes)
	}
	if s.request.Edges {
		out.Edges = scaled(s.counts[s.nodes:], each*edges)
	}
	return out
}

// boundEach sets the bounds of each score, if they are asked for.
func (s *pairSample) boundEach() {
	if !s.accuracy.Each || s.estimate.Exact {
		return
	}
	nodes, edges := kernels.BetweennessFactors(s.g, s.request)
	all := float64(s.pairs.count)
	s.estimate.Nodes, s.estimate.Edges = s.each(0, s.nodes, all*nodes), s.each(s.nodes, len(s.counts), all*edges)
}

func scaled(counts []int64, factor float64) []float64 {
	out := make([]float64, len(counts))
	for i, c := range counts {
		out[i] = float64(c) * factor
	}
	return out
}

// greatestError is the error asked for as one of the mean of a count, which is a share of the pairs that a path may join.
func (s *pairSample) greatestError() float64 { return min(s.accuracy.Error/s.share(), 1-1e-9) }

// ofPilot is the mean of a count that a pilot suggests, half a pair up so that what was not seen is not held for
// impossible.
func ofPilot(count int, size int64) float64 { return min((float64(count)+0.5)/float64(size), 1) }
