package reuse

import "fmt"

// Amount says how much of the search of a graph an earlier run had done.
type Amount struct {
	// Kind is what the graph was cut into: "block", "component", or "node".
	Kind string `json:"kind"`
	// Blocks is how many of them were known, of Of that need a search.
	Blocks int64 `json:"blocks"`
	Of     int64 `json:"of"`
	// Arcs and Work are the shares of what was known in the arcs of all and in the work of searching them; Largest is
	// that of the largest in the work.
	Arcs    float64 `json:"arcs"`
	Work    float64 `json:"work"`
	Largest float64 `json:"largest"`
	// Reason is one line on all of it; "" where the numbers say all.
	Reason string `json:"reason,omitempty"`
}

// giant is the share of a block in the work from which it decides alone what reuse saves.
const giant = 0.5

// String is one line on how much was reused.
func (a *Amount) String() string {
	if a.Reason != "" {
		return a.Reason
	}
	if a.Of == 0 {
		return "no " + a.Kind + " needs a search"
	}
	text := fmt.Sprintf("%d of %d %ss reused, with %.3g %% of their arcs and %.3g %% of their work",
		a.Blocks, a.Of, a.Kind, 100*a.Arcs, 100*a.Work)
	if a.Largest >= giant {
		text += fmt.Sprintf("; the largest %s has %.3g %% of the work, and any change in it repeats all of that", a.Kind,
			100*a.Largest)
	}
	return text
}

// Tally adds up an Amount.
type Tally struct {
	// Of is the kind.
	Of string

	known, all           int64
	arcs, work           float64
	knownArcs, knownWork float64
	largest              float64
}

// Add counts a part of so many arcs and so much work.
func (t *Tally) Add(known bool, arcs, work float64) {
	t.all, t.arcs, t.work, t.largest = t.all+1, t.arcs+arcs, t.work+work, max(t.largest, work)
	if known {
		t.known, t.knownArcs, t.knownWork = t.known+1, t.knownArcs+arcs, t.knownWork+work
	}
}

// Amount returns what was counted.
func (t *Tally) Amount() Amount {
	return Amount{
		Kind: t.Of, Blocks: t.known, Of: t.all,
		Arcs: share(t.knownArcs, t.arcs), Work: share(t.knownWork, t.work), Largest: share(t.largest, t.work),
	}
}

func share(part, all float64) float64 {
	if all == 0 {
		return 0
	}
	return part / all
}
