package export

import (
	"fmt"
	"math"
	"strings"
)

// WeightPolicy says what to do with weights that no shortest path can use.
type WeightPolicy struct {
	// Zero is what a weight of 0 becomes: "refuse" (the default), "skip", or "epsilon".
	Zero string
	// Epsilon replaces a weight of 0 under "epsilon".
	Epsilon float64
	// Invalid is what a weight with another fault becomes: "refuse" (the default) or "skip".
	Invalid string
}

// WeightFault is what is wrong with a weight; 0 for nothing.
type WeightFault int

// The faults.
const (
	Missing WeightFault = iota + 1
	NotNumber
	ZeroWeight
	Negative
	NotFinite
	// Inexact is an integer that float64 rounds: two different weights must not become equal.
	Inexact
	weightFaults
)

func (f WeightFault) String() string {
	return [...]string{"", "missing", "not a number", "zero", "negative", "not finite",
		"too large for an exact float64"}[f]
}

// Check returns the weight to use. keep is false when the relationship is not to be used: with a fault that the policy
// refuses, or, counted in d, without one.
func (p WeightPolicy) Check(w float64, d *Dropped) (weight float64, keep bool, refused WeightFault) {
	fault := Negative
	switch {
	case math.IsNaN(w) || math.IsInf(w, 0):
		fault = NotFinite
	case w > 0:
		return w, true, 0
	case w == 0 && p.Zero == "epsilon":
		return p.Epsilon, true, 0
	case w == 0:
		fault = ZeroWeight
	}
	return 0, false, p.Drop(fault, d)
}

// Drop returns the fault if the policy refuses it. Otherwise it counts the relationship in d as left out.
func (p WeightPolicy) Drop(fault WeightFault, d *Dropped) (refused WeightFault) {
	switch {
	case fault == ZeroWeight && p.Zero == "skip":
		d.ZeroWeight++
	case fault != ZeroWeight && p.Invalid == "skip":
		d.BadWeight++
	default:
		return fault
	}
	return 0
}

// Example is a weight that stands for all with its fault: the one before all others.
type Example[E any] interface{ Before(E) bool }

// BadWeights counts refused weights by their fault, with an example of each.
type BadWeights[E Example[E]] struct {
	counts   [weightFaults]int64
	examples [weightFaults]E
}

// Add counts a refused weight.
func (b *BadWeights[E]) Add(fault WeightFault, example E) { b.add(fault, 1, example) }

func (b *BadWeights[E]) add(fault WeightFault, n int64, example E) {
	if b.counts[fault] == 0 || example.Before(b.examples[fault]) {
		b.examples[fault] = example
	}
	b.counts[fault] += n
}

// Merge adds the weights of another.
func (b *BadWeights[E]) Merge(other BadWeights[E]) {
	for _, f := range other.Faults() {
		b.add(f, other.counts[f], other.examples[f])
	}
}

// Faults returns those that were met.
func (b *BadWeights[E]) Faults() []WeightFault {
	var out []WeightFault
	for f := Missing; f < weightFaults; f++ {
		if b.counts[f] > 0 {
			out = append(out, f)
		}
	}
	return out
}

// Text lists the faults with their counts and what show says of their examples.
func (b *BadWeights[E]) Text(show func(WeightFault, E) string) string {
	var parts []string
	for _, f := range b.Faults() {
		parts = append(parts, fmt.Sprintf("%d %s, %s", b.counts[f], f, show(f, b.examples[f])))
	}
	return strings.Join(parts, "; ")
}
