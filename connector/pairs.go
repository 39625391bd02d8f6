package connector

import "fmt"

// Pairs says which pairs of nodes counted in a computation.
type Pairs struct {
	Measure string `json:"measure"`
	// Sources and Targets are how many there are of each; absent where all nodes are.
	Sources int64 `json:"sources,omitempty"`
	Targets int64 `json:"targets,omitempty"`
	// Within is the range; absent for none. Demand is pairs or nodes; absent where each pair counts once.
	Within float64 `json:"within,omitempty"`
	Demand string  `json:"demand,omitempty"`
	// Counted is how many pairs were found, of so many Possible.
	Counted  int64 `json:"counted"`
	Possible int64 `json:"possible"`
}

// String says how many pairs counted, and why others did not; "" for nil.
func (p *Pairs) String() string {
	if p == nil {
		return ""
	}
	noun := "pairs"
	if p.Possible == 1 {
		noun = "pair"
	}
	text := fmt.Sprintf("%d of %d %s counted", p.Counted, p.Possible, noun)
	switch {
	case p.Counted == 0:
		return text + ": no target is reached, and all scores are 0"
	case p.Counted < p.Possible && p.Within > 0:
		return text + ": the others are farther apart, or have no path"
	case p.Counted < p.Possible:
		return text + ": the others have no path"
	}
	return text
}
