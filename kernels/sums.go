package kernels

import (
	"fmt"
	"math"
)

// move adds from to into, and clears from.
func move(into, from []float64) {
	for i, x := range from {
		into[i] += x
	}
	clear(from)
}

func scale(scores []float64, factor float64) {
	for i := range scores {
		scores[i] *= factor
	}
}

// quotient returns a / b, and 0 when b is 0.
func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func powerOfTwo(k int) float64 {
	if k == 0 {
		return 1
	}
	return math.Ldexp(1, k)
}

// add counts the pairs and distances of one search.
func (t *Totals) add(p *paths, s search) {
	t.Pairs += int64(len(p.order) - 1)
	if len(p.levels) > 2 || len(p.order) == 1 {
		sum := 0.0
		for l := 1; l+1 < len(p.levels); l++ {
			sum += float64(l) * float64(p.levels[l+1]-p.levels[l])
		}
		t.Distance += sum
		return
	}
	for _, v := range p.order {
		t.Distance += s.distance(v)
	}
}

func (t *Totals) merge(from *Totals) {
	t.Pairs += from.Pairs
	t.Distance += from.Distance
	*from = Totals{}
}

// finite reports a score that left the range of float64.
func finite(measure string, s *Scores) error {
	for _, part := range []struct {
		of     string
		scores []float64
	}{{"node", s.Nodes}, {"edge", s.Edges}} {
		for i, x := range part.scores {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return fmt.Errorf("%s of %s %d overflows float64; use larger or smaller units for the weights", measure, part.of, i)
			}
		}
	}
	return nil
}
