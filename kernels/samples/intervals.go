package samples

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// pilotPairs times the inverse of the error is the size of the pilot.
const pilotPairs = 10

// evenly is the part of the probability to be wrong that all scores share evenly, in case the pilot misleads.
const evenly = 0.1

// firstPilot is the least size of a pilot, and the size of that for the best scores.
const firstPilot = 512

// topPilot is the size of a pilot for the best scores.
const topPilot = 4096

// pilot draws a sample that divides the probability to be wrong, and is then thrown away. It reports false as soon as
// the accuracy is known to take more than the given work.
func (s *pairSample) pilot(ctx context.Context, most float64) (ok bool, err error) {
	want := s.wanted()
	for next := min(want, firstPilot); ; next = min(2*next, want) {
		if err := s.draw(ctx, pilotStream, next); err != nil {
			return false, err
		}
		if !s.pays(float64(max(want, s.least())), most) {
			return false, nil
		}
		if next == want {
			break
		}
	}
	return true, s.endPilot()
}

// wanted is the size of the pilot. It sets the error.
func (s *pairSample) wanted() int64 {
	s.error = s.greatestError()
	if s.accuracy.Top > 0 {
		return topPilot
	}
	return max(firstPilot, int64(min(pilotPairs/s.error, mostPairs)))
}

// endPilot sorts the scores into classes by what the pilot found, and throws it away.
func (s *pairSample) endPilot() (err error) {
	s.size, s.logs = s.drawn, make([]float64, s.drawn+1)
	s.nodes, s.edges, err = s.tally.Sort(s.size)
	s.drawn = 0
	return err
}

// least is the least number of pairs that the accuracy can take: that of a score of 0.
func (s *pairSample) least() int64 {
	if s.accuracy.Top > 0 {
		return 1
	}
	return int64(min(-math.Log(1-s.accuracy.Confidence)/s.error, mostPairs))
}

// most is the number of pairs with which the error is sure to be reached, whatever the scores are; 0 if there is none.
//
// The divergence of two means is at least twice the square of their difference (Pinsker). So the i-th check of a sample
// ends it if it is of (L + log(i(i+1))) / 2e^2 pairs, where L is for scores that get nothing but their even part of the
// probability to be wrong. There were most checks before if the first came after the least number of pairs.
func (s *pairSample) most() int64 {
	if s.accuracy.Top > 0 {
		return 0
	}
	log := math.Log(2 * float64(entriesOf(s.g, s.request)) / (evenly * (1 - s.accuracy.Confidence)))
	pairs := float64(max(1, s.least()))
	for i := 1.0; pairs < (log+math.Log(i*(i+1)))/(2*s.error*s.error); i++ {
		pairs = math.Ceil(pairs * checkGrowth)
	}
	return int64(min(math.Ceil(pairs*checkGrowth), mostPairs))
}

// divide sets the logs of all classes of scores, and returns how many pairs the accuracy is expected to take.
//
// The mean q of m draws of 0 or 1 with mean p differs so far that m kl(q, p) > L with a probability of at most 2
// exp(-L), where kl is the divergence of Kullback and Leibler (Chernoff's bound). So a score of mean p is wrong by the
// error e with about 2 exp(-m kl(p, p+e)). Scores near 0 hardly ever are. The least m for which these add up to what is
// allowed is the sample expected; each class gets its part of the sum. That holds whatever the pilot found, because the
// sample does not contain it (Borassi and Natale's KADABRA divides in another way).
func (s *pairSample) divide() int64 {
	w, of := s.wrongs(), s.oneError
	if s.accuracy.Top > 0 {
		of = s.errorOfTop
		s.findLast()
	}
	m := w.pairs(of)
	s.allot(w, of, m)
	return int64(math.Ceil(m))
}

// divideFor sets the logs of all classes for a sample of so many pairs.
func (s *pairSample) divideFor(m float64) {
	w := s.wrongs()
	s.error = leastWhere(1e-12, 1-1e-9, func(e float64) bool { return w.pairs(func(int) float64 { return e }) <= m })
	s.allot(w, s.oneError, m)
}

// allot gives each class its part of the probability to be wrong, for a sample of m pairs.
func (s *pairSample) allot(w wrongs, of errorOf, m float64) {
	divergence := w.divergence(of)
	all := w.sum(m, divergence)
	for i, c := range w.classes {
		part := evenly / float64(entriesOf(s.g, s.request))
		if all > 0 { // it is 0 where so few pairs cannot be wrong by more than all scores may be
			part += (1 - evenly) * 2 * math.Exp(-m*divergence[i]) / all
		}
		s.logs[c] = math.Log(2 / ((1 - s.accuracy.Confidence) * part))
	}
}

// wrongs are how many scores the pilot found in each class that has some, and how many scores may be wrong.
type wrongs struct {
	size    int64
	classes []int
	number  []float64
	allowed float64
}

func (s *pairSample) wrongs() wrongs {
	w := wrongs{size: s.size, allowed: (1 - s.accuracy.Confidence) * (1 - evenly) / 2} // half of it at the first check
	for c := range s.nodes {
		if k := s.nodes[c] + s.edges[c]; k > 0 {
			w.classes, w.number = append(w.classes, c), append(w.number, float64(k))
		}
	}
	return w
}

// errorOf is how far the mean of each class may be from the truth.
type errorOf func(class int) float64

// oneError is the error that all classes may have.
func (s *pairSample) oneError(int) float64 { return s.error }

// divergence is that of the mean of each class from means that lie by its error to either side.
func (w wrongs) divergence(of errorOf) []float64 {
	out := make([]float64, len(w.classes))
	for i, c := range w.classes {
		out[i] = least(ofPilot(c, w.size), of(c))
	}
	return out
}

// sum is how many scores a sample of m pairs is expected to have that are wrong, by an error of these divergences.
func (w wrongs) sum(m float64, divergence []float64) (sum float64) {
	for i, d := range divergence {
		sum += 2 * w.number[i] * math.Exp(-m*d)
	}
	return sum
}

// pairs is the least sample for which no more scores are expected to be wrong by their errors than may be.
func (w wrongs) pairs(of errorOf) float64 {
	divergence := w.divergence(of)
	return leastWhere(1, mostPairs, func(m float64) bool { return w.sum(m, divergence) <= w.allowed })
}

// leastWhere is the least of the numbers from low to high for which ok holds, within a part in a million; high if none.
func leastWhere(low, high float64, ok func(x float64) bool) float64 {
	for high > low*(1+1e-6) {
		if middle := math.Sqrt(low * high); ok(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// divergence is kl(q, p).
func divergence(q, p float64) float64 {
	sum := 0.0
	if q > 0 {
		sum += q * math.Log(q/p)
	}
	if q < 1 {
		sum += (1 - q) * math.Log((1-q)/(1-p))
	}
	return sum
}

// least is the lesser divergence of a mean q from means that lie by e to either side; +Inf if none does.
func least(q, e float64) float64 {
	d := math.Inf(1)
	if q+e < 1 {
		d = divergence(q, q+e)
	}
	if q > e {
		d = min(d, divergence(q, q-e))
	}
	return d
}

// reached sets the bound of the estimate, and reports whether the accuracy is reached. The i-th check takes the share
// 1/(i(i+1)) of the probability to be wrong.
func (s *pairSample) reached() (bool, error) {
	bound, err := s.bound()
	if err != nil {
		return false, err
	}
	s.estimate.Bound = bound * s.share()
	if s.accuracy.Top > 0 {
		return s.separated()
	}
	return bound <= s.error, nil
}

// limit is the greatest divergence of the mean of an entry of a class from the truth.
func (s *pairSample) limit(class int) float64 {
	i := float64(s.estimate.Checks)
	return (s.logs[class] + math.Log(i*(i+1))) / float64(s.drawn)
}

// bound is the greatest error of the mean of any count. How far above a mean the truth may lie is a concave function of
// the mean (the divergence is convex in both), and so is how far below. So the greatest of a class is at one of the
// counts next to the peaks.
func (s *pairSample) bound() (bound float64, err error) {
	at := make([]adaptive.Split, s.size+1)
	for c := range at {
		if s.nodes[c]+s.edges[c] > 0 {
			peak := int64(peak(s.limit(c)) * float64(s.drawn))
			at[c] = adaptive.Split{Rising: peak, Falling: s.drawn - peak}
		}
	}
	around, err := s.tally.Nearest(at)
	for c, a := range around {
		limit := s.limit(c)
		for _, count := range []int64{a.UpToRising, a.OverRising} {
			if count >= 0 && count <= s.drawn {
				bound = max(bound, above(s.mean(count), limit))
			}
		}
		for _, count := range []int64{a.UpToFalling, a.OverFalling} {
			if count >= 0 && count <= s.drawn {
				bound = max(bound, below(s.mean(count), limit))
			}
		}
	}
	return bound, err
}

func (s *pairSample) mean(count int64) float64 { return float64(count) / float64(s.drawn) }

// peak is the mean for which the truth may lie farthest above: there the upper end of the interval grows as fast as the
// mean.
func peak(limit float64) float64 {
	grows := func(q float64) bool {
		u := q + above(q, limit)
		return u < 1 && u*(1-u)*math.Log(u*(1-q)/(q*(1-u))) > u-q
	}
	low, high := 0.0, 0.5
	for range 40 {
		if middle := (low + high) / 2; grows(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// each returns the bound on the error of every count's mean, times a factor.
func (s *pairSample) each(counts []int64, classes []int32, factor float64) []float64 {
	out := make([]float64, len(counts))
	for i, c := range counts {
		mean, limit := s.mean(c), s.limit(int(classes[i]))
		out[i] = max(above(mean, limit), below(mean, limit)) * factor
	}
	return out
}

// above is how far above a mean q the truth may lie.
func above(q, limit float64) float64 {
	return farthest(1-q, func(x float64) bool { return divergence(q, q+x) <= limit })
}

// below is how far below a mean q the truth may lie.
func below(q, limit float64) float64 {
	return farthest(q, func(x float64) bool { return divergence(q, q-x) <= limit })
}

// farthest is the greatest x up to most for which ok holds, rounded up.
func farthest(most float64, ok func(x float64) bool) float64 {
	low, high := 0.0, most
	for range 50 {
		if middle := (low + high) / 2; ok(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// tied is how far a score may be from the K-th best, as a part of that, to be taken as tied with it.
const tied = 0.1

// separated reports whether the best are told from all other entries, except from those that are tied with the last of
// them.
func (s *pairSample) separated() (bool, error) {
	for _, edges := range []bool{false, true} {
		if number := s.number(edges); s.accuracy.Top >= number {
			continue
		}
		parted, err := s.tally.Best(edges, s.accuracy.Top)
		if err != nil || !s.apart(parted) {
			return false, err
		}
	}
	return true, nil
}

// number is how many nodes, or edges, are asked for.
func (s *pairSample) number(edges bool) int {
	switch {
	case edges && s.request.Edges:
		return s.g.M()
	case !edges && s.request.Nodes:
		return s.g.N()
	}
	return 0
}

// apart is separated for the nodes, or for the edges. Both ends of an interval grow with the count.
func (s *pairSample) apart(parted []adaptive.Parted) bool {
	last := math.Inf(1)
	for c, p := range parted {
		if p.LeastBest <= s.drawn {
			mean := s.mean(p.LeastBest)
			last = min(last, mean-below(mean, s.limit(c)))
		}
	}
	for c, p := range parted {
		if p.GreatestOther < 0 {
			continue
		}
		if mean := s.mean(p.GreatestOther); mean+above(mean, s.limit(c)) > last*(1+tied) {
			return false
		}
	}
	return true
}

// errorOfTop is the error of a class that tells the best from the others, to go by the pilot. Scores next to the K-th
// best need a small one. Those that are far from it need half of the way, less what the pilot itself may be wrong.
func (s *pairSample) errorOfTop(class int) float64 {
	e := 1.0
	for i, classes := range [][]int64{s.nodes, s.edges} {
		k := s.accuracy.Top
		if k >= s.number(i == 1) || classes[class] == 0 {
			continue
		}
		mean, last, size := ofPilot(class, s.size), ofPilot(best(classes, int64(k)), s.size), float64(s.size)
		apart := math.Abs(mean-last) - pilotDeviations*(math.Sqrt(mean/size)+math.Sqrt(last/size))
		e = min(e, max(last*tied/(2+tied), apart/2))
	}
	return e
}

// findLast finds the lesser mean of the K-th best node and edge, to go by the pilot.
func (s *pairSample) findLast() {
	s.last = 1
	for i, classes := range [][]int64{s.nodes, s.edges} {
		if k := s.accuracy.Top; k < s.number(i == 1) {
			if mean := ofPilot(best(classes, int64(k)), s.size); mean < s.last {
				s.last, s.ofEdge = mean, i == 1
			}
		}
	}
}

// pilotDeviations is how many standard deviations a pilot may be wrong.
const pilotDeviations = 2

// best is the class of the k-th best of so many of each class.
func best(classes []int64, k int64) int {
	for c := len(classes) - 1; c >= 0; c-- {
		if k -= classes[c]; k <= 0 {
			return c
		}
	}
	return 0
}
