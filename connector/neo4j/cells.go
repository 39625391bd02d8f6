package neo4j

import "slices"

// The commit of a transaction that changes relationships locks the nodes at their ends, so two that have one in common are
// committed one after the other. Relationships are therefore written in cells: the nodes are cut into parts, and a cell
// is what lies between two parts, or within one. Writers take cells that have no part in common, as long as there are any.

// windowBatches is how many batches a writer, by ascending ids, are cut into cells at a time: enough for a few in each cell,
// and few enough that the pages of the store that they lie in stay in the server's memory until the last cell.
const windowBatches = 32

// span is a range of places of nodes, from low to high-1.
type span struct{ low, high int32 }

func (s span) meets(t span) bool { return s.low < t.high && t.low < s.high }

// cell is a run of places in the order of a batch, with the parts that its ends are in. Those of nodes are in none.
type cell struct {
	low, high int
	ends      [2]span
}

func (x cell) meets(y cell) bool {
	return x.ends[0].meets(y.ends[0]) || x.ends[0].meets(y.ends[1]) || x.ends[1].meets(y.ends[0]) || x.ends[1].meets(y.ends[1])
}

// next hands out the next part to a writer, which is done with the one before: from a cell that has nothing in common with
// what the others have, if there is one.
func (b *batch) next(writer int) (low, high int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held[writer] = cell{}
	at := slices.IndexFunc(b.cells, b.free)
	if at < 0 && b.planned < b.ids.Len() {
		b.plan()
		at = slices.IndexFunc(b.cells, b.free)
	}
	if len(b.cells) == 0 {
		return 0, 0
	}
	at = max(at, 0)
	x := &b.cells[at]
	n := x.high - x.low
	taken := cell{x.low, x.low + ceil(n, ceil(n, b.size)), x.ends} // one of equal parts
	if x.low = taken.high; x.low == x.high {
		b.cells = slices.Delete(b.cells, at, at+1)
	}
	b.held[writer] = taken
	return taken.low, taken.high
}

// free says whether no writer has anything in common with the cell.
func (b *batch) free(x cell) bool {
	return !slices.ContainsFunc(b.held, x.meets)
}

// plan cuts the next window of the order into cells.
func (b *batch) plan() {
	writers, low, left := len(b.held), b.planned, b.ids.Len()-b.planned
	windows := ceil(left, writers*windowBatches*b.size)
	b.planned += ceil(left, windows)
	pairs := tournament(2 * writers)
	if b.order == nil || writers == 1 || b.planned-low < len(pairs)*b.size/2 { // too few for cells
		b.cells = append(b.cells, cell{low: low, high: b.planned})
		return
	}
	window := b.order[low:b.planned]
	b.cut(window, 2*writers)
	for k, places := range b.deal(window, pairs) {
		high := low + copy(b.order[low:], places)
		if high > low {
			p, q := pairs[k][0], pairs[k][1]
			b.cells = append(b.cells, cell{low, high, [2]span{{b.cuts[p], b.cuts[p+1]}, {b.cuts[q], b.cuts[q+1]}}})
		}
		low = high
	}
}

func ceil(n, d int) int { return (n + d - 1) / d }

// deal sorts the places of a window by the cells of the pairs of parts, and leaves them in their order there.
func (b *batch) deal(window []int32, pairs [][2]int) (cells [][]int32) {
	parts, targets := len(b.cuts)-1, b.writer.snapshot.Rels.Targets
	number := make([]int, parts*parts)
	for k, p := range pairs {
		number[p[0]*parts+p[1]], number[p[1]*parts+p[0]] = k, k
	}
	cells = make([][]int32, len(pairs))
	for _, i := range window {
		k := number[b.part(b.sources[i])*parts+b.part(targets[i])]
		cells[k] = append(cells[k], i)
	}
	return cells
}

// part is the number of the part of the nodes that a place is in.
func (b *batch) part(v int32) int {
	p := 0
	for p+2 < len(b.cuts) && v >= b.cuts[p+1] {
		p++
	}
	return p
}

// cut chooses where parts of the nodes begin, and where the last one ends, so that each has about as many ends of the
// relationships, by a sample of them. It stays with the parts of the window before where those will do: cells of both then
// go together.
func (b *batch) cut(window []int32, parts int) {
	const sample = 1000 // for each part
	targets := b.writer.snapshot.Rels.Targets
	var ends []int32
	for i := 0; i < len(window); i += 1 + len(window)/(sample*parts) {
		ends = append(ends, b.sources[window[i]], targets[window[i]])
	}
	if b.cuts != nil {
		most, counts := 0, make([]int, parts)
		for _, v := range ends {
			p := b.part(v)
			counts[p]++
			most = max(most, counts[p])
		}
		if 4*most*parts <= 5*len(ends) {
			return
		}
	}
	slices.Sort(ends)
	b.cuts = []int32{0}
	for p := 1; p < parts; p++ {
		b.cuts = append(b.cuts, ends[p*len(ends)/parts])
	}
	b.cuts = append(b.cuts, int32(b.writer.snapshot.Graph.N()))
}

// tournament lists all pairs of an even number of parts in rounds, in each of which every part comes once, and after
// them the parts with themselves.
func tournament(parts int) (pairs [][2]int) {
	others := parts - 1
	for round := range others {
		pairs = append(pairs, [2]int{others, round})
		for k := 1; k < parts/2; k++ {
			pairs = append(pairs, [2]int{(round + k) % others, (round - k + others) % others})
		}
	}
	for p := range parts {
		pairs = append(pairs, [2]int{p, p})
	}
	return pairs
}
