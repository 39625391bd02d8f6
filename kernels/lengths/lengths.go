// Package lengths measures paths: in hops, or in weights as fixed-point numbers (ticks) of 64 or 128 bits, or as
// float64 where these do not hold them. It knows graphs, but neither searches nor measures.
package lengths

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/linchpin-graph/linchpin/export"
)

// Lengths is how the paths of a graph are measured: in hops, or in weights, told apart as exactly as they allow. It is
// one of Hops, *Ticks, *WideTicks and *Reals.
type Lengths interface {
	// Ties is how equal lengths are told: "" (hops), "exact" or "tolerance".
	Ties() string
	// Shift is the power of ten by which all distances are divided, so that no sum of them overflows float64; 0 for
	// nearly all graphs.
	Shift() int
}

// DefaultTolerance is the relative tolerance of ties between path lengths that no 128-bit integer can hold.
const DefaultTolerance = 1e-10

// New measures in hops, or by weights: a path is then as long as the sum of its weights. A weight is the decimal that
// its shortest round-trip text shows, a whole number of ticks; the tick is the greatest decimal that divides all
// weights. While no path can pass 2^62 or 2^126 ticks, lengths are integers and ties are exact. Beyond, lengths are
// float64 and ties within the tolerance; 0 is DefaultTolerance. It fails only when the context is done.
func New(ctx context.Context, g *export.Graph, weighted bool, tolerance float64) (Lengths, error) {
	if !weighted {
		return Hops{}, nil
	}
	l := convertWeights(ctx, g, tolerance)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return l, nil
}

// convertWeights measures by weights. A context that ends cuts the conversion short: the result is then of no use.
func convertWeights(ctx context.Context, g *export.Graph, tolerance float64) Lengths {
	if tolerance == 0 {
		tolerance = DefaultTolerance
	}
	if t, _, narrow := wholeNumbers(ctx, g); narrow {
		return &t
	}
	c, ok := convert(ctx, g)
	switch {
	case !ok:
		return NewReals(g.Weights, tolerance, lengthShift(g.Weights, g.N()))
	case c.wide:
		return &c.WideTicks
	}
	t := c.narrow()
	return &t
}

// Hops measures a path by its number of arcs.
type Hops struct{}

// Ties is "".
func (Hops) Ties() string { return "" }

// Shift is 0.
func (Hops) Shift() int { return 0 }

// Ticks are weights in ticks, such that no path passes 2^62.
type Ticks struct {
	// Arc has the weight of every arc.
	Arc   []int64
	Unit  Unit
	shift int
}

// Ties is "exact".
func (t *Ticks) Ties() string { return "exact" }

// Shift is as Lengths has it.
func (t *Ticks) Shift() int { return t.shift }

// Weigh returns a graph, whose lengths these are, with ticks as weights, and the greatest of them.
func (t *Ticks) Weigh(g *export.Graph) (out *export.Graph, most float64) {
	out = &export.Graph{
		Directed: g.Directed, Offsets: g.Offsets, Targets: g.Targets, Edges: g.Edges, EdgeCount: g.EdgeCount,
		Weights: make([]float64, len(t.Arc)),
	}
	for i, ticks := range t.Arc {
		out.Weights[i] = float64(ticks)
		most = max(most, out.Weights[i])
	}
	return out, most
}

// WideTicks are weights in ticks, such that no path passes 2^126.
type WideTicks struct {
	// Arc has the weight of every arc.
	Arc   []U128
	Unit  Unit
	shift int
}

// Ties is "exact".
func (t *WideTicks) Ties() string { return "exact" }

// Shift is as Lengths has it.
func (t *WideTicks) Shift() int { return t.shift }

// Rounded returns the weight of every arc in ticks of a power of two of these, rounded down, such that longest, in
// these, is less than 2^61.
func (t *WideTicks) Rounded(longest float64) []int64 {
	_, bits := math.Frexp(longest)
	by, out := uint(max(0, bits-61)), make([]int64, len(t.Arc))
	for i, x := range t.Arc {
		out[i] = x.rightShift(by)
	}
	return out
}

// Reals are weights in float64.
type Reals struct {
	// Arc has the weight of every arc; 0 where it is too small for all its digits, which no search may add.
	Arc []float64
	// Tolerance is that of ties, relative.
	Tolerance float64
	shift     int
}

// NewReals divides weights by 10^shift.
func NewReals(weights []float64, tolerance float64, shift int) *Reals {
	if shift > 0 {
		weights = slices.Clone(weights)
		for i := range weights {
			if weights[i] /= math.Pow10(shift); weights[i] < 0x1p-1022 {
				weights[i] = 0
			}
		}
	}
	return &Reals{Arc: weights, Tolerance: tolerance, shift: shift}
}

// Ties is "tolerance".
func (r *Reals) Ties() string { return "tolerance" }

// Shift is as Lengths has it.
func (r *Reals) Shift() int { return r.shift }

// Pick returns the lengths of some arcs, by number.
func Pick(l Lengths, arcs []int64) Lengths {
	switch l := l.(type) {
	case *Ticks:
		return &Ticks{Arc: pick(l.Arc, arcs), Unit: l.Unit, shift: l.shift}
	case *WideTicks:
		return &WideTicks{Arc: pick(l.Arc, arcs), Unit: l.Unit, shift: l.shift}
	case *Reals:
		return &Reals{Arc: pick(l.Arc, arcs), Tolerance: l.Tolerance, shift: l.shift}
	}
	return l
}

func pick[T any](all []T, arcs []int64) []T {
	out := make([]T, len(arcs))
	for i, k := range arcs {
		out[i] = all[k]
	}
	return out
}

// Rounding is the relative tolerance within which float64 holds paths of so many nodes: the sum of k weights, each
// within 2^-53 of its decimal, is within (k+1) 2^-53 of itself, and so is the least of several. Two that are equal are
// told to be by twice the difference.
func Rounding(nodes int) float64 { return float64(nodes) * 0x1p-51 }

// Unit is the length of one tick: Mul / (Div * Div2). It is kept as factors that float64 holds, because 3 * 1 / 10 is
// 0.3 in float64 and 3 * 0.1 is not, and because 10^324 has no float64.
type Unit struct{ Mul, Div, Div2 float64 }

// Of is the length of so many ticks.
func (u Unit) Of(ticks float64) float64 {
	length := ticks * u.Mul
	if u.Div != 1 { // a division takes longer than to find that it changes nothing
		length /= u.Div
	}
	if u.Div2 != 1 {
		length /= u.Div2
	}
	return length
}

// longestTicks is longer than any path in ticks of 64 bits.
const longestTicks = 1 << 62

// Within returns the most ticks whose length is at most the limit.
func (u Unit) Within(limit float64) int64 {
	return int64(sort.Search(longestTicks, func(ticks int) bool { return u.Of(float64(ticks)) > limit })) - 1
}

// Bytes bounds the memory of the lengths of a graph's arcs: by weights, that of ticks.
func Bytes(edges int64, directed, weighted bool) int64 {
	if !weighted {
		return 0
	}
	arcs := edges
	if !directed {
		arcs *= 2
	}
	return 24 * arcs
}
