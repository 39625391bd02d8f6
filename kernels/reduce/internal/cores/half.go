package cores

import "github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"

// Distance is a type that holds four times the greatest distance in a core.
type Distance interface{ ~int32 | ~int64 }

// Half is a chain as seen from one of its ends, here called a; b is the other. Every chain has two halves, a loop at
// the same node.
type Half[T Distance] struct {
	chain   int32
	primary bool // a is the chain's U
	unit    bool // inner node j is j away from a
	to      int32
	length  T
	twice   []T        // doubled distance of each inner node from a
	weight  []float64  // mass of the first i inner nodes from a, k+1 entries
	fine    *FineChain // as seen from a; nil where lengths are exact
	slack   T          // as of Problem
	ratio   []float64  // paths from a over paths from b, of each inner node; nil when all are 1
}

// To returns the branch node at the other end.
func (h *Half[T]) To() int32 { return h.to }

// cut is how a node reaches a chain: its first i inner nodes by a, those after the next by b, and the next by both if
// tied, with these shares. It is inDoubt where rounding hides which. Structs of over four fields are not kept in
// registers.
type cut struct {
	i        int
	tied     bool
	byA, byB float64
}

// inDoubt is the i of a cut, and the dist of a way, that rounding hides.
const inDoubt = -1

// turn returns how many inner nodes are nearer by a to a node that is at - length further from b than from a.
func (h *Half[T]) turn(at T) int {
	if h.unit {
		return min(int(max(at-1, 0)>>1), len(h.twice))
	}
	return countBelow(h.twice, at)
}

func countBelow[T Distance](sorted []T, at T) int {
	lo, hi := 0, len(sorted)
	for hi-lo > 8 {
		if mid := (lo + hi) / 2; sorted[mid] < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for lo < hi && sorted[lo] < at {
		lo++
	}
	return lo
}

// cut returns the cut of the chain for a node at these distances from a and b, with these path counts. Masses are whole
// numbers under 2^31, so that their differences are exact.
func (h *Half[T]) cut(da, db T, sa, sb count) cut {
	at := h.length + db - da
	switch i := h.turn(at); {
	case !h.meets(i, at):
		return cut{i: i}
	case h.fine != nil:
		return cut{i: inDoubt}
	default:
		return h.tied(i, sa, sb)
	}
}

// meets reports whether an inner node is as near by a as by b, or may be where lengths are rounded, to a node that is
// at - length further from b than from a, and thus cuts the chain after inner node i.
func (h *Half[T]) meets(i int, at T) bool {
	if h.slack > 0 && i > 0 && at-h.twice[i-1] <= h.slack {
		return true
	}
	return i < len(h.twice) && h.twice[i]-at <= h.slack
}

// tied is the cut after inner node i where the next is tied.
func (h *Half[T]) tied(i int, sa, sb count) cut {
	byA, byB := shares(sa.times(h.ratioOf(i)), sb)
	return cut{i, true, byA, byB}
}

// masses returns what of the chain's mass a cut has reached by a, and by b.
func (h *Half[T]) masses(c cut) (near, far float64) {
	near, far = h.weight[c.i], h.mass()
	if !c.tied {
		return near, far - near
	}
	next := h.weight[c.i+1]
	own := next - near
	return near + c.byA*own, far - next + c.byB*own
}

// mass is what all inner nodes weigh.
func (h *Half[T]) mass() float64 { return h.weight[len(h.weight)-1] }

func (h *Half[T]) ratioOf(i int) float64 {
	if h.ratio == nil {
		return 1
	}
	return h.ratio[i]
}

// newPrimary returns a chain as seen from its U.
func newPrimary[T Distance](number int, c *Chain, ints *pieces.Arena[T]) Half[T] {
	h := Half[T]{
		chain: int32(number), primary: true, unit: c.Unit(), to: c.V, length: T(c.Length),
		twice: ints.Take(c.Inner()), weight: c.Weight, ratio: c.Ratio,
	}
	for j, at := range c.At {
		h.twice[j] = 2 * T(at)
	}
	return h
}

// newHalves returns both halves of a chain.
func newHalves[T Distance](
	number int, core *Core, slack T, ints *pieces.Arena[T], floats *pieces.Arena[float64],
) (fromU, fromV Half[T]) {
	c, fine := &core.Chains[number], core.fineChain(number)
	k := c.Inner()
	fromU = newPrimary(number, c, ints)
	fromU.fine, fromU.slack = fine, slack
	fromV = Half[T]{
		chain: int32(number), unit: fromU.unit, to: c.U, length: T(c.Length),
		twice: ints.Take(k), weight: floats.Take(k + 1), fine: fine.reversed(), slack: slack,
	}
	for j, at := range c.At {
		fromV.twice[k-1-j] = 2 * T(c.Length-at)
	}
	for i, w := range c.Weight {
		fromV.weight[k-i] = c.Mass() - w
	}
	if c.Ratio != nil {
		fromV.ratio = floats.Take(k)
		for j, r := range c.Ratio {
			fromV.ratio[k-1-j] = 1 / r
		}
	}
	return fromU, fromV
}
