package samples

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// pairSample is a sample of pairs of nodes and one path of each.
type pairSample struct {
	g        *export.Graph
	request  kernels.Request
	accuracy kernels.Accuracy
	pairs    *joinable
	tally    adaptive.Tally
	// drawn is how many pairs the counts of the tally are of, inAll those and the pilot's. work is how many arcs they
	// took.
	drawn, inAll int64
	work         int64
	// size is that of the pilot, nodes and edges how many of each class there are. logs has of each class the logarithm of
	// 2 over its probability to be wrong.
	size         int64
	nodes, edges []int64
	logs         []float64
	error        float64 // of the mean of a count
	// last is the lesser mean of the K-th best node and edge, to go by the pilot; 0 where it is not asked for. ofEdge says
	// which it is.
	last   float64
	ofEdge bool
	// why no sample is taken.
	why      string
	estimate *kernels.Estimate
}

func newPairSample(g *export.Graph, r kernels.Request, a kernels.Accuracy, t adaptive.Tally) *pairSample {
	return &pairSample{
		g: g, request: r, accuracy: a, pairs: newJoinable(g), tally: t,
		estimate: &kernels.Estimate{Request: r, Confidence: a.Confidence},
	}
}

// entriesOf is the number of nodes and edges that are asked for.
func entriesOf(g *export.Graph, r kernels.Request) int {
	entries := 0
	if r.Nodes {
		entries += g.N()
	}
	if r.Edges {
		entries += g.M()
	}
	return entries
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
	next := make([]int, g.N()+1) // place of the next node of each component
	for _, c := range component {
		next[c+1]++
	}
	for c := range component {
		next[c+1] += next[c]
	}
	for v, c := range component {
		p.order[next[c]] = int32(v)
		next[c]++
	}
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
			if w < v { // the other arc of the edge joins them
				sets.Join(v, w)
			}
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
	// sourceStream is that of sources.
	sourceStream = 0x736f7572636573
)

// A tally gets as many pairs at a time as look at arcsAtOnce arcs, but at least leastAtOnce and at most mostAtOnce: a
// device waits for the slowest of them.
const (
	arcsAtOnce              = 1 << 31
	leastAtOnce, mostAtOnce = 1 << 14, 1 << 18
)

// atOnce is how many pairs the tally gets at a time.
func (s *pairSample) atOnce() int64 {
	if s.work == 0 {
		return leastAtOnce
	}
	return int64(min(max(arcsAtOnce/s.perPair(), leastAtOnce), mostAtOnce))
}

// draw draws pairs until there are so many. The i-th pair depends on nothing but the seed, the stream and i.
func (s *pairSample) draw(ctx context.Context, stream uint64, until int64) error {
	source := rand.NewPCG(0, 0)
	random := rand.New(source)
	for s.drawn < until {
		ends := make([]adaptive.Ends, min(s.atOnce(), until-s.drawn))
		for i := range ends {
			source.Seed(search.Scatter(uint64(s.accuracy.Seed)^stream), search.Scatter(uint64(s.drawn+int64(i))))
			from, to := s.pairs.draw(random)
			ends[i] = adaptive.Ends{From: from, To: to, Key: random.Uint64()}
		}
		work, err := s.tally.Draw(ctx, ends)
		if err != nil {
			return err
		}
		s.work += work
		s.drawn += int64(len(ends))
		s.inAll += int64(len(ends))
		if s.request.Progress != nil {
			s.request.Progress(int(s.drawn), int(until))
		}
	}
	return nil
}

// perPair is the work of a pair, on average over all drawn.
func (s *pairSample) perPair() float64 { return float64(s.work) / float64(s.inAll) }

// share is the part of all n(n-1) ordered pairs that a path may join.
func (s *pairSample) share() float64 {
	n := float64(s.g.N())
	return float64(s.pairs.count) / (n * (n - 1))
}

// finish makes scores of the means of the counts, and sets the bounds of each score if they are asked for. Sums of
// single pairs belong to no source, so that their totals are left out.
func (s *pairSample) finish() (*kernels.Scores, error) {
	out := &kernels.Scores{Totals: kernels.Totals{NoDistance: true}}
	counts, classes, err := s.tally.Counts()
	if err != nil {
		return nil, err
	}
	nodes, edges := kernels.BetweennessFactors(s.g, s.request)
	each, split := kernels.Quotient(float64(s.pairs.count), float64(s.drawn)), 0
	if s.request.Nodes {
		split = s.g.N()
		out.Nodes = scaled(counts[:split], each*nodes)
	}
	if s.request.Edges {
		out.Edges = scaled(counts[split:], each*edges)
	}
	if s.accuracy.Each && !s.estimate.Exact {
		all := float64(s.pairs.count)
		s.estimate.Nodes = s.each(counts[:split], classes[:split], all*nodes)
		s.estimate.Edges = s.each(counts[split:], classes[split:], all*edges)
	}
	return out, nil
}

func scaled(counts []int64, factor float64) []float64 {
	out := make([]float64, len(counts))
	for i, c := range counts {
		out[i] = float64(c) * factor
	}
	return out
}

// greatestError is the error asked for as one of the mean of a count, which is a share of the pairs that a path may
// join.
func (s *pairSample) greatestError() float64 { return min(s.accuracy.Error/s.share(), 1-1e-9) }

// ofPilot is the mean of a count that a pilot suggests, half a pair up so that what was not seen is not held for
// impossible.
func ofPilot(count int, size int64) float64 { return min((float64(count)+0.5)/float64(size), 1) }
