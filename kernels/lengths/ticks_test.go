package lengths

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// TestTicksOfManyWeights: parts that are converted side by side share the tick that divides the weights of all of them.
func TestTicksOfManyWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	const arcs = 3*leastPart + 100
	weights := func(of func(i int) float64) *export.Graph {
		g := &export.Graph{Directed: true, EdgeCount: arcs, Offsets: []int64{0, arcs}, Targets: make([]int32, arcs),
			Weights: make([]float64, arcs)}
		for i := range g.Weights {
			g.Weights[i] = of(i)
		}
		return g
	}
	for _, c := range []struct {
		name string
		of   func(i int) float64
		tick float64
		ok   bool
	}{
		{"tenths in one part alone", func(i int) float64 { return []float64{5, 0.4}[i/leastPart%2] }, 0.2, true},
		{"twelves and eights", func(i int) float64 { return []float64{24, 40, 24, 24}[i/leastPart] }, 8, true},
		{"hundreds", func(int) float64 { return 300 * float64(1+random.IntN(9)) }, 300, true},
		{"decimals", func(i int) float64 { return float64(1+random.IntN(1000)) / 1000 }, 0.001, true},
		{"one wide weight, last", func(i int) float64 { return []float64{1, 1e30}[i/(arcs-1)] }, 1, false},
		{"digits in one part alone", func(i int) float64 { return []float64{1, 1, 1, 1e-17}[i/leastPart] }, 1e-17, true},
		{"reals", func(int) float64 { return 1e-9 + random.Float64() }, 1, false},
	} {
		g := weights(c.of)
		arc, mul, div, ok := WholeTicks(g)
		if ok != c.ok {
			t.Errorf("%s: ok %t", c.name, ok)
			continue
		}
		for i := range arc {
			if x := float64(arc[i]) * mul / div; x != g.Weights[i] {
				t.Fatalf("%s: weight %d is %g, not %g", c.name, i, x, g.Weights[i])
			}
		}
		if ok && math.Abs(mul/div-c.tick) > 1e-15*c.tick {
			t.Errorf("%s: a tick is %g, want %g", c.name, mul/div, c.tick)
		}
	}
}

// TestRounded: lengths are rounded down to a multiple of a power of two such that the longest is under 2^61, and those
// of 126 bits, too.
func TestRounded(t *testing.T) {
	low := &WideTicks{Arc: []U128{{lo: 5}, {lo: 1 << 60}}}
	if got := low.Rounded(0x1p60); !slices.Equal(got, []int64{5, 1 << 60}) {
		t.Errorf("not to be rounded: %v", got)
	}
	for _, bits := range []uint{62, 64, 100, 125, 128} {
		high := &WideTicks{Arc: []U128{{hi: 1<<61 - 1, lo: 1<<64 - 1}, {hi: 3, lo: 7}, {lo: 9}}}
		by := int(bits) + 1 - 61
		got := high.Rounded(math.Ldexp(1, int(bits)))
		for i, x := range high.Arc {
			want := new(big.Int).Rsh(x.big(), uint(by))
			if want.BitLen() < 63 && got[i] != want.Int64() {
				t.Errorf("%d bits: arc %d is %d, want %v", bits, i, got[i], want)
			}
		}
	}
}
