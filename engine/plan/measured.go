package plan

import (
	"math"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/plan/looks"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Measured are the features of a graph that a prediction asked for; those that none asked for are nil. Who ranks the
// ways hands them on with the task, so that the worker does not look at the graph again.
type Measured struct {
	Degrees  *Degrees     `json:"degrees,omitempty"`
	Depth    *order.Depth `json:"depth,omitempty"`
	Likely   *order.Depth `json:"likely,omitempty"`
	Reach    *float64     `json:"reach,omitempty"`
	Nearness *float64     `json:"nearness,omitempty"`
	Locality *float64     `json:"locality,omitempty"`
	Weights  *Weights     `json:"weights,omitempty"`
	Ball     *float64     `json:"ball,omitempty"`
	Within   *looks.Ball  `json:"within,omitempty"`
	Spread   *float64     `json:"spread,omitempty"`
	Wedges   *float64     `json:"wedges,omitempty"`
}

// Measured returns the features that were asked for so far.
func (f *Features) Measured() Measured { return f.measured }

// Use takes features that were measured before, on the same graph, from the same sources and for the same radius and
// range. It is to be called before any feature is asked for.
func (f *Features) Use(m Measured) { f.measured = m }

// once computes a feature when it is first asked for, unless it was given, and keeps it.
func once[T any](kept **T, compute func() T) func() T {
	return sync.OnceValue(func() T {
		if *kept == nil {
			x := compute()
			*kept = &x
		}
		return **kept
	})
}

// Sound reports whether the numbers can be those of a graph of so many nodes.
func (m Measured) Sound(nodes int) bool {
	for _, x := range []*float64{m.Reach, m.Nearness, m.Locality, m.Ball, m.Spread, m.Wedges} {
		if x != nil && !sound(*x) {
			return false
		}
	}
	if d := m.Degrees; d != nil && (min(d.Isolated, d.Leaves, d.Branch, d.Greatest) < 0 || !sound(d.Squares)) {
		return false
	}
	if b := m.Within; b != nil && !(sound(b.Nodes) && sound(b.Arcs) && sound(b.Levels)) {
		return false
	}
	for _, d := range []*order.Depth{m.Depth, m.Likely} {
		if d != nil && !d.Sound(nodes) {
			return false
		}
	}
	w := m.Weights
	return w == nil || w.Class >= Equal && w.Class <= Reals && sound(w.Least) && sound(w.Greatest) &&
		(w.Ticks > 0 || w.Class == Equal)
}

// sound reports whether a feature is a number from 0 on.
func sound(x float64) bool { return x >= 0 && x <= math.MaxFloat64 }
