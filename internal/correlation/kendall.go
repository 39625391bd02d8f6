package correlation

import (
	"cmp"
	"math"
	"slices"
)

// Kendall is tau-b: the pairs that both lists have in the same order, less those that they have in opposite orders,
// over the geometric mean of the pairs that each list has in some order. Pairs are counted by merging (Knight, A
// computer method for calculating Kendall's tau with ungrouped data, 1966), in O(n log n). It is NaN when either side
// does not vary.
func Kendall(x, y []float64) float64 {
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	tiedX := tiedPairs(n, func(i, k int) bool { return x[order[i]] == x[order[k]] })
	tiedBoth := tiedPairs(n, func(i, k int) bool { return x[order[i]] == x[order[k]] && y[order[i]] == y[order[k]] })
	values := make([]float64, n)
	for i, place := range order {
		values[i] = y[place]
	}
	opposite := inversions(values, make([]float64, n)) // which sorts them
	tiedY := tiedPairs(n, func(i, k int) bool { return values[i] == values[k] })
	all := pairs(int64(n))
	if all == tiedX || all == tiedY {
		return math.NaN()
	}
	same := all - tiedX - tiedY + tiedBoth - opposite
	tau := float64(same-opposite) / math.Sqrt(float64(all-tiedX)) / math.Sqrt(float64(all-tiedY))
	return max(-1, min(1, tau))
}

func pairs(n int64) int64 { return n * (n - 1) / 2 }

// tiedPairs counts the pairs in runs of equal entries.
func tiedPairs(n int, equal func(i, k int) bool) int64 {
	total := int64(0)
	for i := 0; i < n; {
		k := i + 1
		for k < n && equal(i, k) {
			k++
		}
		total += pairs(int64(k - i))
		i = k
	}
	return total
}

// inversions sorts values and returns the number of pairs that were in descending order.
func inversions(values, room []float64) int64 {
	n := len(values)
	if n < 2 {
		return 0
	}
	half := n / 2
	total := inversions(values[:half], room[:half]) + inversions(values[half:], room[half:])
	copy(room, values)
	left, right := room[:half], room[half:]
	for i := range values {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			values[i], left = left[0], left[1:]
		} else {
			values[i], right = right[0], right[1:]
			total += int64(len(left))
		}
	}
	return total
}
