// Package correlation says how much two lists of scores of the same entities agree in their order. No score may be NaN;
// infinite ones are the highest and the lowest.
package correlation

import (
	"cmp"
	"math"
	"slices"
)

// Spearman is the rank correlation: Pearson's of the ranks, where equal values share their mean rank. It is NaN when
// either side does not vary.
func Spearman(x, y []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	a, b := Ranks(x), Ranks(y)
	mean := float64(len(x)+1) / 2
	var ab, aa, bb float64
	for i := range a {
		p, q := a[i]-mean, b[i]-mean
		ab, aa, bb = ab+p*q, aa+p*p, bb+q*q
	}
	if aa == 0 || bb == 0 {
		return math.NaN()
	}
	return max(-1, min(1, ab/math.Sqrt(aa*bb)))
}

// Ranks returns the rank of every value, counted from 1; equal values share the mean of theirs.
func Ranks(values []float64) []float64 {
	order := ascending(values)
	out := make([]float64, len(values))
	for i := 0; i < len(order); {
		k := i
		for k < len(order) && values[order[k]] == values[order[i]] {
			k++
		}
		for _, place := range order[i:k] {
			out[place] = float64(i+k+1) / 2
		}
		i = k
	}
	return out
}

// ascending returns the places of the values in ascending order; places of equal values ascend.
func ascending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(a, b)) })
	return order
}
