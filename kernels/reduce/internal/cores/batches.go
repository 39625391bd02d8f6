package cores

import "slices"

// batch is a set of sources and the branch nodes whose rows they read: themselves first, then the other ends of their
// chains. A source at which no chain starts needs no row.
type batch struct{ sources, rows []int32 }

// batches groups sources so that few rows belong to more than one group: each group is grown by breadth-first search
// along chains.
type batches[T Distance] struct {
	p        *Problem[T]
	capacity int // rows of a batch
	seed     int32
	marks    []mark
	lone     bool // the sources without chains were handed out
}

// mark is the state of a branch node.
type mark uint8

const (
	taken  mark = 1 << iota // is or was a source
	queued                  // was met by the search at hand
	rowed                   // has a row in the batch at hand
)

func newBatches[T Distance](p *Problem[T], capacity int) *batches[T] {
	return &batches[T]{p: p, capacity: capacity, marks: make([]mark, p.nodes())}
}

// next returns the next batch. Only one of a single source can have more rows than the capacity.
func (b *batches[T]) next() (batch, bool) {
	var out batch
	for b.findSeed() && b.grow(&out) {
	}
	if len(out.sources) == 0 {
		return b.rest()
	}
	for _, v := range out.sources {
		b.marks[v] &^= rowed
	}
	rows := append([]int32(nil), out.sources...)
	for _, v := range out.rows {
		if b.marks[v]&rowed != 0 {
			rows = append(rows, v)
			b.marks[v] &^= rowed
		}
	}
	return batch{out.sources, rows}, true
}

// findSeed moves seed to the first node with chains that is not taken.
func (b *batches[T]) findSeed() bool {
	for ; int(b.seed) < len(b.marks); b.seed++ {
		if b.marks[b.seed]&taken == 0 && len(b.p.Halves(b.seed)) > 0 {
			return true
		}
	}
	return false
}

// grow adds nodes from seed on, and reports whether there is room for more.
func (b *batches[T]) grow(out *batch) bool {
	queue := []int32{b.seed}
	b.marks[b.seed] |= queued
	room := true
	for i := 0; i < len(queue) && room; i++ {
		if room = b.add(out, queue[i]); !room {
			break
		}
		for _, h := range b.p.Halves(queue[i]) {
			if b.marks[h.to]&(queued|taken) == 0 {
				b.marks[h.to] |= queued
				queue = append(queue, h.to)
			}
		}
	}
	for _, v := range queue {
		b.marks[v] &^= queued
	}
	return room
}

// add takes v as a source if there is room for the rows that it needs.
func (b *batches[T]) add(out *batch, v int32) bool {
	before := len(out.rows)
	b.addRow(out, v)
	for _, h := range b.p.Halves(v) {
		b.addRow(out, h.to)
	}
	if len(out.rows) > b.capacity && before > 0 {
		for _, w := range out.rows[before:] {
			b.marks[w] &^= rowed
		}
		out.rows = out.rows[:before]
		return false
	}
	b.marks[v] |= taken
	out.sources = append(out.sources, v)
	return true
}

func (b *batches[T]) addRow(out *batch, v int32) {
	if b.marks[v]&rowed == 0 {
		b.marks[v] |= rowed
		out.rows = append(out.rows, v)
	}
}

// rest returns the sources without chains.
func (b *batches[T]) rest() (batch, bool) {
	if b.lone {
		return batch{}, false
	}
	b.lone = true
	var out batch
	for v := range int32(len(b.marks)) {
		if len(b.p.Halves(v)) == 0 {
			out.sources = append(out.sources, v)
		}
	}
	return out, true
}

// partOf returns the batches of a part of a core. What the chunks of sources are does not depend on the part.
func partOf[T Distance](p *Problem[T], capacity int, part Part) []batch {
	var all []batch
	units, b := 0, newBatches(p, capacity)
	for next, ok := b.next(); ok; next, ok = b.next() {
		all = append(all, next)
		units += next.chunks()
	}
	first, last := part(units)
	out, begin := all[:0], 0
	for _, batch := range all {
		end := begin + batch.chunks()
		if from, to := max(first, begin), min(last, end); from < to {
			out = append(out, b.only(batch, from-begin, to-begin))
		}
		begin = end
	}
	return out
}

// chunks is how many chunks of sources a batch has.
func (b *batch) chunks() int { return (len(b.sources) + chunkSources - 1) / chunkSources }

// only returns some chunks of a batch, with the rows that their sources read.
func (b *batches[T]) only(of batch, from, to int) batch {
	if from == 0 && to == of.chunks() || len(of.rows) == 0 {
		return batch{of.sources[from*chunkSources : min(to*chunkSources, len(of.sources))], of.rows}
	}
	sources := of.sources[from*chunkSources : min(to*chunkSources, len(of.sources))]
	out := batch{sources: sources, rows: slices.Clone(sources)}
	for _, v := range sources {
		b.marks[v] |= rowed
	}
	for _, v := range sources {
		for _, h := range b.p.Halves(v) {
			b.addRow(&out, h.to)
		}
	}
	for _, v := range out.rows {
		b.marks[v] &^= rowed
	}
	return out
}
