package lengths

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
)

// WeightTies says how lengths of paths by weights are told apart, as Lengths.Ties does: "exact" or "tolerance".
func WeightTies(g *export.Graph, tolerance float64) string {
	if tellsApart(g) {
		return "exact"
	}
	return convertWeights(context.Background(), g, tolerance).Ties()
}

// tellsApart says that 126 bits hold the length of any path for sure, by the least and the greatest weight alone: a
// weight's shortest decimal has 17 digits at most, so that no digit stands for less than the least weight's place less
// 17.
func tellsApart(g *export.Graph) bool {
	if len(g.Weights) == 0 || g.Rests != nil {
		return false
	}
	least, most := g.WeightRange()
	if !(least > 0) || math.IsInf(most, 0) {
		return false
	}
	low, high := math.Floor(math.Log10(least))-17, max(0, math.Ceil(math.Log10(most)))
	return high-low < maxDigits && high-low+math.Log10(float64(g.N())) < 126*math.Log10(2)-1
}
