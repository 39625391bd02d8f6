package samples

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

const (
	// "The least" below is the least number of sources that may be enough. A pilot has pilotShare of it, and there is
	// none if that is less than leastPilot. The pilot foresees how many are enough, if D grows by differencesGrowth. The
	// first search is from nextSources times that many. Without a pilot, it is from firstSources times the least. This
	// is rounded down to a multiple of wholeSources if wholeTimes the least is left: an H200 searches from so many at a
	// time on many meshes. If they are not enough, the next search is from nextSources times as many as are missing if
	// the new ones are like those before, but all together grow by leastGrowth.
	pilotShare   = 0.07
	leastPilot   = 64
	firstSources = 1.3
	wholeSources = 528
	wholeTimes   = 1.15
	// meshArcs is the least number of arcs per node of a graph for which there is a pilot by hops.
	meshArcs    = 4
	nextSources = 1.05
	leastGrowth = 1.1
	// differencesGrowth is the power of the number of sources by which D grows: strata become smaller, and sources of one
	// are more alike. On Delaunay and geometric graphs of 2^15 nodes, and on a road network, it is 0.3 to 0.47 (note 090).
	differencesGrowth = 0.4
	// Where no error is asked for, firstBatch sources come first, and the sample then grows by batchGrowth.
	firstBatch  = 128
	batchGrowth = 1.5
	// deepShare is the greatest share of all nodes, as sources that may be enough, for which a deep graph is sampled by
	// sources.
	deepShare = 0.16
	// nearError is the greatest error for which the CPU samples a deep graph by sources.
	nearError = 0.02
)

// rates are those at which the bound is tried: the less sources differ, the greater is the best one.
var rates = [...]float64{0.85, 0.65, 0.45, 0.27, 0.13}

// DeepNodes is from how many nodes on a device samples a deep graph by sources. Tests lower it.
var DeepNodes int64 = 1 << 14

// BySources reports whether sources are drawn, on a device or on the CPU, and not pairs: by weights, and of large deep
// graphs, if they are few enough. A source tells of all pairs that it is in, and nodes near one another are alike. A
// pair takes a device as long as a source there. It takes the CPU a sixth of that, and less if edges are asked for; but
// where the error is a half, pairs are four times as many, and sources about twice.
func BySources(g *export.Graph, r kernels.Request, a kernels.Accuracy, onDevice bool) bool {
	switch {
	case r.Weighted:
		return true
	case a.Error == 0 || float64(firstCount(g, r, a)) > deepShare*float64(g.N()):
		return false
	case onDevice:
		return isDeep(g, DeepNodes)
	}
	return a.Error <= nearError && !r.Edges && isNear(g)
}

// IsLargeAndDeep reports whether a graph by hops is one that a device had better sample.
func IsLargeAndDeep(g *export.Graph) bool { return isDeep(g, order.NearNodes) }

// isDeep reports whether a graph of so many nodes or more is deep.
func isDeep(g *export.Graph, nodes int64) bool {
	return int64(g.N()) >= nodes && order.LikelyDepth(g).Deep
}

// OfSources samples sources until the accuracy is reached. Scores are scaled by n over their number; their totals are
// left to the caller. It gives up, without scores, where the sample would take more than most sources: exact scores
// then take less work. The estimate then gives the reason.
//
// Nodes near one another make a stratum. Two sources are drawn of each, since what they differ by shows how much the
// sources of a stratum differ, which is less than sources from anywhere do. boundOf says how sure the scores are.
func OfSources(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy, by adaptive.Summer, strata Strata,
	most float64,
) (*kernels.Scores, *kernels.Estimate, error) {
	s := &sourceSample{g: g, request: r, accuracy: a, by: by, strata: strata, begun: time.Now()}
	if float64(firstCount(g, r, a)) > most {
		return nil, s.givenUp(), nil
	}
	next, err := s.first(ctx)
	if err != nil {
		return nil, nil, err
	}
	for ; float64(next) <= most; next = s.next() {
		if enough, err := s.grow(ctx, next); err != nil {
			return nil, nil, err
		} else if enough {
			scores, est := s.finish()
			return scores, est, nil
		}
	}
	return nil, s.givenUp(), nil
}

// givenUp is the estimate where exact scores take less work.
func (s *sourceSample) givenUp() *kernels.Estimate {
	return &kernels.Estimate{
		Request: s.request, Sources: s.g.N(), Confidence: s.accuracy.Confidence, Checks: s.checks, Exact: true,
		Why: exactIsLess,
	}
}

// Strata waits for the nodes in an order in which those near one another follow one another: any part of it is a
// stratum.
type Strata func() []int32

// StrataOf begins to find that order.
func StrataOf(g *export.Graph) Strata {
	found := make(chan []int32, 1)
	go func() { found <- order.Near(g) }()
	return sync.OnceValue(func() []int32 { return <-found })
}

// Begins reports whether OfSources searches at all.
func Begins(g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64) bool {
	return float64(firstCount(g, r, a)) <= most
}

// sourceSample is a sample of sources.
type sourceSample struct {
	g        *export.Graph
	request  kernels.Request
	accuracy kernels.Accuracy
	by       adaptive.Summer
	strata   Strata
	// count is how many sources are searched from, checks how often the bound was looked at.
	count, checks int
	nodes, edges  spread
	begun         time.Time
}

// first is how many sources to search from before the first check, by a pilot that is forgotten: its strata are wide,
// so that it would add more to the bound than to the sample.
func (s *sourceSample) first(ctx context.Context) (int, error) {
	if s.accuracy.Error == 0 {
		return firstBatch, nil
	}
	least := sourcesFor(s.g, s.request, s.accuracy, 0)
	pilot, whole := even(pilotShare*least), math.Floor(firstSources*least/wholeSources)*wholeSources
	switch {
	case pilot >= leastPilot && s.pilotPays():
	case whole >= wholeTimes*least:
		return int(whole), nil
	default:
		return even(firstSources * least), nil
	}
	if err := s.by.Search(ctx, s.draw(pilot/2, pilotStream), func(int) {}); err != nil {
		return 0, err
	}
	nodes, edges, err := s.by.Moments()
	if err != nil {
		return 0, err
	}
	b := boundOf(s.g, s.request, s.accuracy)
	all := max(spread{nodes, b, pilot, s.g.N()}.most(), spread{edges, b, pilot, s.g.N()}.most())
	s.by.Clear()
	enough := least
	for b(all*math.Pow(enough/float64(pilot), differencesGrowth)) > s.accuracy.Error*enough {
		enough *= 1.01
	}
	return even(nextSources * enough), nil
}

// pilotPays reports whether a pilot saves more than it takes: not by hops for edges, which a device alone samples by
// sources, and where it takes as long as several times as many sources do; nor on roads, whose D it foresees badly.
func (s *sourceSample) pilotPays() bool {
	return s.request.Weighted || !s.request.Edges && s.g.Arcs() >= meshArcs*s.g.N()
}

// grow searches from more sources, and reports whether there are enough.
func (s *sourceSample) grow(ctx context.Context, until int) (enough bool, err error) {
	progress := func(int) {}
	if told, before := s.request.Progress, s.count; told != nil {
		progress = func(done int) { told(before+done, s.g.N()) }
	}
	if err := s.by.Search(ctx, s.draw((until-s.count)/2, uint64(s.checks)), progress); err != nil {
		return false, err
	}
	nodes, edges, err := s.by.Moments()
	if err != nil {
		return false, err
	}
	s.count, s.checks = until, s.checks+1
	b := boundOf(s.g, s.request, s.accuracy)
	s.nodes, s.edges = spread{nodes, b, s.count, s.g.N()}, spread{edges, b, s.count, s.g.N()}
	seconds := s.accuracy.Seconds
	return s.reached() || seconds > 0 && batchGrowth*time.Since(s.begun).Seconds() > seconds, nil
}

// draw draws two sources of each of so many strata, by random numbers of a stream.
func (s *sourceSample) draw(strata int, stream uint64) []int32 {
	random := rand.New(rand.NewPCG(search.Scatter(uint64(s.accuracy.Seed)^sourceStream), search.Scatter(stream)))
	nodes := s.strata()
	out, wide := make([]int32, 2*strata), float64(len(nodes))/float64(strata)
	for i := range out {
		at := int((float64(i/2) + random.Float64()) * wide)
		out[i] = nodes[min(at, len(nodes)-1)]
	}
	return out
}

// reached reports whether the accuracy is reached.
func (s *sourceSample) reached() bool {
	if k := s.accuracy.Top; k > 0 {
		return s.nodes.separated(k) && s.edges.separated(k)
	}
	return s.bound() <= s.accuracy.Error
}

// bound is that of all scores.
func (s *sourceSample) bound() float64 { return max(s.nodes.greatest(), s.edges.greatest()) }

// next is how many sources to search from in all when so many were not enough.
func (s *sourceSample) next() int {
	more := batchGrowth * float64(s.count)
	if s.accuracy.Error > 0 {
		each := max(s.nodes.most(), s.edges.most()) / float64(s.count)
		more = max(nextSources*sourcesFor(s.g, s.request, s.accuracy, each), leastGrowth*float64(s.count))
	}
	return even(more)
}

// even is the next even number.
func even(x float64) int { return 2 * int(math.Ceil(x/2)) }

// finish makes scores of the sums.
func (s *sourceSample) finish() (*kernels.Scores, *kernels.Estimate) {
	est := SearchedFrom(s.g, s.request, s.accuracy, s.count)
	est.Bound, est.Checks = s.bound(), s.checks
	nodes, edges := kernels.BetweennessFactors(s.g, est.Request)
	if s.accuracy.Each {
		all := float64(s.count) * float64(s.g.N()-1) // with the scale, n(n-1)
		est.Nodes, est.Edges = times(s.nodes.each(), nodes*all), times(s.edges.each(), edges*all)
	}
	return &kernels.Scores{Nodes: times(s.nodes.Sums, nodes), Edges: times(s.edges.Sums, edges)}, est
}

// SearchedFrom returns the estimate of a sample of count sources. Its bounds and number of checks are left to the
// caller.
func SearchedFrom(g *export.Graph, r kernels.Request, a kernels.Accuracy, count int) *kernels.Estimate {
	est := &kernels.Estimate{Request: r, Sources: count, Confidence: a.Confidence}
	est.Request.Scale = kernels.Quotient(float64(g.N()), float64(count))
	return est
}

// LeastRequest is the request for exact scores from as many sources as a sample of sources takes at least: what a
// prediction of its time goes by.
func LeastRequest(g *export.Graph, r kernels.Request, a kernels.Accuracy) kernels.Request {
	r.Sources, r.Reduce = kernels.DrawSources(g.N(), min(firstCount(g, r, a), g.N()), a.Seed), kernels.ReduceOff
	return r
}

// firstCount is the least number of sources before the first check, besides a pilot.
func firstCount(g *export.Graph, r kernels.Request, a kernels.Accuracy) int {
	if a.Error == 0 {
		return firstBatch
	}
	return even(nextSources * sourcesFor(g, r, a, 0))
}

// mostApart is the mean of D over draws of 0 and 1 that are as likely as one another.
const mostApart = 0.25

// mostSources is the number of sources that a sample takes at most, or that of all nodes: those with which the error is
// found, if the dependencies of sources differ as much as numbers from 0 to 1 can.
func mostSources(g *export.Graph, r kernels.Request, a kernels.Accuracy) int {
	if a.Error == 0 {
		return g.N()
	}
	return int(math.Ceil(min(leastGrowth*nextSources*sourcesFor(g, r, a, mostApart), float64(g.N()))))
}

// sourcesFor is with how many sources the error is found, if D is so much of each; mostPairs where none are enough at
// the rates that are tried.
func sourcesFor(g *export.Graph, r kernels.Request, a kernels.Accuracy, each float64) float64 {
	log, count := logOf(g, r, a), float64(mostPairs)
	for _, rate := range rates {
		if gain := rate*a.Error - psi(rate)*each; gain > 0 {
			count = min(count, log/gain)
		}
	}
	return count
}

// psi is what a difference of 1 costs at a rate.
func psi(rate float64) float64 { return -math.Log1p(-rate) - rate }

// logOf is L.
func logOf(g *export.Graph, r kernels.Request, a kernels.Accuracy) float64 {
	return math.Log(2 * float64(len(rates)) * max(float64(entriesOf(g, r)), 1) / (1 - a.Confidence))
}

// boundOf is the bound on the error of the sum of all draws, by D: the sum, over all strata, of the square by which the
// two draws differ.
//
// The share x = dependency / (n-1) of a source lies in [0, 1], and the mean of x over all sources is the score over
// n(n-1). Let x and y be drawn from a stratum of mean m. Then for any rate l below 1 and p = -log(1-l) - l,
//
//	E exp(l(2m-x-y) - p(x-y)^2) <= 1,
//
// as is shown below. So the product of this over strata, drawn one after the other, is a supermartingale, and at any
// time at all the sum of the draws lies by (L + pD)/l or more below its mean with a probability of at most exp(-L)
// (Ville). With 1-x for x, it lies so far above with the same. The probability to be wrong is divided evenly among both
// sides, the rates, and the nodes and edges asked for. A sample may be looked at as often as one likes, and grow by
// what was found.
//
// Proof. Let d = |x-y|, u = min(x, y), R(t) = E max(x-t, 0), and g(t) = exp(-2lt), with the derivatives g1, g2 and g3.
// For d up to 1, exp(-ld - pd^2) <= 1-ld (Fan, Grama and Liu, Electronic Journal of Probability 20, 2015). So
// exp(-l(x+y) - p(x-y)^2) <= g(u) + g1(u)d/2. Integrals by parts over the distribution of x give
//
//	E(g(u) + g1(u)d/2) = g(0) + g1(0)m + g2(0)m^2/2 + 1/2 int_0^1 g3(t)R(t)^2 dt.
//
// R(t) is at least max(m-t, 0), and g3 is negative, so this is at most the same with max(m-t, 0) for R(t), which is
// g(m) by Taylor's theorem. Hence E exp(-l(x+y) - p(x-y)^2) <= exp(-2lm).
func boundOf(g *export.Graph, r kernels.Request, a kernels.Accuracy) func(differences float64) float64 {
	log := logOf(g, r, a)
	return func(differences float64) float64 {
		off := math.Inf(1)
		for _, rate := range rates {
			off = min(off, (log+psi(rate)*differences)/rate)
		}
		return off
	}
}

// spread is what is known of the scores of nodes, or of edges, of a graph of n nodes, from count sources. bound is that
// of boundOf.
type spread struct {
	adaptive.Moments
	bound    func(differences float64) float64
	count, n int
}

// of is the bound on the error of score number i, as a share of n(n-1).
func (s spread) of(i int) float64 {
	return min(s.bound(s.shares(s.Differences[i]))/float64(s.count), 1)
}

// shares is D for a sum of squares of dependencies.
func (s spread) shares(squares float64) float64 {
	n := max(float64(s.n-1), 1)
	return squares / (n * n)
}

// most is the greatest D.
func (s spread) most() float64 { return s.shares(greatest(s.Differences)) }

// greatest is the bound on the errors of all scores.
func (s spread) greatest() float64 {
	if len(s.Differences) == 0 {
		return 0
	}
	return min(s.bound(s.most())/float64(s.count), 1)
}

// each is the bound on the error of each score.
func (s spread) each() []float64 {
	out := make([]float64, len(s.Differences))
	for i := range out {
		out[i] = s.of(i)
	}
	return out
}

// separated says whether the k best are told from all others by the bounds, except from those that are tied with the
// last of them.
func (s spread) separated(k int) bool {
	if k >= len(s.Sums) {
		return true
	}
	order := make([]int, len(s.Sums))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case s.Sums[i] > s.Sums[j]:
			return -1
		case s.Sums[i] < s.Sums[j]:
			return 1
		}
		return i - j
	})
	share := func(i int) float64 { return s.Sums[i] / float64(s.count) / max(float64(s.n-1), 1) }
	least, most := math.Inf(1), math.Inf(-1)
	for _, i := range order[:k] {
		least = min(least, share(i)-s.of(i))
	}
	for _, i := range order[k:] {
		most = max(most, share(i)+s.of(i))
	}
	return least*(1+tied) >= most
}

// times returns numbers times a factor.
func times(all []float64, factor float64) []float64 {
	if len(all) == 0 {
		return nil
	}
	out := make([]float64, len(all))
	for i, x := range all {
		out[i] = x * factor
	}
	return out
}
