package export

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// columns are all relationships of a builder, in one slice a column. Those that leave node v stand at
// offsets[v]:offsets[v+1].
type columns struct {
	offsets  []int64
	target   []int32
	group    []uint16  // nil when there is one group
	weight   []float64 // nil when no group has weights
	ids      IDs
	position []int32 // set when there are no ids
}

func (c *columns) len() int { return len(c.target) }

// collect sorts the relationships of the builder by source, target, group and id, and leaves each id once. It empties
// the builder's blocks.
func (b *Builder) collect() (*columns, error) {
	c, err := b.makeColumns()
	if err != nil {
		return nil, err
	}
	parts := c.parts()
	duplicates := make([]bool, len(parts))
	var all sync.WaitGroup
	for p, low := range parts[:len(parts)-1] {
		all.Go(func() {
			high := parts[p+1]
			b.fill(c, low, high)
			s := sorter{columns: c}
			for v := low; v < high; v++ {
				s.sortRow(c.offsets[v], c.offsets[v+1])
			}
			duplicates[p] = s.duplicates
		})
	}
	all.Wait()
	b.blocks = nil
	if slices.Contains(duplicates, true) {
		c.dropDuplicates(&b.dropped)
	}
	return c, nil
}

// makeColumns makes room for all relationships, and counts those of each node.
func (b *Builder) makeColumns() (*columns, error) {
	n := b.nodes.Len()
	c := &columns{offsets: make([]int64, n+1), target: make([]int32, b.count)}
	for _, r := range b.blocks {
		for i, u := range r.Source {
			if v := r.Target[i]; u < 0 || v < 0 || int(u) >= n || int(v) >= n {
				return nil, fmt.Errorf("builder: a relationship joins nodes %d and %d of %d", u, v, n)
			}
			c.offsets[u+1]++
		}
	}
	for v := range n {
		c.offsets[v+1] += c.offsets[v]
	}
	if len(b.groups) > 1 {
		c.group = make([]uint16, b.count)
	}
	if slices.ContainsFunc(b.groups, Group.weighted) {
		c.weight = make([]float64, b.count)
	}
	switch {
	case len(b.blocks) > 0 && b.blocks[0].IDs.Ints != nil:
		c.ids.Ints = make([]int64, b.count)
	case len(b.blocks) > 0 && b.blocks[0].IDs.Texts != nil:
		c.ids.Texts = make([]string, b.count)
	default:
		c.position = make([]int32, b.count)
	}
	return c, nil
}

// parts cuts the nodes into ranges that about as many relationships leave, one a processor: it returns their bounds.
func (c *columns) parts() []int32 {
	n, workers := len(c.offsets)-1, int64(min(runtime.GOMAXPROCS(0), 8))
	if c.len() < 10_000 {
		workers = 1
	}
	bounds := []int32{0}
	for w := int64(1); w < workers; w++ {
		v, _ := slices.BinarySearch(c.offsets, w*int64(c.len())/workers)
		bounds = append(bounds, int32(min(v, n)))
	}
	return append(bounds, int32(n))
}

// fill places the relationships that leave the nodes from low to high.
func (b *Builder) fill(c *columns, low, high int32) {
	next, position := slices.Clone(c.offsets[low:high]), int32(0)
	for _, r := range b.blocks {
		for i, u := range r.Source {
			if u < low || u >= high {
				continue
			}
			k := next[u-low]
			next[u-low]++
			c.target[k] = r.Target[i]
			if c.group != nil {
				c.group[k] = uint16(r.Group)
			}
			switch {
			case r.Weights != nil && c.weight != nil:
				c.weight[k] = r.Weights[i]
			case c.weight != nil:
				c.weight[k] = 1
			}
			switch {
			case c.ids.Ints != nil:
				c.ids.Ints[k] = r.IDs.Ints[i]
			case c.ids.Texts != nil:
				c.ids.Texts[k] = r.IDs.Texts[i]
			default:
				c.position[k] = position + int32(i)
			}
		}
		position += int32(len(r.Source))
	}
}

// groupOf returns the group of relationship i.
func (c *columns) groupOf(i int32) uint16 {
	if c.group == nil {
		return 0
	}
	return c.group[i]
}

// compareParallel orders two relationships between the same nodes; it returns 0 for one that was read twice.
func (c *columns) compareParallel(i, j int32) int {
	switch {
	case c.groupOf(i) != c.groupOf(j):
		return int(c.groupOf(i)) - int(c.groupOf(j))
	case c.position != nil:
		return int(c.position[i]) - int(c.position[j])
	case c.ids.less(i, j):
		return -1
	case c.ids.less(j, i):
		return 1
	}
	return 0
}

// dropDuplicates leaves each relationship id once: a scan of a changing database can meet one twice.
func (c *columns) dropDuplicates(d *Dropped) {
	low, to := int32(0), int32(0)
	for v := range len(c.offsets) - 1 {
		high := int32(c.offsets[v+1])
		c.offsets[v] = int64(to)
		for i := low; i < high; i++ {
			if i > low && c.target[i-1] == c.target[i] && c.compareParallel(i-1, i) == 0 {
				d.Duplicates++
				continue
			}
			c.move(to, i)
			to++
		}
		low = high
	}
	c.offsets[len(c.offsets)-1] = int64(to)
	c.cut(int(to))
}

// move writes relationship j over i.
func (c *columns) move(i, j int32) {
	c.target[i] = c.target[j]
	if c.group != nil {
		c.group[i] = c.group[j]
	}
	if c.weight != nil {
		c.weight[i] = c.weight[j]
	}
	if c.ids.Ints != nil {
		c.ids.Ints[i] = c.ids.Ints[j]
	}
	if c.ids.Texts != nil {
		c.ids.Texts[i] = c.ids.Texts[j]
	}
}

// cut leaves the first n relationships.
func (c *columns) cut(n int) {
	c.target = c.target[:n]
	if c.group != nil {
		c.group = c.group[:n]
	}
	if c.weight != nil {
		c.weight = c.weight[:n]
	}
	if c.ids.Ints != nil {
		c.ids.Ints = c.ids.Ints[:n]
	}
	if c.ids.Texts != nil {
		c.ids.Texts = c.ids.Texts[:n]
	}
}
