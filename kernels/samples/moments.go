package samples

import (
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// moments are those of the strata searched from; nil where they are not asked for.
type moments struct{ adaptive.Moments }

func newMoments(n int, wanted bool) moments {
	if !wanted {
		return moments{}
	}
	return moments{adaptive.Moments{Sums: make([]float64, n), Differences: make([]float64, n)}}
}

// entries are those that a source has dependencies on: most of all, or some.
type entries struct {
	some []int32
	most bool
}

// forget begins a list of about so many entries of all.
func (e *entries) forget(count, all int) {
	e.some, e.most = e.some[:0], count >= all/search.MostScattered
}

// add moves what the two sources of a stratum gave, which has values where each has entries.
func (m moments) add(first, second []float64, found ...*entries) {
	for _, e := range found {
		if e.most {
			m.addAll(first, second)
			return
		}
	}
	for _, e := range found {
		for _, i := range e.some {
			x, y := first[i], second[i]
			m.Sums[i] += x + y
			m.Differences[i] += (x - y) * (x - y)
			first[i], second[i] = 0, 0
		}
	}
}

// addAll is add to all entries.
func (m moments) addAll(first, second []float64) {
	sums, differences := m.Sums, m.Differences[:len(m.Sums)]
	first, second = first[:len(sums)], second[:len(sums)]
	for i, x := range first {
		y := second[i]
		sums[i] += x + y
		differences[i] += (x - y) * (x - y)
	}
	clear(first)
	clear(second)
}

// join adds what from has, and clears it.
func (m moments) join(from moments) {
	for i, x := range from.Sums {
		m.Sums[i] += x
		m.Differences[i] += from.Differences[i]
	}
	clear(from.Sums)
	clear(from.Differences)
}

func greatest(x []float64) float64 {
	most := 0.0
	for _, x := range x {
		most = max(most, x)
	}
	return most
}
