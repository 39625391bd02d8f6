package choice

import (
	"slices"

	"github.com/linchpin-graph/linchpin/engine/plan"
)

// Strategy is what is asked of a device: an engine or a strategy of the papers by name, a group of engines, or any. ""
// is Auto.
type Strategy string

// Auto leaves the choice to the ranking; Batched is for the engines that search from many sources at a time.
const (
	Auto    Strategy = "auto"
	Batched Strategy = "batched"
)

// Any reports whether the choice is free.
func (s Strategy) Any() bool { return s == "" || s == Auto }

// Named reports whether the choice is not free.
func (s Strategy) Named() bool { return !s.Any() }

// Takes reports whether the strategy allows an engine.
func (s Strategy) Takes(engine string) bool {
	return s.Any() || engine == string(s) || s == Batched && plan.IsBatched(engine)
}

// OfBatches reports whether the strategy allows batches, which have nodes stand for others.
func (s Strategy) OfBatches() bool { return s.OfGroup() || plan.IsBatched(string(s)) }

// OfGroup reports whether the strategy names no single engine.
func (s Strategy) OfGroup() bool { return s.Any() || s == Batched }

// OfChains reports whether the strategy allows searches between branch nodes.
func (s Strategy) OfChains() bool { return s.Any() || s.AsksForChains() }

// AsksForChains reports whether the strategy asks for searches between branch nodes.
func (s Strategy) AsksForChains() bool { return s == plan.Chains }

// ranks reports whether a way is compared with others under the strategy.
func (s Strategy) ranks(c plan.Candidate) bool { return s.Any() || plan.IsBatched(c.Engine) }

// Rest lists the engines for the sources that an engine leaves, without searches one by one, which come after them;
// ok is false where nothing is left to others.
func Rest(engine string) (engines []string, ok bool) {
	if engine == plan.Deep {
		engines = []string{plan.Levels}
	}
	return engines, plan.IsBatched(engine)
}

// LeftToOneByOne reports whether searches one by one do so many sources that batches left, on a device of so many
// multiprocessors: where they are done before nodes are in order for batches again, two for each multiprocessor, which
// run at the same time; and where sources were drawn, not all nodes, because those that are left then lie apart.
func LeftToOneByOne(sources, multiprocessors int, all bool) bool {
	return !all || sources <= 2*multiprocessors
}

// Offer is an engine that can do a job. Suits reports whether it suits the graph and the sources as well.
type Offer struct {
	Name  string
	Suits func() bool
}

// Pick returns the places of the offers that the strategy takes, the best first, and one line on why the first one.
// Under Auto the choice orders them: what it does not predict comes last. Whether an engine suits can take long to find
// out: those after the first are not asked. choice is asked where it is needed, and on what reductions leave (reduced)
// it is not, because that way was ranked with them.
func (s Strategy) Pick(offers []Offer, reduced bool, choice func() *Choice) (places []int, why string) {
	switch {
	case s == Batched:
		return batched(offers), "asked for"
	case s.Named():
		return slices.DeleteFunc(all(offers), func(i int) bool { return offers[i].Name != string(s) }), "asked for"
	case reduced:
		places, why = batched(offers), "batches on what trees and blocks leave"
	default:
		places, why = choice().pick(offers)
	}
	for i, o := range offers {
		if !slices.Contains(places, i) && (len(places) > 0 || o.Suits()) {
			places = append(places, i)
		}
	}
	return places, "auto: " + why
}

// pick returns the offers that are predicted, the fastest first, from the first one that suits.
func (c *Choice) pick(offers []Offer) (places []int, why string) {
	for _, way := range c.On(plan.GPU) {
		i := slices.IndexFunc(offers, func(o Offer) bool { return o.Name == way.Engine })
		if way.Reductions != nil || i < 0 || len(places) == 0 && !offers[i].Suits() {
			continue
		}
		if places = append(places, i); why == "" {
			why = way.Reason()
		}
	}
	return places, why
}

// all are the places of all offers, batched those of the batched ones that suit.
func all(offers []Offer) []int {
	places := make([]int, len(offers))
	for i := range places {
		places[i] = i
	}
	return places
}

func batched(offers []Offer) []int {
	return slices.DeleteFunc(all(offers), func(i int) bool {
		return !plan.IsBatched(offers[i].Name) || !offers[i].Suits()
	})
}
