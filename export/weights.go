package export

import (
	"errors"
	"fmt"
	"math"
)

// WeightPolicy says what to do with weights that no shortest path can use.
type WeightPolicy struct {
	// Zero is what a weight of 0 becomes: "refuse" (the default), "skip", or "epsilon".
	Zero string
	// Epsilon replaces a weight of 0 under "epsilon".
	Epsilon float64
	// Invalid is what a missing, negative or not finite weight becomes: "refuse" (the default) or "skip".
	Invalid string
}

// ErrWeight marks a weight that the policy refuses.
var ErrWeight = errors.New("bad weight")

// Check returns the weight to use. keep is false when the relationship is to be left out; it is then counted in d.
// The error does not name the relationship, nor what could be set: the caller wraps it with that.
func (p WeightPolicy) Check(w float64, missing bool, d *Dropped) (weight float64, keep bool, err error) {
	switch {
	case missing || math.IsNaN(w) || math.IsInf(w, 0) || w < 0:
		if p.Invalid == "skip" {
			d.BadWeight++
			return 0, false, nil
		}
		if missing {
			return 0, false, fmt.Errorf("%w: it has none", ErrWeight)
		}
		return 0, false, fmt.Errorf("%w: %v; weights are finite and greater than 0", ErrWeight, w)
	case w == 0:
		switch p.Zero {
		case "skip":
			d.ZeroWeight++
			return 0, false, nil
		case "epsilon":
			return p.Epsilon, true, nil
		}
		return 0, false, fmt.Errorf("%w: 0; weights are greater than 0", ErrWeight)
	}
	return w, true, nil
}
