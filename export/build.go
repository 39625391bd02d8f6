package export

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// columns are all relationships of a builder, in one slice a column.
type columns struct {
	source, target []int32
	group          []uint16  // nil when there is one group
	weight         []float64 // nil when no group has weights
	ids            IDs
	position       []int32 // set when there are no ids
}

// collect joins the blocks of the builder and frees them as it goes.
func (b *Builder) collect() (*columns, error) {
	n := int(b.count)
	c := &columns{source: make([]int32, 0, n), target: make([]int32, 0, n)}
	if len(b.groups) > 1 {
		c.group = make([]uint16, 0, n)
	}
	weighted := slices.ContainsFunc(b.groups, Group.weighted)
	if weighted {
		c.weight = make([]float64, 0, n)
	}
	for i := range b.blocks {
		r := b.blocks[i]
		b.blocks[i] = Rels{}
		if err := checkEnds(r, b.nodes.Len()); err != nil {
			return nil, err
		}
		c.source, c.target = append(c.source, r.Source...), append(c.target, r.Target...)
		if len(b.groups) > 1 {
			for range r.Source {
				c.group = append(c.group, uint16(r.Group))
			}
		}
		if weighted {
			if r.Weights == nil {
				r.Weights = slices.Repeat([]float64{1}, len(r.Source))
			}
			c.weight = append(c.weight, r.Weights...)
		}
		if c.ids.Len() == 0 {
			c.ids = r.IDs.empty(n)
		}
		c.ids.Ints, c.ids.Texts = append(c.ids.Ints, r.IDs.Ints...), append(c.ids.Texts, r.IDs.Texts...)
	}
	b.blocks = nil
	if c.ids.Len() == 0 {
		c.position = make([]int32, len(c.source))
		for i := range c.position {
			c.position[i] = int32(i)
		}
	}
	return c, nil
}

// checkEnds checks that a block's relationships join nodes that there are.
func checkEnds(r Rels, n int) error {
	for i := range r.Source {
		if u, v := r.Source[i], r.Target[i]; u < 0 || v < 0 || int(u) >= n || int(v) >= n {
			return fmt.Errorf("builder: a relationship joins nodes %d and %d of %d", u, v, n)
		}
	}
	return nil
}

// sort orders relationships by source, target, group and id.
func (c *columns) sort(n int) {
	at := orderByPair(c.source, c.target, n)
	for lo := 0; lo < len(at); {
		hi := lo + 1
		for hi < len(at) && c.source[at[hi]] == c.source[at[lo]] && c.target[at[hi]] == c.target[at[lo]] {
			hi++
		}
		if hi-lo > 1 {
			slices.SortStableFunc(at[lo:hi], c.compareParallel)
		}
		lo = hi
	}
	c.reorder(at)
}

// groupOf returns the group of relationship i.
func (c *columns) groupOf(i int32) uint16 {
	if c.group == nil {
		return 0
	}
	return c.group[i]
}

func (c *columns) compareParallel(i, j int32) int {
	switch {
	case c.groupOf(i) != c.groupOf(j):
		return int(c.groupOf(i)) - int(c.groupOf(j))
	case c.ids.Len() == 0:
		return int(c.position[i]) - int(c.position[j])
	case c.ids.less(i, j):
		return -1
	case c.ids.less(j, i):
		return 1
	case c.weight != nil: // one relationship, read twice while it changed
		return cmp.Compare(c.weight[i], c.weight[j])
	}
	return 0
}

func (c *columns) reorder(at []int32) {
	c.source, c.target = gather(c.source, at), gather(c.target, at)
	if c.group != nil {
		c.group = gather(c.group, at)
	}
	if c.weight != nil {
		c.weight = gather(c.weight, at)
	}
	if c.position != nil {
		c.position = gather(c.position, at)
	}
	c.ids = c.ids.pick(at)
}

// dropDuplicates leaves each relationship id once: a scan of a changing database can meet one twice.
func (c *columns) dropDuplicates(d *Dropped) {
	if c.ids.Len() == 0 {
		return
	}
	keep := make([]int32, 0, len(c.source))
	for i := range int32(len(c.source)) {
		if i > 0 && c.source[i-1] == c.source[i] && c.target[i-1] == c.target[i] && c.groupOf(i-1) == c.groupOf(i) && c.ids.equal(i-1, i) {
			d.Duplicates++
			continue
		}
		keep = append(keep, i)
	}
	if len(keep) < len(c.source) {
		c.reorder(keep)
	}
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

// edgeList are the edges of the graph in their final order: by source and target, or by smaller and larger end.
type edgeList struct {
	directed       bool
	source, target []int32
	weight         []float64
	of, back       []int32 // edge of each relationship; second edge, or -1 (nil when there are none)
}

// orient applies orientation, then the parallel rule.
func orient(c *columns, groups []Group, n int) (*edgeList, error) {
	list := &edgeList{of: make([]int32, len(c.source))}
	list.directed = slices.ContainsFunc(groups, func(g Group) bool { return g.Orientation != Undirected })
	a, b, rel := make([]int32, 0, len(c.source)), make([]int32, 0, len(c.source)), []int32(nil)
	mixed := list.directed && slices.ContainsFunc(groups, func(g Group) bool { return g.Orientation == Undirected })
	for i := range c.source {
		u, v := c.source[i], c.target[i]
		if o := groups[c.groupOf(int32(i))].Orientation; o == Reverse || o == Undirected && !list.directed && u > v {
			u, v = v, u
		}
		a, b = append(a, u), append(b, v)
	}
	if mixed {
		list.back = slices.Repeat([]int32{-1}, len(c.source))
		for i := range c.source {
			rel = append(rel, int32(i))
		}
		for i := range c.source {
			if groups[c.groupOf(int32(i))].Orientation == Undirected && c.source[i] != c.target[i] {
				a, b, rel = append(a, c.target[i]), append(b, c.source[i]), append(rel, int32(i))
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
		return nil, fmt.Errorf("the summed weight of parallel relationships overflows float64")
	}
	return list, nil
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
		for k, entry := range run {
			r := relOf(rel, entry)
			g := groups[c.groupOf(r)]
			if k == 0 || g.Parallel == Keep || c.groupOf(relOf(rel, run[k-1])) != c.groupOf(r) {
				l.source, l.target = append(l.source, a[entry]), append(l.target, b[entry])
				if c.weight != nil {
					l.weight = append(l.weight, firstWeight(c, g, r))
				}
			} else if c.weight != nil {
				last := len(l.weight) - 1
				l.weight[last] = combine(g.Parallel, l.weight[last], c.weight[r])
			}
			e := int32(len(l.source) - 1)
			if rel != nil && int(entry) >= len(c.source) {
				l.back[r] = e
			} else {
				l.of[r] = e
			}
		}
		lo = hi
	}
}

func relOf(rel []int32, entry int32) int32 {
	if rel == nil {
		return entry
	}
	return rel[entry]
}

// firstWeight is the weight with which the first relationship enters an edge.
func firstWeight(c *columns, g Group, rel int32) float64 {
	if g.Parallel == Count {
		return 1
	}
	return c.weight[rel]
}

func combine(p Parallel, sofar, w float64) float64 {
	switch p {
	case Min:
		return min(sofar, w)
	case Max:
		return max(sofar, w)
	case Sum:
		return sofar + w
	default:
		return sofar + 1
	}
}

// graph makes the CSR form. Edges are sorted by their ends, so a directed graph's rows are the edges themselves.
func (l *edgeList) graph(n int) *Graph {
	g := &Graph{Directed: l.directed, EdgeCount: len(l.source)}
	if l.directed {
		g.Offsets, g.Targets, g.Weights = offsets(l.source, n), l.target, l.weight
		return g
	}
	g.Offsets = make([]int64, n+1)
	for e := range l.source {
		g.Offsets[l.source[e]+1]++
		g.Offsets[l.target[e]+1]++
	}
	for v := range n {
		g.Offsets[v+1] += g.Offsets[v]
	}
	g.Targets, g.Edges = make([]int32, 2*len(l.source)), make([]int32, 2*len(l.source))
	if l.weight != nil {
		g.Weights = make([]float64, 2*len(l.source))
	}
	next := slices.Clone(g.Offsets[:n])
	put := func(v, w, e int32) {
		k := next[v]
		next[v]++
		g.Targets[k], g.Edges[k] = w, e
		if l.weight != nil {
			g.Weights[k] = l.weight[e]
		}
	}
	// Arcs to smaller nodes first: edges are sorted by their smaller end, so both halves of a row come out sorted.
	for e := range l.source {
		put(l.target[e], l.source[e], int32(e))
	}
	for e := range l.source {
		put(l.source[e], l.target[e], int32(e))
	}
	return g
}

// NewUndirected makes an undirected graph of n nodes from edges that are sorted: source <= target in each, ascending by
// source, then target. Edge e of the graph is the e-th. The slices are not kept; weight is nil or has one entry an edge.
func NewUndirected(n int, source, target []int32, weight []float64) (*Graph, error) {
	if n < 0 || n > MaxNodes || len(source) > MaxEdges {
		return nil, fmt.Errorf("%d nodes and %d edges do not fit 31-bit indices", n, len(source))
	}
	if len(target) != len(source) || weight != nil && len(weight) != len(source) {
		return nil, fmt.Errorf("edges: columns of unequal length")
	}
	for e := range source {
		switch u, v := source[e], target[e]; {
		case u < 0 || u > v || int(v) >= n:
			return nil, fmt.Errorf("edge %d joins nodes %d and %d of %d", e, u, v, n)
		case e > 0 && (u < source[e-1] || u == source[e-1] && v < target[e-1]):
			return nil, fmt.Errorf("edge %d is not in ascending order", e)
		}
	}
	return (&edgeList{source: source, target: target, weight: weight}).graph(n), nil
}
