package kernels

import (
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/internal/reuse"
)

// The words of Request.Reduce besides a list of Reductions.
const (
	ReduceAuto = "auto"
	ReduceOn   = "on"
	ReduceOff  = "off"
)

// Reductions are the names of the exact reductions of undirected graphs, in the order they are done: see
// docs/design/reductions.md.
func Reductions() []string { return []string{"trees", "blocks", "chains", "twins"} }

// Reducing is what a value of Request.Reduce asks for.
type Reducing struct {
	// Mode is one of ReduceAuto, ReduceOn (also for a list of reductions) and ReduceOff.
	Mode string
	// Trees, Blocks, Chains and Twins are those of Reductions that it allows.
	Trees, Blocks, Chains, Twins bool
}

// ParseReduce reads a value of Request.Reduce.
func ParseReduce(text string) (Reducing, error) {
	switch text {
	case "", ReduceAuto:
		return Reducing{ReduceAuto, true, true, true, true}, nil
	case ReduceOn:
		return Reducing{ReduceOn, true, true, true, true}, nil
	case ReduceOff:
		return Reducing{Mode: ReduceOff, Trees: false, Blocks: false, Chains: false, Twins: false}, nil
	}
	out := Reducing{Mode: ReduceOn, Trees: false, Blocks: false, Chains: false, Twins: false}
	for word := range strings.SplitSeq(text, ",") {
		switch strings.TrimSpace(word) {
		case "trees":
			out.Trees = true
		case "blocks":
			out.Blocks = true
		case "chains":
			out.Chains = true
		case "twins":
			out.Twins = true
		default:
			return Reducing{}, fmt.Errorf("%q is not known; it is auto, on, off, or of %s", text,
				strings.Join(Reductions(), ","))
		}
	}
	if out.Twins && !out.Chains {
		return Reducing{}, fmt.Errorf("%q: twins are merged among chains; add chains", text)
	}
	return out, nil
}

// CheckReduce reports a value that Request.Reduce does not take.
func CheckReduce(text string) error {
	_, err := ParseReduce(text)
	return err
}

// TakesTrees says of Request.Reduce whether it lets trees be folded, and whether it asks for it.
func TakesTrees(text string) (taken, asked bool) {
	reducing, err := ParseReduce(text)
	return err == nil && reducing.Trees, reducing.Mode == ReduceOn
}

// TakesChains says of Request.Reduce whether it lets chains be contracted.
func TakesChains(text string) bool {
	reducing, err := ParseReduce(text)
	return err == nil && reducing.Chains
}

// Reduction says what became of Request.Reduce.
type Reduction struct {
	// Taken are those of Reductions that made the graph smaller; empty when it was searched as it is.
	Taken []string `json:"taken"`
	// WorkRatio is what all work on the reduced graph costs beside a search from every node; 0 when no plan was made.
	WorkRatio float64 `json:"workRatio"`
	// Searched is the number of nodes that were searched from.
	Searched int64 `json:"searched"`
	// Seconds is the time of planning; it is part of the time of computing.
	Seconds float64 `json:"seconds"`
	// Reason is one line on what was done or why not.
	Reason string `json:"reason"`
	// Reused is what an earlier run had done of the work; nil without Request.Reuse.
	Reused *reuse.Amount `json:"reused,omitempty"`
}

// Reduced sets the reason of a graph that had so many sources.
func (r *Reduction) Reduced(sources int64) {
	r.Reason = fmt.Sprintf("graph reduced: %s of %s sources, %s of the work", thousands(r.Searched), thousands(sources),
		percent(r.WorkRatio))
}

// NotReduced sets the reason of a graph that was searched as it is.
func (r *Reduction) NotReduced(why string) { r.Reason = "not reduced: " + why }

// Left says how much work would be left.
func (r *Reduction) Left() string { return percent(r.WorkRatio) + " of the work would be left" }

// percent writes a share with two digits.
func percent(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// thousands writes a count with commas.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
