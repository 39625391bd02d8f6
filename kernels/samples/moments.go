package samples

import (
	"math"
	"slices"
)

// moments are the sums and sums of squares of the dependencies on nodes or edges; nil when not asked for. bound has the bounds of
// the last check.
type moments struct{ sum, squares, bound []float64 }

func newMoments(n int, wanted bool) moments {
	if !wanted {
		return moments{}
	}
	return moments{sum: make([]float64, n), squares: make([]float64, n)}
}

// bernsteinSerfling returns a bound on the error of the mean of count of n values in [0, 1], of a given standard
// deviation, that fails on either side with a probability of at most delta.
func bernsteinSerfling(count, n int, delta float64) func(deviation float64) float64 {
	c, log := float64(count), math.Log(10/delta) // 5 events a side
	rho := 1 - (c-1)/float64(n)
	if 2*count > n {
		rho = (1 - c/float64(n)) * (1 + 1/c)
	}
	kappa := 7.0/3 + 3/math.Sqrt2
	return func(deviation float64) float64 {
		return deviation*math.Sqrt(2*rho*log/c) + kappa*log/c
	}
}

// bounds returns the bound on the error of each score, as a share of n(n-1).
func (m moments) bounds(count, n int, bound func(deviation float64) float64) []float64 {
	out := make([]float64, len(m.sum))
	c, unit := float64(count), float64(n-1)
	for i, sum := range m.sum {
		mean := sum / c / unit
		out[i] = bound(math.Sqrt(max(0, m.squares[i]/c/(unit*unit)-mean*mean)))
	}
	return out
}

// separated says whether the k best are told from all others by the bounds, except from those that are tied with the last of them.
func (m moments) separated(k int, bounds []float64, count, n int) bool {
	if k >= len(m.sum) {
		return true
	}
	order := make([]int, len(m.sum))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case m.sum[i] > m.sum[j]:
			return -1
		case m.sum[i] < m.sum[j]:
			return 1
		}
		return i - j
	})
	share := func(i int) float64 { return m.sum[i] / float64(count) / float64(n-1) }
	least, most := math.Inf(1), math.Inf(-1)
	for _, i := range order[:k] {
		least = min(least, share(i)-bounds[i])
	}
	for _, i := range order[k:] {
		most = max(most, share(i)+bounds[i])
	}
	return least*(1+tied) >= most
}

func greatest(x []float64) float64 {
	most := 0.0
	for _, x := range x {
		most = max(most, x)
	}
	return most
}

// add moves the value of one source to the moments.
func (m moments) add(i int32, once []float64, extra float64) {
	x := once[i] + extra
	m.sum[i] += x
	m.squares[i] += x * x
	once[i] = 0
}

// join adds what from has, and clears it.
func (m moments) join(from moments) {
	for i, x := range from.sum {
		m.sum[i] += x
		m.squares[i] += from.squares[i]
	}
	clear(from.sum)
	clear(from.squares)
}

// scale makes scores of the sums.
func (m moments) scale(factor float64) {
	for i := range m.sum {
		m.sum[i] *= factor
	}
}

// times returns numbers times a factor.
func times(all []float64, factor float64) []float64 {
	out := make([]float64, len(all))
	for i, x := range all {
		out[i] = x * factor
	}
	return out
}
