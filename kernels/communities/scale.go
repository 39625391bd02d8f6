package communities

import "math/bits"

// scale is the fixed point of scores. A score is the sum over all ordered pairs of the components' nodes, and each
// source adds a whole number of units. So a sum has the same bits in whatever order its terms came and went.
type scale struct {
	unit  float64 // how many units make 1, a power of two
	shift uint    // ranks drop so many bits
}

// mostBits is the greatest number of bits behind the point: float64 has no more that are right.
const mostBits = 44

// scaleFor returns the scale for a component of n nodes. Sums stay under n^2 in 62 bits. Each source's term is rounded,
// so a sum may miss the exact one by half a unit per node; ranks are 32 times as coarse as that.
func scaleFor(n int) scale {
	width := bits.Len(uint(n))
	return scale{unit: float64(uint64(1) << max(0, min(62-2*width, mostBits))), shift: uint(width + 4)}
}

// rank is what scores are compared by. Scores that are equal in exact arithmetic have the same rank.
func (s scale) rank(sum int64) int64 { return (sum + 1<<(s.shift-1)) >> s.shift }

// score is the betweenness of an edge over unordered pairs.
func (s scale) score(sum int64) float64 { return float64(sum) / s.unit / 2 }

// term rounds a share of paths, given in units. The conversion keeps compilers from fusing the product that made it
// with the sum.
func term(x float64) int64 { return int64(float64(x) + 0.5) }
