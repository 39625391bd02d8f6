package structure

import (
	"slices"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// trussBytes bounds what trusses keep per arc besides a pass over triangles: its target and its edge; and per edge its
// triangles, twice, an end, its round, its place among those left and found, and what orders it in its round.
const trussBytes = 4 + 4 + (6*4+3*8)/2

// trusses peels edges of the fewest triangles (Wang and Cheng, "Truss decomposition in massive networks", 2012), those
// of one count in rounds, on all threads (Kabir and Madduri, "Shared-memory graph truss decomposition", 2017): an
// edge's truss is 2 more than the triangles that it has when it is peeled, among edges that have no fewer. A node's is
// its edges' greatest. Parallel edges are one, and self-loops score 0.
func (t *task) trusses() error {
	p, found, err := t.countTriangles(true)
	if err != nil {
		return err
	}
	support := slices.Clone(found.byPlace)
	u := p.unravel(support)
	u.run()
	for e, count := range support {
		v, w, truss := p.order[u.source[e]], p.order[p.targets[e]], float64(count+2)
		t.nodes[v], t.nodes[w] = max(t.nodes[v], truss), max(t.nodes[w], truss)
	}
	if t.edges != nil {
		p.onEdges(func(place int64, edge, _, _ int32) { t.edges[edge] = float64(support[place] + 2) })
	}
	return t.stop.Err()
}

// unravelling is a graph from which edges are taken. Nodes are ranks of its pass, and edges are places.
type unravelling struct {
	*pass
	// support is by the triangles of each edge in what is left.
	support *levels
	// source is the end of each edge that its row in the pass belongs to.
	source []int32
	// Row i is begin[i]:end[i]: the neighbours of a node, sorted, and the edges to them.
	begin, end []int64
	row, edges []int32
	// taken is the round in which an edge is taken, and 0 before.
	taken []int32
	round int32
	// stale is how many edges of the rows are taken.
	stale int
	// threads have what each thread needs to take edges.
	threads []unraveller
}

// unravel makes the rows of the neighbours of each node. The first half of a row is what the pass has; the second has
// the nodes whose rows in the pass it is in.
func (p *pass) unravel(support []int32) *unravelling {
	n, m := len(p.order), len(p.targets)
	u := &unravelling{
		pass: p, support: newLevels(support), source: make([]int32, m), begin: make([]int64, n+1), end: make([]int64, n),
		row: make([]int32, 2*m), edges: make([]int32, 2*m), taken: make([]int32, m), round: 0, stale: 0,
		threads: make([]unraveller, max(1, p.threads)),
	}
	for i, v := range p.order {
		u.begin[i+1] = u.begin[i] + int64(p.degree[v])
		u.end[i] = u.begin[i] + p.offsets[i+1] - p.offsets[i]
	}
	halves := slices.Clone(u.end)
	for i := range int32(n) {
		for e := p.offsets[i]; e < p.offsets[i+1]; e++ {
			u.source[e] = i
			u.put(p.targets[e], i, int32(e))
		}
	}
	u.sort(halves)
	return u
}

// sort fills the first halves of the rows in the order of the second halves, which are sorted.
func (u *unravelling) sort(halves []int64) {
	ends := u.end
	u.end = slices.Clone(u.begin[:len(ends)])
	for j := range int32(len(ends)) {
		for k := halves[j]; k < ends[j]; k++ {
			u.put(u.row[k], j, u.edges[k])
		}
	}
	u.end = ends
}

// put adds a neighbour to a row.
func (u *unravelling) put(i, neighbour, edge int32) {
	u.row[u.end[i]], u.edges[u.end[i]] = neighbour, edge
	u.end[i]++
}

// run takes all edges.
func (u *unravelling) run() {
	for len(u.support.left) > 0 && !u.stop.Stopped() {
		u.support.scan(u.pass.threads)
		for found := u.support.found; len(found) > 0 && !u.stop.Stopped(); {
			found = u.take(found)
		}
		u.support.level++
	}
}

// staleShare is the share of the edges in rows, 1 / staleShare, that may be taken ones.
const staleShare = 8

// take takes edges of the level, and returns those that thereby come down to it. Edges with no triangle have nothing to
// lower.
func (u *unravelling) take(found []int32) (next []int32) {
	u.round++
	for _, e := range found {
		u.taken[e] = u.round
	}
	if u.support.level > 0 {
		next = u.lowerOthers(found)
	}
	if u.stale += len(found); u.stale > len(u.support.left)/staleShare {
		u.pack()
	}
	return next
}

// roundPart is the number of edges that a thread takes at a time.
const roundPart = 1 << 7

// lowerOthers takes a triangle from all edges that have one with edges of the round, and returns those that come down
// to the level. Edges with the same long row come after each other.
func (u *unravelling) lowerOthers(found []int32) (next []int32) {
	round := make([]uint64, len(found))
	for i, e := range found {
		round[i] = uint64(u.longer(e))<<32 | uint64(e)
	}
	slices.Sort(round)
	inparts.On(u.pass.threads, roundPart, len(round), func(thread, first, last int) {
		if !u.stop.Stopped() {
			u.threads[thread].take(u, round[first:last])
		}
	})
	for i := range u.threads {
		next = append(next, u.threads[i].next...)
		u.threads[i].next = u.threads[i].next[:0]
	}
	return next
}

// length is that of a row.
func (u *unravelling) length(i int32) int64 { return u.end[i] - u.begin[i] }

// other returns the other end of an edge.
func (u *unravelling) other(e, end int32) int32 { return u.source[e] ^ u.targets[e] ^ end }

// longer returns the end of an edge that has the longer row.
func (u *unravelling) longer(e int32) int32 {
	v, w := u.source[e], u.targets[e]
	if u.length(v) > u.length(w) {
		return v
	}
	return w
}

// pack removes edges that are taken from the rows.
func (u *unravelling) pack() {
	u.stale = 0
	u.over(len(u.end), func(first, last int) {
		for i := first; i < last; i++ {
			end := u.begin[i]
			for k := end; k < u.end[i]; k++ {
				if e := u.edges[k]; u.taken[e] == 0 {
					u.row[end], u.edges[end] = u.row[k], e
					end++
				}
			}
			u.end[i] = end
		}
	})
}

// unraveller is a thread that takes edges.
type unraveller struct {
	// mark has the places in the marked row of the nodes in it, counted from 1, and 0 for others.
	mark []int32
	next []int32 // edges that have come down to the level
}

// take takes edges, whose longer rows are in the upper half. A long row is marked where many edges have it.
func (r *unraveller) take(u *unravelling, round []uint64) {
	if r.mark == nil {
		r.mark = make([]int32, len(u.end))
	}
	for len(round) > 0 {
		long, same, steps := int32(round[0]>>32), 0, int64(0)
		for ; same < len(round) && int32(round[same]>>32) == long; same++ {
			steps += u.length(u.other(int32(round[same]), long))
		}
		if markSteps*steps > u.length(long) {
			r.takeMarked(u, long, round[:same])
		} else {
			for _, key := range round[:same] {
				r.takeSearched(u, long, int32(key))
			}
		}
		round = round[same:]
	}
}

// markSteps is how many steps of marking take as long as one of searching.
const markSteps = 8

// takeMarked takes edges with the same long row by marking it.
func (r *unraveller) takeMarked(u *unravelling, long int32, round []uint64) {
	row, edges := u.row[u.begin[long]:u.end[long]], u.edges[u.begin[long]:u.end[long]]
	for k, v := range row {
		r.mark[v] = int32(k) + 1
	}
	for _, key := range round {
		e := int32(key)
		short := u.other(e, long)
		for k := u.begin[short]; k < u.end[short]; k++ {
			if there := r.mark[u.row[k]]; there != 0 {
				r.lower(u, e, u.edges[k], edges[there-1])
			}
		}
	}
	for _, v := range row {
		r.mark[v] = 0
	}
}

// takeSearched takes an edge by looking up its shorter row in the longer one.
func (r *unraveller) takeSearched(u *unravelling, long, e int32) {
	short := u.other(e, long)
	at, row := u.begin[long], u.row[u.begin[long]:u.end[long]]
	for k := u.begin[short]; k < u.end[short] && len(row) > 0; k++ {
		steps, found := search(row, u.row[k])
		if found {
			r.lower(u, e, u.edges[k], u.edges[at+int64(steps)])
		}
		at, row = at+int64(steps), row[steps:]
	}
}

// search is slices.BinarySearch in steps that double first: what is looked for is near the beginning, mostly.
func search(row []int32, x int32) (int, bool) {
	step := 1
	for step < len(row) && row[step] < x {
		step *= 2
	}
	half, end := step/2, min(step+1, len(row))
	k, found := slices.BinarySearch(row[half:end], x)
	return half + k, found
}

// lower takes the triangle of an edge of the round from two others. If two of them are of the round, the first one
// does.
func (r *unraveller) lower(u *unravelling, e, f, g int32) {
	inF, inG := u.taken[f], u.taken[g]
	switch {
	case inF == 0 && inG == 0:
		r.lowerOne(u, f)
		r.lowerOne(u, g)
	case inF == 0 && inG == u.round && e < g:
		r.lowerOne(u, f)
	case inG == 0 && inF == u.round && e < f:
		r.lowerOne(u, g)
	}
}

// lowerOne lowers an edge that is over the level.
func (r *unraveller) lowerOne(u *unravelling, e int32) {
	level, count := u.support.level, &u.support.counts[e]
	if atomic.LoadInt32(count) <= level {
		return
	}
	switch s := atomic.AddInt32(count, -1); {
	case s == level:
		r.next = append(r.next, e)
	case s < level:
		atomic.AddInt32(count, 1)
	}
}
