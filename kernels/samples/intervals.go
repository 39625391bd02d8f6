package samples

import (
	"context"
	"math"
	"slices"
)

// pilotPairs times the inverse of the error is the size of the pilot.
const pilotPairs = 10

// evenly is the part of the probability to be wrong that all scores share evenly, in case the pilot misleads.
const evenly = 0.1

// firstPilot is the least size of a pilot, and the size of that for the best scores.
const firstPilot = 512

// topPilot is the size of a pilot for the best scores.
const topPilot = 4096

// pilot draws a sample that divides the probability to be wrong, and is then thrown away. It reports false as soon as the
// accuracy is known to take more than the given work.
func (s *pairSample) pilot(ctx context.Context, most float64) (ok bool, err error) {
	s.error = s.greatestError()
	want := int64(topPilot)
	if s.accuracy.Top == 0 {
		want = max(firstPilot, int64(min(pilotPairs/s.error, mostPairs)))
	}
	for next := min(want, firstPilot); ; next = min(2*next, want) {
		if err := s.draw(ctx, pilotStream, next); err != nil {
			return false, err
		}
		if s.perPair()*max(float64(want), float64(s.least())) > most {
			return false, nil
		}
		if next == want {
			break
		}
	}
	s.endPilot()
	return true, nil
}

// endPilot sorts the scores into classes by what the pilot found, and throws it away.
func (s *pairSample) endPilot() {
	s.classes, s.logs = make([]int32, len(s.counts)), make([]float64, s.drawn+1)
	for i, c := range s.counts {
		s.classes[i] = int32(c)
	}
	clear(s.counts)
	s.drawn = 0
}

// least is the least number of pairs that the accuracy can take: that of a score of 0.
func (s *pairSample) least() int64 {
	if s.accuracy.Top > 0 {
		return topPilot
	}
	return int64(min(-math.Log(1-s.accuracy.Confidence)/s.error, mostPairs))
}

// divide sets the logs of all classes of scores, and returns how many pairs the accuracy is expected to take.
//
// The mean q of m draws of 0 or 1 with mean p differs so far that m kl(q, p) > L with a probability of at most 2 exp(-L),
// where kl is the divergence of Kullback and Leibler (Chernoff's bound). So a score of mean p is wrong by the error e with
// about 2 exp(-m kl(p, p+e)). Scores near 0 hardly ever are. The least m for which these add up to what is allowed is the
// sample expected; each class gets its part of the sum. That holds whatever the pilot found, because the sample does
// not contain it (Borassi and Natale's KADABRA divides in another way).
func (s *pairSample) divide() int64 {
	if s.accuracy.Top > 0 {
		s.error = s.errorOfTop()
	}
	w := s.wrongs()
	m := w.pairs(s.error)
	s.allot(w, m)
	return int64(math.Ceil(m))
}

// divideFor sets the logs of all classes for a sample of so many pairs.
func (s *pairSample) divideFor(m float64) {
	w := s.wrongs()
	s.error = leastWhere(1e-12, 1-1e-9, func(e float64) bool { return w.pairs(e) <= m })
	s.allot(w, m)
}

// allot gives each class its part of the probability to be wrong, for a sample of m pairs.
func (s *pairSample) allot(w wrongs, m float64) {
	divergence := w.divergence(s.error)
	all := w.sum(m, divergence)
	for i, c := range w.classes {
		part := evenly/float64(len(s.counts)) + (1-evenly)*2*math.Exp(-m*divergence[i])/all
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
	w := wrongs{size: s.pilotSize(), allowed: (1 - s.accuracy.Confidence) * (1 - evenly) / 2} // half of it at the first check
	number := make([]float64, w.size+1)
	for _, c := range s.classes {
		number[c]++
	}
	for c, k := range number {
		if k > 0 {
			w.classes, w.number = append(w.classes, c), append(w.number, k)
		}
	}
	return w
}

// divergence is that of the mean of each class from means that lie by e to either side.
func (w wrongs) divergence(e float64) []float64 {
	out := make([]float64, len(w.classes))
	for i, c := range w.classes {
		out[i] = least(ofPilot(c, w.size), e)
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

// pairs is the least sample for which no more scores are expected to be wrong by the error e than may be.
func (w wrongs) pairs(e float64) float64 {
	divergence := w.divergence(e)
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
func (s *pairSample) reached() bool {
	bound := s.bound()
	s.estimate.Bound = bound * s.share()
	if s.accuracy.Top > 0 {
		return s.separated(s.counts[:s.nodes], 0) && s.separated(s.counts[s.nodes:], s.nodes)
	}
	return bound <= s.error
}

// limit is the greatest divergence of the mean of an entry of counts from the truth.
func (s *pairSample) limit(entry int) float64 {
	i := float64(s.estimate.Checks)
	return (s.logs[s.classes[entry]] + math.Log(i*(i+1))) / float64(s.drawn)
}

// bound is the greatest error of the mean of any count.
func (s *pairSample) bound() (bound float64) {
	for i, c := range s.counts {
		mean, limit := float64(c)/float64(s.drawn), s.limit(i)
		if least(mean, bound) > limit && bound > 0 {
			continue
		}
		bound = max(bound, above(mean, limit), below(mean, limit))
	}
	return bound
}

// each returns the bound on the error of every count's mean, times a factor.
func (s *pairSample) each(first, end int, factor float64) []float64 {
	out := make([]float64, end-first)
	for i := range out {
		mean, limit := float64(s.counts[first+i])/float64(s.drawn), s.limit(first+i)
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
func (s *pairSample) separated(counts []int64, first int) bool {
	k := s.accuracy.Top
	if k >= len(counts) {
		return true
	}
	lower := make([]float64, len(counts))
	for i, c := range counts {
		mean := float64(c) / float64(s.drawn)
		lower[i] = mean - below(mean, s.limit(first+i))
	}
	order := bestOf(counts)
	last := math.Inf(1)
	for _, i := range order[:k] {
		last = min(last, lower[i])
	}
	for _, i := range order[k:] {
		mean := float64(counts[i]) / float64(s.drawn)
		if mean+above(mean, s.limit(first+i)) > last*(1+tied) {
			return false
		}
	}
	return true
}

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

// errorOfTop is the error that tells the best from others, to go by the pilot.
func (s *pairSample) errorOfTop() float64 {
	e := 1.0
	for _, part := range [][]int32{s.classes[:s.nodes], s.classes[s.nodes:]} {
		if k := s.accuracy.Top; k < len(part) {
			sorted := slices.Sorted(slices.Values(part))
			e = min(e, tied/2*ofPilot(int(sorted[len(sorted)-k]), s.pilotSize()))
		}
	}
	return e
}
