package order

import (
	"runtime"
	"sync"
)

// bisect orders the nodes by halves of halves, so that any run of consecutive nodes lies close together: a part is cut
// across its longest way, in the order of a search from one end of it, down to parts of leaf nodes. Cuts lie at
// multiples of leaf.
func bisect(g rows, leaf int) []int32 {
	b := newBisection(g, leaf, 2)
	b.split(b.whole(g))
	return b.order
}

// stripes is bisect for runs of leaf nodes alone: the whole is first cut into strips, of so many levels of a search
// from a node at an end and some leaves at least, and these into quarters of quarters. Runs are rounder than halves of
// halves make them.
func stripes(g rows, end int32, leaf, thick int) []int32 {
	b := newBisection(g, leaf, 4)
	return b.stripes(b.whole(g), end, thick)
}

// stripes is the function of that name. It returns the order.
func (b *bisection) stripes(whole part, end int32, thick int) []int32 {
	leaf := b.leaf
	if whole.hi <= leaf {
		return b.order
	}
	order, levels := b.search(whole, 1, end, nil)
	var cuts []int
	last := 0
	for i := thick; i < len(levels); i += thick {
		if at := (levels[i] + leaf/2) / leaf * leaf; at-last >= leastStrip*leaf && at < whole.hi {
			cuts, last = append(cuts, at), at
		}
	}
	b.divide(whole, order, cuts)
	return b.order
}

func newBisection(g rows, leaf, ways int) *bisection {
	n := int(g.n())
	b := &bisection{leaf: leaf, ways: ways, order: make([]int32, n), place: make([]int32, n)}
	for i := range b.order {
		b.order[i] = int32(i)
	}
	for i := range 2 {
		b.found[i] = make([]int32, n)
		b.pieces[i] = pieces{make([]int64, n), make([]int32, len(g.targets))}
	}
	return b
}

// whole is the part of all nodes.
func (b *bisection) whole(g rows) part {
	return part{pieces: pieces{g.offsets[1:], g.targets}, hi: len(b.order)}
}

// bisection is bisect or stripes at work. A part is a range of the order, and its memory the same range of all arrays.
type bisection struct {
	// ways is into how many parts one of over 3 leaves is cut; a smaller one into two.
	leaf, ways int
	order      []int32
	// found is what the two searches of a part find, by the places that nodes have in the order; place is where in the
	// later search each place comes, -1 before.
	found [2][]int32
	place []int32
	// pieces take turns: a part lies in one, what it is cut into in the other.
	pieces [2]pieces
}

// pieces are the arcs within parts, from place to place of the order. Those of a place end at ends, and begin where
// those of the place before end.
type pieces struct {
	ends    []int64
	targets []int32
}

// part is a range of the order, whose arcs begin at first.
type part struct {
	pieces
	first  int64
	lo, hi int
	// turn is the pieces that it is to be cut into.
	turn int
	// searched says that its order is that of a search from its first node.
	searched bool
}

func (p part) row(at int32) []int32 {
	if int(at) == p.lo {
		return p.targets[p.first:p.ends[at]]
	}
	return p.targets[p.ends[at-1]:p.ends[at]]
}

// split orders a part.
func (b *bisection) split(p part) {
	size := p.hi - p.lo
	if size <= b.leaf {
		return
	}
	ways := b.ways
	if size <= 3*b.leaf {
		ways = 2
	}
	order := b.across(p)
	thick := (size/ways + b.leaf - 1) / b.leaf * b.leaf
	var cuts []int
	for at := p.lo + thick; at < p.hi; at += thick {
		cuts = append(cuts, at)
	}
	b.divide(p, order, cuts)
}

// across searches a part from an end. It returns the places in the order in which they are found.
func (b *bisection) across(p part) []int32 {
	var first []int32 // the places as they come
	end := int32(p.hi - 1)
	if !p.searched {
		first, _ = b.search(p, 0, int32(p.lo), nil)
		end = first[len(first)-1] // the last that a search finds is an end
	}
	order, _ := b.search(p, 1, end, first)
	return order
}

// search searches a part from start, and then from the first that is not found yet of those given, until all are found.
// nil stands for the places as they come. It returns the places found, and where in the order each level begins.
func (b *bisection) search(p part, which int, start int32, from []int32) (order []int32, levels []int) {
	b.forget(p)
	found := b.found[which][:p.hi]
	for end, next := p.lo, 0; ; {
		if levels, end = b.component(p, found, start, end, levels); end == p.hi {
			return found[p.lo:], levels
		}
		for b.place[start] >= 0 {
			if start = int32(p.lo + next); from != nil {
				start = from[next]
			}
			next++
		}
	}
}

// forget says that no place of a part is found.
func (b *bisection) forget(p part) {
	for i := p.lo; i < p.hi; i++ {
		b.place[i] = -1
	}
}

// component searches a part from start, which comes at end of those found. It adds where each level begins, and returns
// where what is found ends.
func (b *bisection) component(p part, found []int32, start int32, end int, levels []int) ([]int, int) {
	at, level := end, end
	b.place[start], found[end] = int32(end), start
	for end++; at < end && end < p.hi; {
		if at == level {
			if end-at >= wideLevel && runtime.GOMAXPROCS(0) > 1 {
				s := wideSearch{row: p.row, found: found, place: b.place, levels: levels}
				at, end = s.run(at, end)
				level, levels = at, s.levels
				continue
			}
			levels, level = append(levels, at), end
		}
		end = b.look(p.row(found[at]), found, end)
		at++
	}
	return levels, end
}

// look appends those of the row to found that are new, and returns where it ends.
func (b *bisection) look(row, found []int32, end int) int {
	place := b.place
	if end+len(row) > len(found) {
		for _, w := range row {
			if place[w] < 0 {
				place[w], found[end] = int32(end), w
				end++
			}
		}
		return end
	}
	for _, w := range row { // without a branch, which would go either way
		found[end] = w
		was := place[w]
		is := was
		if was < 0 {
			is = int32(end)
		}
		place[w] = is
		end += int(uint32(was) >> 31)
	}
	return end
}

// divide puts a part into the order of its last search, cuts it, and orders what it is cut into.
func (b *bisection) divide(p part, order []int32, cuts []int) {
	parts := make([]part, 0, len(cuts)+1)
	lo := p.lo
	for _, hi := range append(cuts, p.hi) {
		parts = append(parts, part{pieces: b.pieces[p.turn], lo: lo, hi: hi, turn: 1 - p.turn, searched: lo == p.lo})
		lo = hi
	}
	nodes := b.found[0] // the searches of the part are done with it
	each(parts, func(q *part) {
		for i, at := range order[q.lo-p.lo : q.hi-p.lo] {
			nodes[q.lo+i] = b.order[at]
			q.first += int64(len(p.row(at))) // how many arcs it has, so far
		}
	})
	first := p.first
	for i := range parts {
		first, parts[i].first = first+parts[i].first, first
	}
	each(parts, func(q *part) {
		copy(b.order[q.lo:q.hi], nodes[q.lo:q.hi])
		b.cut(p, *q, order[q.lo-p.lo:q.hi-p.lo])
	})
	each(parts, func(q *part) { b.split(*q) })
}

// cut gives q, which has these places of p, the arcs among them.
func (b *bisection) cut(p, q part, places []int32) {
	if q.hi-q.lo <= b.leaf {
		return
	}
	at, lo, size := q.first, uint32(q.lo), uint32(q.hi-q.lo)
	for i, v := range places {
		for _, w := range p.row(v) {
			w = b.place[w]
			q.targets[at] = w
			if uint32(w)-lo < size {
				at++
			}
		}
		q.ends[q.lo+i] = at
	}
}

// splitApart is how many nodes are worth a thread of their own.
const splitApart = 4096

// each does work on parts, side by side where they are large.
func each(parts []part, work func(*part)) {
	var threads sync.WaitGroup
	for len(parts) > 0 {
		count := 1
		for count < len(parts) && parts[count-1].hi-parts[0].lo < splitApart {
			count++
		}
		some := parts[:count]
		if parts = parts[count:]; len(parts) > 0 {
			threads.Go(func() { inTurn(some, work) })
		} else {
			inTurn(some, work)
		}
	}
	threads.Wait()
}

func inTurn(parts []part, work func(*part)) {
	for i := range parts {
		work(&parts[i])
	}
}
