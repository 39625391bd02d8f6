package jobs

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/correlation"
)

// Comparison says how much two scores of the same nodes or relationships agree.
type Comparison struct {
	On    connector.Entity `json:"on"`
	Count int              `json:"count"`
	// OnlyA and OnlyB are how many have one of the scores, where that was allowed.
	OnlyA int `json:"onlyA,omitempty"`
	OnlyB int `json:"onlyB,omitempty"`
	// Spearman and Kendall are rank correlations; nil when one of the scores is the same everywhere.
	Spearman *float64  `json:"spearman"`
	Kendall  *float64  `json:"kendall"`
	Overlap  []Overlap `json:"overlap,omitempty"`
	// A and B are the scores that were compared, pair by pair.
	A []float64 `json:"-"`
	B []float64 `json:"-"`
}

// Overlap is the share of the K highest of one score that are among the K highest of the other.
type Overlap struct {
	K     int     `json:"k"`
	Share float64 `json:"share"`
}

// DifferentGraphs is the error for scores that cannot be compared, because they are not of the same graph.
type DifferentGraphs struct {
	why string
	// Share says that some nodes or relationships may have both scores.
	Share bool
}

func (e *DifferentGraphs) Error() string { return "the scores are of different graphs: " + e.why }

// Compare compares two scores. common allows those of different graphs: then the nodes or relationships count that both
// have. tops are the sizes of overlaps; those that have no meaning for so few scores are left out.
func Compare(a, b *connector.Scores, common bool, tops []int) (*Comparison, error) {
	switch {
	case a.On != b.On:
		return nil, &DifferentGraphs{why: fmt.Sprintf("the first is of %s, the second of %s", a.On, b.On)}
	case !common && a.Graph != "" && b.Graph != "" && a.Graph != b.Graph:
		return nil, &DifferentGraphs{"their digests differ, so nodes, relationships or weights do", true}
	}
	c := &Comparison{On: a.On}
	if err := c.match(a, b, common); err != nil {
		return nil, err
	}
	c.Count = len(c.A)
	c.Spearman, c.Kendall = number(correlation.Spearman(c.A, c.B)), number(correlation.Kendall(c.A, c.B))
	for _, k := range tops {
		if k < c.Count {
			c.Overlap = append(c.Overlap, Overlap{K: k, Share: correlation.Overlap(c.A, c.B, k)})
		}
	}
	return c, nil
}

// number is nil for what is no number.
func number(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// match pairs the scores of what both have.
func (c *Comparison) match(a, b *connector.Scores, common bool) error {
	keysA, keysB, err := keysOf(a, b)
	if err != nil {
		return err
	}
	at := make(map[scoreKey]int, len(keysB))
	for i, key := range keysB {
		at[key] = i
	}
	missing := -1 // the first that B has no score of
	for i, key := range keysA {
		k, both := at[key]
		if both {
			c.A, c.B = append(c.A, a.Values[i]), append(c.B, b.Values[k])
			delete(at, key)
		} else if missing < 0 {
			missing = i
		}
	}
	c.OnlyA, c.OnlyB = len(keysA)-len(c.A), len(keysB)-len(c.B)
	if common && len(c.A) > 0 || c.OnlyA+c.OnlyB == 0 {
		return nil
	}
	if len(c.A) == 0 {
		return &DifferentGraphs{why: "none of the " + string(c.On) + " has both scores"}
	}
	return &DifferentGraphs{c.unmatched(a, b, missing, at), true}
}

// unmatched says how many have one of the scores only, and names one of them.
func (c *Comparison) unmatched(a, b *connector.Scores, missing int, left map[scoreKey]int) string {
	example, first := "", len(b.Values)
	for _, i := range left {
		first = min(first, i)
	}
	if missing >= 0 {
		example = nameOf(a, missing)
	} else {
		example = nameOf(b, first)
	}
	return fmt.Sprintf("of the %s, %d have the first score alone and %d the second alone, such as %s", c.On, c.OnlyA,
		c.OnlyB, example)
}

func nameOf(s *connector.Scores, i int) string {
	if s.On == connector.OnRelationships && s.Source.Len() > 0 {
		return s.Source.String(i) + " to " + s.Target.String(i)
	}
	return s.IDs.String(i)
}

// scoreKey is what a score belongs to: a node or relationship by its id, or the turn-th relationship between two nodes.
type scoreKey struct{ id, target, turn int32 }

// keysOf are the keys of two scores, which are equal for the same node or relationship. Relationships have ids of their
// own where both scores come from a database; elsewhere the order of those between the same nodes tells them apart.
func keysOf(a, b *connector.Scores) (keysA, keysB []scoreKey, err error) {
	names := idNumbers{ints: map[int64]int32{}, texts: map[string]int32{}, allInts: true}
	byID := a.IDs.Len() > 0 && b.IDs.Len() > 0
	for _, s := range []*connector.Scores{a, b} {
		for _, ids := range []export.IDs{s.IDs, s.Source, s.Target} {
			names.allInts = names.allInts && ids.Texts == nil
		}
	}
	if keysA, err = names.keys(a, byID); err == nil {
		keysB, err = names.keys(b, byID)
	}
	return keysA, keysB, err
}

// idNumbers gives equal ids equal numbers, whether they are integers or texts.
type idNumbers struct {
	ints    map[int64]int32
	texts   map[string]int32
	allInts bool
}

func (m *idNumbers) of(ids export.IDs, i int) int32 {
	if m.allInts {
		return numberOf(m.ints, ids.Ints[i])
	}
	return numberOf(m.texts, ids.String(i))
}

func numberOf[K comparable](all map[K]int32, id K) int32 {
	n, ok := all[id]
	if !ok {
		n = int32(len(all))
		all[id] = n
	}
	return n
}

func (m *idNumbers) keys(s *connector.Scores, byID bool) ([]scoreKey, error) {
	keys := make([]scoreKey, len(s.Values))
	turns := map[scoreKey]int32{}
	for _, i := range placesByID(s) {
		if byID {
			keys[i] = scoreKey{id: m.of(s.IDs, i)}
		} else {
			keys[i] = scoreKey{id: m.of(s.Source, i), target: m.of(s.Target, i)}
		}
		turn := turns[keys[i]]
		turns[keys[i]]++
		if turn > 0 && byID {
			return nil, &connector.Error{Kind: connector.BadData,
				Msg: fmt.Sprintf("%s has two scores of %s", s.Property, nameOf(s, i))}
		}
		keys[i].turn = turn
	}
	return keys, nil
}

// placesByID are the places of scores in the order of the ids, which is that of a job's files.
func placesByID(s *connector.Scores) []int {
	places := make([]int, len(s.Values))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(i, k int) int {
		switch {
		case s.IDs.Texts != nil:
			return cmp.Compare(s.IDs.Texts[i], s.IDs.Texts[k])
		case s.IDs.Ints != nil:
			return cmp.Compare(s.IDs.Ints[i], s.IDs.Ints[k])
		}
		return cmp.Compare(i, k)
	})
	return places
}
