package samples

import "github.com/linchpin-graph/linchpin/kernels/adaptive"

// moments are those of the strata searched from; nil where they are not asked for.
type moments struct{ adaptive.Moments }

func newMoments(n int, wanted bool) moments {
	if !wanted {
		return moments{}
	}
	return moments{adaptive.Moments{Sums: make([]float64, n), Differences: make([]float64, n)}}
}

// add moves what the two sources of a stratum gave, to the entries that each has found.
func (m moments) add(first, second []float64, found ...[]int32) {
	for _, entries := range found {
		for _, i := range entries {
			x, y := first[i], second[i]
			m.Sums[i] += x + y
			m.Differences[i] += (x - y) * (x - y)
			first[i], second[i] = 0, 0
		}
	}
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
