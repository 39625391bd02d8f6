package flow

import (
	"cmp"
	"context"
	"slices"
)

const (
	// Blocks have exact factors of up to entriesPer entries for each node and resistor, or of entriesAlways in all, but of
	// no more than entriesMost for each, and of no more than entriesEver.
	entriesPer, entriesMost, entriesAlways, entriesEver = 8, 64, 4_000_000, 64_000_000
	// tidyAlways is the length of a row up to which it is tidied after every change. Longer rows are tidied when they have
	// doubled.
	tidyAlways = 64
)

// mostEntries is the number of entries up to which a block has an exact factor.
func mostEntries(nodes, resistors int64) int64 {
	all := nodes + resistors
	return min(entriesMost*all, max(entriesAlways, min(entriesEver, entriesPer*all)))
}

// exactElimination makes an exact factor: a node that is gone leaves resistors between all pairs of its neighbours, as
// a star of resistors becomes a mesh. Only sums, products and quotients of positive numbers occur, so that each entry
// is precise to some units of its last digits. Nodes of few neighbours go first (Tinney and Walker, "Direct solutions
// of sparse network equations by optimally ordered triangular factorization", 1967). When most nodes that are left are
// neighbours, all of them are eliminated as a dense matrix.
type exactElimination struct {
	rows  [][]neighbour // of nodes that are left; since a row was tidied, some neighbours may be gone, or be there twice
	tidy  []int32       // the length of each row when it was tidied last
	at    []int32       // the place of a node that is gone; -1 before
	slot  []int32       // of each node in the row that is being tidied; -1 outside
	queue byDegree
	size  int64 // of all rows and columns, in entries
	out   *factor
}

// newExactFactor eliminates n nodes with these resistors, and returns the place of each; nil if the factor would have
// more than limit entries.
func newExactFactor(
	ctx context.Context, n int, ends [][2]int32, conductance []float64, limit int64, threads int,
) (*factor, []int32) {
	if int64(len(ends)) > limit {
		return nil, nil
	}
	e := &exactElimination{
		rows: make([][]neighbour, n), tidy: make([]int32, n), at: make([]int32, n), slot: make([]int32, n),
		out: &factor{offsets: make([]int64, 1, n+1), pivot: make([]float64, 0, n), exact: true},
	}
	for i, l := range ends {
		e.rows[l[0]], e.rows[l[1]] = append(e.rows[l[0]], neighbour{l[1], conductance[i]}),
			append(e.rows[l[1]], neighbour{l[0], conductance[i]})
		e.size += 2
	}
	for v := range int32(n) {
		e.at[v], e.slot[v], e.tidy[v] = -1, -1, int32(len(e.rows[v]))
		e.queue.put(v, len(e.rows[v]))
	}
	if !e.sparse(ctx, limit) {
		return nil, nil
	}
	e.out.tail = len(e.out.pivot)
	if left := n - e.out.tail; int64(len(e.out.below))+triangle(left) > limit || ctx.Err() != nil {
		return nil, nil
	}
	e.placeDense()
	e.out.eliminateDense(ctx, threads)
	return e.out, e.at
}

// triangle is the number of pairs of so many nodes.
func triangle(nodes int) int64 { return int64(nodes) * int64(nodes-1) / 2 }

// sparse eliminates nodes until those left are dense. It reports whether the factor stayed within the limit. Rows have
// each resistor twice.
func (e *exactElimination) sparse(ctx context.Context, limit int64) bool {
	for left := len(e.rows); left > 0; left-- {
		v := e.first()
		if 2*len(e.rows[v]) >= left {
			break
		}
		if e.eliminate(v); e.size > 2*limit || left%256 == 0 && ctx.Err() != nil {
			return false
		}
	}
	return true
}

// first takes the node that is eliminated next, and tidies its row.
func (e *exactElimination) first() int32 {
	for {
		v, degree := e.queue.take()
		if e.at[v] >= 0 || degree != len(e.rows[v]) {
			continue
		}
		if e.clean(v); len(e.rows[v]) == degree {
			return v
		}
		e.queue.put(v, len(e.rows[v]))
	}
}

// clean tidies a row: it drops neighbours that are gone, and joins parallel resistors.
func (e *exactElimination) clean(v int32) {
	row := e.rows[v]
	kept := row[:0]
	for _, a := range row {
		switch slot := e.slot[a.to]; {
		case e.at[a.to] >= 0:
		case slot >= 0:
			kept[slot].conductance += a.conductance
		default:
			e.slot[a.to] = int32(len(kept))
			kept = append(kept, a)
		}
	}
	for _, a := range kept {
		e.slot[a.to] = -1
	}
	e.size -= int64(len(row) - len(kept))
	e.rows[v], e.tidy[v] = kept, int32(len(kept))
}

// eliminate gives a node the next place, writes its column, and joins its neighbours.
func (e *exactElimination) eliminate(v int32) {
	all, sum := e.rows[v], 0.0
	slices.SortFunc(all, func(a, b neighbour) int { return cmp.Compare(a.to, b.to) })
	for _, a := range all {
		sum += a.conductance
	}
	e.at[v], e.rows[v] = int32(len(e.out.pivot)), nil
	e.out.pivot = append(e.out.pivot, sum)
	for i := range all {
		all[i].conductance /= sum // from here on the share
		e.out.below, e.out.share = append(e.out.below, all[i].to), append(e.out.share, all[i].conductance)
	}
	e.out.offsets = append(e.out.offsets, int64(len(e.out.below)))
	for i, a := range all {
		row := e.rows[a.to]
		for k, b := range all {
			if k != i {
				row = append(row, neighbour{b.to, a.conductance * (b.conductance * sum)})
			}
		}
		e.size += int64(len(all) - 1)
		if e.rows[a.to] = row; len(row) <= tidyAlways || len(row) >= 2*int(e.tidy[a.to]) {
			e.clean(a.to)
		}
		e.queue.put(a.to, len(e.rows[a.to]))
	}
}

// placeDense gives all nodes that are left their places, and writes their conductances to each other into their
// columns.
func (e *exactElimination) placeDense() {
	f, n := e.out, len(e.rows)
	for v := range int32(n) {
		if e.at[v] < 0 {
			e.at[v] = int32(len(f.pivot))
			f.pivot = append(f.pivot, 0)
		}
	}
	for i, v := range f.below {
		f.below[i] = e.at[v]
	}
	f.share = append(f.share, make([]float64, triangle(n-f.tail))...)
	for p := f.tail; p < n; p++ {
		for later := p + 1; later < n; later++ {
			f.below = append(f.below, int32(later))
		}
		f.offsets = append(f.offsets, int64(len(f.below)))
	}
	for v, p := range e.at {
		if int(p) < f.tail {
			continue
		}
		column := f.column(int(p))
		for _, a := range e.rows[v] {
			if after := e.at[a.to] - p; after > 0 {
				column[after-1] += a.conductance
			}
		}
		e.rows[v] = nil
	}
}

// byDegree hands out nodes, one of the lowest degree first, of these the one that was put last. A node may be there
// several times.
type byDegree struct {
	lists [][]int32
	least int
}

func (q *byDegree) put(v int32, degree int) {
	for len(q.lists) <= degree {
		q.lists = append(q.lists, nil)
	}
	q.lists[degree] = append(q.lists[degree], v)
	q.least = min(q.least, degree)
}

func (q *byDegree) take() (v int32, degree int) {
	for len(q.lists[q.least]) == 0 {
		q.least++
	}
	list := q.lists[q.least]
	q.lists[q.least] = list[:len(list)-1]
	return list[len(list)-1], q.least
}
