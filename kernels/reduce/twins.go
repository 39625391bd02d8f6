package reduce

import (
	"cmp"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// twinShare is the share of the branch nodes of a part that must go for twins to be merged.
const twinShare = 0.05

// twins are classes of identical branch nodes of a part: of the same mass, with the same neighbours by arcs of the same
// lengths and multiplicities, and either all adjacent to one another alike, or none. Slices are by node of the part; a
// class is known by its lowest node.
type twins struct {
	class []int32
	count []int32 // nodes that the branch node stands for, or 0 for one that goes
	next  []int32 // member of the same class, or -1
	sums  []uint64
	order []int32
	place []int32 // in the row of marked: of each neighbour, from 1
	// marked is the node whose row place has, or -1.
	marked int32
}

// findTwins fills b.twins, or leaves it nil where too few nodes would go.
func (b *contraction) findTwins() {
	b.twins = nil
	if b.options.NoBundles || b.options.NoChains {
		return
	}
	t := &b.scratch
	n := len(b.part.nodes)
	t.class, t.next = pieces.Sized(t.class, n), pieces.Sized(t.next, n)
	t.count, t.sums, t.place = pieces.Zeroed(t.count, n), pieces.Zeroed(t.sums, n), pieces.Zeroed(t.place, n)
	t.order, t.marked = t.order[:0], -1
	branch := 0
	for v := range int32(n) {
		t.class[v], t.next[v] = v, -1
		if b.inner[v] {
			continue
		}
		branch++
		t.count[v] = 1
		if b.sumRow(v) {
			t.order = append(t.order, v)
		}
	}
	gone := b.adjacentTwins() + b.distantTwins()
	if float64(gone) <= twinShare*float64(branch) {
		return
	}
	b.twins = t
	b.info.Merged += int64(gone)
	for _, v := range t.order {
		if t.count[v] > 1 {
			b.scoreTwins(v)
		}
	}
}

// sumRow sums up what a twin of v would have in its row. It returns false for a node next to the inside of a chain,
// which is kept as it is: chains compare the paths that reach their ends.
func (b *contraction) sumRow(v int32) bool {
	sum := uint64(0)
	for _, a := range b.row(v) {
		if b.inner[a.to] {
			return false
		}
		sum += b.print(a.to, a)
	}
	b.scratch.sums[v] = sum
	return true
}

// print is a number for an arc like a to this node (splitmix64's finalizer).
func (b *contraction) print(to int32, a partArc) uint64 {
	x := uint64(to)*0x9e3779b97f4a7c15 ^ uint64(a.length)*0xd6e8feb86659fd93 ^
		uint64(b.simple.times(a.edge))*0xa0761d6478bd642f
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// adjacentTwins merges twins that are joined by an edge, and returns how many nodes go.
func (b *contraction) adjacentTwins() int {
	t, gone := &b.scratch, 0
	for _, v := range t.order {
		if t.class[v] != v {
			continue
		}
		for _, a := range b.row(v) {
			w := a.to
			if w > v && t.count[w] == 1 && t.sums[v]-b.print(w, a) == t.sums[w]-b.print(v, a) && b.identical(v, w) {
				t.join(v, w)
				gone++
			}
		}
	}
	return gone
}

// distantTwins is adjacentTwins for those that are not joined by an edge.
func (b *contraction) distantTwins() int {
	t, gone := &b.scratch, 0
	alone := slices.DeleteFunc(slices.Clone(t.order), func(v int32) bool { return t.count[v] != 1 })
	omega := b.part.omega
	slices.SortFunc(alone, func(v, w int32) int {
		return cmp.Or(cmp.Compare(t.sums[v], t.sums[w]), cmp.Compare(omega[v], omega[w]), cmp.Compare(v, w))
	})
	for i, v := range alone {
		if t.class[v] != v {
			continue
		}
		for _, w := range alone[i+1:] {
			if t.sums[w] != t.sums[v] || omega[w] != omega[v] {
				break
			}
			if t.count[w] == 1 && b.identical(v, w) {
				t.join(v, w)
				gone++
			}
		}
	}
	return gone
}

// identical compares the masses and rows of v and w, arc by arc; what they are to each other is the same anyway.
func (b *contraction) identical(v, w int32) bool {
	t, first, second := &b.scratch, b.row(v), b.row(w)
	if b.part.omega[v] != b.part.omega[w] || len(first) != len(second) {
		return false
	}
	if t.marked != v {
		if t.marked >= 0 {
			for _, a := range b.row(t.marked) {
				t.place[a.to] = 0
			}
		}
		for i, a := range first {
			t.place[a.to] = int32(i) + 1
		}
		t.marked = v
	}
	for _, a := range second {
		if a.to == v {
			continue
		}
		i := t.place[a.to]
		if i == 0 || first[i-1].length != a.length || b.simple.times(first[i-1].edge) != b.simple.times(a.edge) {
			return false
		}
	}
	return true
}

// join puts w into the class of v.
func (t *twins) join(v, w int32) {
	t.class[w], t.next[w], t.next[v] = v, t.next[v], w
	t.count[v]++
	t.count[w] = 0
}

// twinOf returns the next member of the class of v, or -1.
func (b *contraction) twinOf(v int32) int32 {
	if b.twins == nil {
		return -1
	}
	return b.twins.next[v]
}

// nameTwins gives the branch nodes of a core what they stand for.
func (b *contraction) nameTwins(c *cores.Core) {
	b.back.twins = make([][]int32, len(b.branch))
	for i, v := range b.branch {
		if b.twins.count[v] < 2 {
			continue
		}
		all := b.ids.Take(int(b.twins.count[v]) - 1)[:0]
		for u := b.twins.next[v]; u >= 0; u = b.twins.next[u] {
			all = append(all, b.part.nodes[u])
		}
		b.back.twins[i] = all
		c.Omega[i] *= float64(1 + len(all))
	}
}

// scoreTwins scores the pairs within the class of v. Their paths are their own edge, or lead over the neighbours that
// are nearest, or both; nobody else's path goes from twin to twin.
func (b *contraction) scoreTwins(v int32) {
	class := b.scratch.class
	lengthOf := func(a partArc) int64 {
		if class[a.to] == v {
			return a.length
		}
		return 2 * a.length
	}
	pathsOf := func(a partArc) float64 {
		mult := float64(b.simple.times(a.edge))
		if class[a.to] == v {
			return mult
		}
		return mult * mult
	}
	shortest, paths, direct := int64(math.MaxInt64), 0.0, false
	for _, a := range b.row(v) {
		shortest = min(shortest, lengthOf(a))
	}
	for _, a := range b.row(v) {
		if lengthOf(a) == shortest && !(direct && class[a.to] == v) { // one edge leads to each twin
			paths += pathsOf(a)
			direct = direct || class[a.to] == v
		}
	}
	mass := float64(b.part.omega[v])
	others := float64(b.scratch.count[v] - 1)
	for u := v; u >= 0; u = b.scratch.next[u] {
		for _, a := range b.row(u) {
			within := class[a.to] == v
			if within && u < a.to {
				b.back.inside++
			}
			if lengthOf(a) != shortest {
				continue
			}
			score := mass * mass * pathsOf(a) / paths
			if within {
				b.edge[a.edge] += score / 2 // and once more from the other end
				continue
			}
			b.edge[a.edge] += others * score
			b.node[b.part.nodes[a.to]] += others / 2 * score
		}
	}
}
