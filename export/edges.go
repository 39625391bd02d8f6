package export

import (
	"fmt"
	"math"
	"slices"
)

// edgeList are the edges of the graph in their final order: by source and target, or by smaller and larger end.
type edgeList struct {
	directed       bool
	source, target []int32
	weight, rest   []float64 // as Graph.Weights and Graph.Rests
	of, back       []int32   // edge of each relationship; second edge, or -1 (nil when there are none)
}

// asStored says whether every relationship becomes an edge of the same direction.
func asStored(groups []Group) bool {
	return !slices.ContainsFunc(groups, func(g Group) bool {
		return g.Orientation != Natural || g.Parallel != Keep || g.Strengths
	})
}

func identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// orient applies orientation, then the parallel rule.
func orient(c *columns, groups []Group, nodes IDs) (*edgeList, error) {
	n := nodes.Len()
	list, source := &edgeList{of: make([]int32, c.len())}, c.sources()
	list.directed = slices.ContainsFunc(groups, func(g Group) bool { return g.Orientation != Undirected })
	a, b, rel := make([]int32, 0, c.len()), make([]int32, 0, c.len()), []int32(nil)
	mixed := list.directed && slices.ContainsFunc(groups, func(g Group) bool { return g.Orientation == Undirected })
	for i := range source {
		u, v := source[i], c.target[i]
		if o := groups[c.groupOf(int32(i))].Orientation; o == Reverse || o == Undirected && !list.directed && u > v {
			u, v = v, u
		}
		a, b = append(a, u), append(b, v)
	}
	if mixed {
		list.back = slices.Repeat([]int32{-1}, c.len())
		for i := range source {
			rel = append(rel, int32(i))
		}
		for i := range source {
			if groups[c.groupOf(int32(i))].Orientation == Undirected && source[i] != c.target[i] {
				a, b, rel = append(a, c.target[i]), append(b, source[i]), append(rel, int32(i))
			}
		}
		if len(a) > MaxEdges {
			return nil, fmt.Errorf("%d edges are more than %d", len(a), MaxEdges)
		}
	}
	at := orderByPair(a, b, n)
	list.source, list.target = make([]int32, 0, len(a)), make([]int32, 0, len(a))
	if c.weight != nil {
		list.weight = make([]float64, 0, len(a))
	}
	list.merge(c, groups, a, b, rel, at)
	if i := slices.IndexFunc(list.weight, func(w float64) bool { return math.IsInf(w, 0) }); i >= 0 {
		strengths := slices.ContainsFunc(groups, func(g Group) bool { return g.Strengths })
		return nil, &SumError{nodes.Pick(list.source[i], list.target[i]), strengths}
	}
	return list, nil
}

// SumError is the error of Build when the weights of parallel relationships add up to more than float64 holds, or the
// inverse of a strength is more than that.
type SumError struct {
	// Nodes are the ends of the relationships.
	Nodes IDs
	// Strengths says that some weights are strengths.
	Strengths bool
}

func (e *SumError) Error() string {
	if e.Strengths {
		return fmt.Sprintf(
			"the relationships between %s and %s have no length that float64 holds: their strength is too small or too "+
				"large", e.Nodes.String(0), e.Nodes.String(1))
	}
	return fmt.Sprintf("the summed weight of the parallel relationships between %s and %s overflows float64; use larger "+
		"units for the weights",
		e.Nodes.String(0), e.Nodes.String(1))
}

// merge walks the arcs in order and makes an edge of each, or of each run of parallel ones of a group that merges.
func (l *edgeList) merge(c *columns, groups []Group, a, b, rel, at []int32) {
	for lo := 0; lo < len(at); {
		hi := lo
		for hi < len(at) && a[at[hi]] == a[at[lo]] && b[at[hi]] == b[at[lo]] {
			hi++
		}
		run := at[lo:hi]
		if hi-lo > 1 && len(groups) > 1 {
			slices.SortStableFunc(run, func(i, j int32) int {
				return int(c.groupOf(relOf(rel, i))) - int(c.groupOf(relOf(rel, j)))
			})
		}
		for k := 0; k < len(run); {
			group, end := c.groupOf(relOf(rel, run[k])), k+1
			for groups[group].Parallel != Keep && end < len(run) && c.groupOf(relOf(rel, run[end])) == group {
				end++
			}
			l.source, l.target = append(l.source, a[run[k]]), append(l.target, b[run[k]])
			l.enter(c, rel, run[k:end])
			if c.weight != nil {
				l.weigh(c, groups[group], rel, run[k:end])
			}
			k = end
		}
		lo = hi
	}
}

// enter notes that the relationships of the entries became the last edge.
func (l *edgeList) enter(c *columns, rel, entries []int32) {
	e := int32(len(l.source) - 1)
	for _, entry := range entries {
		if rel != nil && int(entry) >= c.len() {
			l.back[relOf(rel, entry)] = e
		} else {
			l.of[entry] = e
		}
	}
}

func relOf(rel []int32, entry int32) int32 {
	if rel == nil {
		return entry
	}
	return rel[entry]
}

// weigh appends the weight of an edge that the relationships of the entries became.
func (l *edgeList) weigh(c *columns, g Group, rel, entries []int32) {
	w, rest, p := c.weight[relOf(rel, entries[0])], 0.0, g.Parallel
	switch {
	case p == Count:
		w = float64(len(entries))
	case p == Sum && len(entries) > 1:
		var sum decimalSum
		for _, entry := range entries {
			sum.add(c.weight[relOf(rel, entry)])
		}
		w, rest = sum.split()
	case p == Min || p == Max:
		for _, entry := range entries[1:] {
			if x := c.weight[relOf(rel, entry)]; p == Min {
				w = min(w, x)
			} else {
				w = max(w, x)
			}
		}
	}
	if g.Strengths {
		w, rest = inverse(w, rest)
	}
	l.weight = append(l.weight, w)
	if rest != 0 && l.rest == nil {
		l.rest = make([]float64, len(l.weight)-1, cap(l.weight))
	}
	if l.rest != nil {
		l.rest = append(l.rest, rest)
	}
}

// sources returns the source of every relationship.
func (c *columns) sources() []int32 {
	out := make([]int32, c.len())
	for v := range len(c.offsets) - 1 {
		for i := c.offsets[v]; i < c.offsets[v+1]; i++ {
			out[i] = int32(v)
		}
	}
	return out
}

// orderByPair returns the places of the pairs (a[i], b[i]) in ascending order; equal pairs keep their order.
func orderByPair(a, b []int32, n int) []int32 {
	byB := make([]int32, len(a))
	place(b, nil, n, byB)
	out := make([]int32, len(a))
	place(a, byB, n, out)
	return out
}

// place writes to out the places of key in stable ascending order, meeting them in the order of from (or 0, 1, ...).
func place(key, from []int32, n int, out []int32) {
	next := offsets(key, n)
	for i := range key {
		j := int32(i)
		if from != nil {
			j = from[i]
		}
		out[next[key[j]]] = j
		next[key[j]]++
	}
}

// offsets returns where each value 0..n-1 of key starts when key is sorted; n+1 entries.
func offsets(key []int32, n int) []int64 {
	o := make([]int64, n+1)
	for _, k := range key {
		o[k+1]++
	}
	for v := range n {
		o[v+1] += o[v]
	}
	return o
}
