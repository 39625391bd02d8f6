package kernels

import (
	"math"
	"slices"
)

// equalScores is how far, relatively, a score may lie under another and still tie with it: rounding may tell two equal sums apart.
const equalScores = 1e-12

// KeepTop keeps the count highest scores, and all that tie with the last of them. Others become NaN, which stands for null. It returns how many it kept.
func KeepTop(scores []float64, count int) int {
	least := math.Inf(-1)
	if count < len(scores) {
		sorted := slices.Sorted(slices.Values(scores))
		least = sorted[len(sorted)-count] * (1 - equalScores)
	}
	kept := 0
	for v, score := range scores {
		if score < least {
			scores[v] = math.NaN()
			continue
		}
		kept++
	}
	return kept
}
