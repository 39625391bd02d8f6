package reuse

import "fmt"

// Amount says how much of the search of a graph's blocks an earlier run had done.
type Amount struct {
	// Blocks is how many blocks were known, of Of that need a search.
	Blocks int64 `json:"blocks"`
	Of     int64 `json:"of"`
	// Arcs and Work are the shares of the known blocks in the arcs of all and in the work of searching them; Largest is
	// that of the largest block in the work.
	Arcs    float64 `json:"arcs"`
	Work    float64 `json:"work"`
	Largest float64 `json:"largest"`
}

// giant is the share of a block in the work from which it decides alone what reuse saves.
const giant = 0.5

// String is one line on how much was reused.
func (a *Amount) String() string {
	if a.Of == 0 {
		return "no block needs a search"
	}
	text := fmt.Sprintf("%d of %d blocks reused, with %.3g %% of their arcs and %.3g %% of their work",
		a.Blocks, a.Of, 100*a.Arcs, 100*a.Work)
	if a.Largest >= giant {
		text += fmt.Sprintf("; the largest block has %.3g %% of the work, and any change in it repeats all of that", 100*a.Largest)
	}
	return text
}
