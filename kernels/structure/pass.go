package structure

import (
	"slices"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Bytes of a pass over triangles: per node the order, rank and offsets, and per arc (of which the pass has half) a
// target, a count, and a sum.
const (
	triangleBytes = 4 + 4 + 8
	passBytes     = (4 + 4 + 8) / 2
)

// pass meets each triangle once. Every edge leads from the end with fewer neighbours to the one with more (Chiba and
// Nishizeki, "Arboricity and subgraph listing algorithms", 1985; Latapy, "Main-memory triangle computations for very
// large graphs", 2008), so that no row is longer than the square root of 2m. Nodes are numbered by their degrees, the
// greatest first: those that are met most often lie together. Parallel edges are one here, and self-loops none.
type pass struct {
	*task
	*oriented
}

// oriented are the rows of a pass. Measures of one graph can share them.
type oriented struct {
	// degree is the number of neighbours of each node of the graph.
	degree []int32
	// order has the nodes by descending degree, rank their places in it.
	order, rank []int32
	// Row i has the ranks of the neighbours of order[i] that come before it. Its places stand for edges.
	offsets []int64
	targets []int32
}

// newPass orders the graph, unless a measure that shares has ordered it.
func (t *task) newPass() (*pass, error) {
	rows, err := kernels.Make(t.shared, orientedKey, func() (*oriented, error) {
		rows := t.orient()
		return rows, t.stop.Err()
	})
	return &pass{t, rows}, err
}

// key names what is shared.
type key int

const (
	orientedKey key = iota
	countKey
)

// orient orders the graph.
func (t *task) orient() *oriented {
	n := t.graph.N()
	p := &pass{t, &oriented{degree: make([]int32, n), order: nil, rank: make([]int32, n), offsets: make([]int64, n+1),
		targets: nil}}
	t.over(n, func(first, last int) {
		for v := int32(first); v < int32(last); v++ {
			p.degree[v] = t.neighbours(v)
		}
	})
	p.sort()
	t.over(n, func(first, last int) {
		for v := int32(first); v < int32(last); v++ {
			p.offsets[p.rank[v]+1] = p.countRow(v)
		}
	})
	for i := range n {
		p.offsets[i+1] += p.offsets[i]
	}
	p.targets = make([]int32, p.offsets[n])
	t.over(n, func(first, last int) {
		var row []int32
		for v := int32(first); v < int32(last); v++ {
			row = p.fillRow(v, row)
		}
	})
	return p.oriented
}

// sort sets order and rank, by counting.
func (p *pass) sort() {
	most := int32(0)
	for _, d := range p.degree {
		most = max(most, d)
	}
	begin := make([]int32, most+2) // of each degree, counted from the greatest
	for _, d := range p.degree {
		begin[most-d+1]++
	}
	for i := range most + 1 {
		begin[i+1] += begin[i]
	}
	p.order = make([]int32, len(p.degree))
	for v, d := range p.degree {
		at := begin[most-d]
		begin[most-d]++
		p.order[at], p.rank[v] = int32(v), at
	}
}

// countRow returns the length of the row of a node. Like neighbours and fillRow it has no branch that depends on an
// arc: most of them would go either way.
func (p *pass) countRow(v int32) (count int64) {
	own, before := p.rank[v], int32(-1)
	for _, w := range p.graph.Row(v) {
		count += int64(less(p.rank[w], own) & differ(w, before))
		before = w
	}
	return count
}

// fillRow writes the row of a node. It takes and returns memory for what it writes first.
func (p *pass) fillRow(v int32, row []int32) []int32 {
	all := p.graph.Row(v)
	row = slices.Grow(row[:0], len(all)+1)[:len(all)+1]
	own, before, count := p.rank[v], int32(-1), 0
	for _, w := range all {
		there := p.rank[w]
		row[count] = there
		count += less(there, own) & differ(w, before)
		before = w
	}
	copy(p.targets[p.offsets[own]:], row[:count])
	return row
}

// onEdges calls do for every edge that is no self-loop, with its place in targets. Parallel edges have the same place.
func (p *pass) onEdges(do func(place int64, edge, v, w int32)) {
	g := p.graph
	p.over(g.N(), func(first, last int) {
		for v := int32(first); v < int32(last); v++ {
			own := p.rank[v]
			place := p.offsets[own] - 1
			for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
				w := g.Targets[arc]
				if p.rank[w] >= own {
					continue
				}
				if isNew(g, v, arc) {
					place++
				}
				do(place, g.Edge(arc), v, w)
			}
		}
	})
}

// wedgePart is the number of rows that a thread takes at a time.
const wedgePart = 64

// rows calls row for each row of two and more, with the marks of the thread: its places in the row, counted from 1, of
// the nodes in it, and 0 of all others.
func (p *pass) rows(row func(thread int, i int32, mark []int32)) {
	marks := make([][]int32, max(1, p.threads))
	inparts.On(p.threads, wedgePart, len(p.order), func(thread, first, last int) {
		if marks[thread] == nil {
			marks[thread] = make([]int32, len(p.order))
		}
		mark := marks[thread]
		for i := first; i < last && !p.stop.Stopped(); i++ {
			targets := p.targets[p.offsets[i]:p.offsets[i+1]]
			if len(targets) < 2 {
				continue
			}
			for k, w := range targets {
				mark[w] = int32(k) + 1
			}
			row(thread, int32(i), mark)
			for _, w := range targets {
				mark[w] = 0
			}
		}
	})
}

// counts are the triangles of each node, by rank, and of each place; nil where places are not asked for.
type counts struct {
	byRank  []int64
	byPlace []int32
}

// count counts triangles, of places if they are asked for or if others may ask for them.
func (p *pass) count(places bool) (*counts, error) {
	return kernels.Make(p.shared, countKey, func() (*counts, error) {
		byRank, byPlace := p.countAll(places || p.shared != nil)
		return &counts{byRank, byPlace}, p.stop.Err()
	})
}

func (p *pass) countAll(places bool) (byRank []int64, byPlace []int32) {
	tallies := make([]tally, max(1, p.threads))
	if places {
		byPlace = make([]int32, len(p.targets))
	}
	p.rows(func(thread int, i int32, mark []int32) {
		t := &tallies[thread]
		if t.nodes == nil {
			t.nodes = make([]int64, len(p.order))
		}
		t.row(p, i, mark, byPlace)
	})
	return p.join(tallies), byPlace
}

// join adds up what threads counted, in the counts of one of them.
func (p *pass) join(tallies []tally) []int64 {
	tallies = slices.DeleteFunc(tallies, func(t tally) bool { return t.nodes == nil })
	if len(tallies) == 0 {
		return make([]int64, len(p.order))
	}
	all := tallies[0].nodes
	p.over(len(all), func(first, last int) {
		for i := range tallies[1:] {
			for v, count := range tallies[1+i].nodes[first:last] {
				all[first+v] += count
			}
		}
	})
	return all
}

// tally is what one thread counts.
type tally struct {
	nodes []int64 // triangles by rank
	// own has at k+1, of place k of the row at hand, the triangles with it and another one of the row. At 0 it counts what
	// is none.
	own []int32
}

// row counts the triangles of a node with two nodes before it.
func (t *tally) row(p *pass, i int32, mark []int32, byPlace []int32) {
	begin, end := p.offsets[i], p.offsets[i+1]
	t.own = append(t.own[:0], make([]int32, end-begin+1)...)
	for k, j := range p.targets[begin:end] {
		if byPlace == nil {
			t.own[k+1] += t.wedges(p.targets[p.offsets[j]:p.offsets[j+1]], mark)
		} else {
			t.own[k+1] += t.placedWedges(p.targets[p.offsets[j]:p.offsets[j+1]], mark, byPlace[p.offsets[j]:p.offsets[j+1]])
		}
	}
	sum := int64(0)
	for k, count := range t.own[1:] {
		t.nodes[p.targets[begin+int64(k)]] += int64(count)
		sum += int64(count)
		if byPlace != nil && count != 0 {
			atomic.AddInt32(&byPlace[begin+int64(k)], count)
		}
	}
	t.nodes[i] += sum / 2
}

// wedges counts the nodes of a row that are marked, without a branch: some are and some are not.
func (t *tally) wedges(row []int32, mark []int32) int32 {
	own := t.own
	before := own[0]
	for _, w := range row {
		own[mark[w]]++
	}
	return int32(len(row)) - (own[0] - before)
}

// placedWedges is wedges that counts the places of the row, too. Other threads count them at the same time.
func (t *tally) placedWedges(row []int32, mark []int32, places []int32) (count int32) {
	for i, w := range row {
		if k := mark[w]; k != 0 {
			t.own[k]++
			atomic.AddInt32(&places[i], 1)
			count++
		}
	}
	return count
}

// sum returns for each place the sum of the weights of the third nodes of its triangles. Weights are by rank.
func (p *pass) sum(weights []uint64) []uint64 {
	sums := make([]uint64, len(p.targets))
	p.rows(func(_ int, i int32, mark []int32) {
		begin, end := p.offsets[i], p.offsets[i+1]
		for k, j := range p.targets[begin:end] {
			found := uint64(0)
			for q := p.offsets[j]; q < p.offsets[j+1]; q++ {
				w := p.targets[q]
				if m := mark[w]; m != 0 {
					found += weights[w]
					atomic.AddUint64(&sums[begin+int64(m)-1], weights[j])
					atomic.AddUint64(&sums[q], weights[i])
				}
			}
			if found != 0 {
				atomic.AddUint64(&sums[begin+int64(k)], found)
			}
		}
	})
	return sums
}
