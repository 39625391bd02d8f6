package export

import (
	"cmp"
	"fmt"
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
