package chains

import (
	"errors"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// batch does all that starts from the sources of a batch. It returns those that are left to the next pass.
func (r *run) batch(b *batch) (left []int32) {
	failed := r.rows(b)
	if r.calls.Err != nil {
		return nil
	}
	fit := b.fitting(r.flat, failed)
	for i, v := range b.nodes[:b.sources] {
		if !fit[i/b.group] {
			left = append(left, v)
		}
	}
	r.done -= len(left)
	r.rounds(b, fit)
	for first := 0; first < len(fit); {
		last := first + 1
		for last < len(fit) && fit[last] == fit[first] {
			last++
		}
		if fit[first] {
			r.back(b, first*b.group, min(last*b.group, b.sources))
		}
		first = last
	}
	return left
}

// rows finds the rows of a batch, and returns the slots of those that failed.
func (r *run) rows(b *batch) []int32 {
	r.place(b)
	before, slots := r.done, len(b.nodes)
	progress := func(done int) { r.progress(before + done*b.sources/slots) }
	r.chunks(slots, progress, func(first, last int) { r.search(r.number.forward, first, last) })
	failed := r.calls.Failures(r.arrays.failed, slots)
	if len(failed) > 0 && r.number == numberOf(widePass) {
		r.calls.Do(func() error { return errors.New("wide counts of paths overflowed") }) // they cannot
	}
	return failed
}

// place tells the device which nodes have rows, and where.
func (r *run) place(b *batch) {
	c, a := r.calls, &r.arrays
	rowAt, slotOf := make([]int64, len(b.nodes)), make([]int32, r.layout.nodes)
	next := int64(0)
	for i, v := range b.nodes {
		first, end := r.flat.Core(v)
		rowAt[i], slotOf[v] = next, int32(i)
		next += int64(end - first)
	}
	c.Do(func() error { return c.Device.CopyIn(a.sources, gpu.Bytes(b.nodes)) })
	c.Do(func() error { return c.Device.CopyIn(a.rowAt, gpu.Bytes(rowAt)) })
	c.Do(func() error { return c.Device.CopyIn(a.slotOf, gpu.Bytes(slotOf)) })
	c.Clear(a.failed, 4*int64(len(b.nodes)))
}

// chunks calls run for consecutive ranges of count things.
func (r *run) chunks(count int, progress func(done int), run func(first, last int)) {
	c := r.calls
	c.Do(func() error {
		return device.Chunks(c, count, r.layout.blocks, progress, func(first, count int) error {
			run(first, first+count)
			return c.Err
		})
	})
}

// progress reports how many searches and backward passes are done: every source has one of each.
func (r *run) progress(done int) {
	r.done = done
	r.job.Progress(done / 2)
}

// search launches a kernel that has a source per block.
func (r *run) search(kernel gpu.Kernel, first, last int) {
	r.calls.Launch(kernel, gpu.Shape{Grid: r.layout.blocks, Block: searchThreads}, r.args, int64(first), int64(last))
}

// back sends back what the sources in slots from to to demand; from begins an atom.
func (r *run) back(b *batch, from, to int) {
	before, atom, wave := r.done, atomRounds*r.layout.blocks, demandRows*r.layout.blocks
	r.chunks(to-from, func(done int) { r.progress(before + done) }, func(first, last int) {
		for first, last := from+first, from+last; first < last; {
			r.enter(b.firstAtom + first/atom)
			next := min(first+wave, last, (first/atom+1)*atom)
			shape := gpu.Shape{Grid: r.layout.blocks, Block: demandThreads}
			r.calls.Launch(r.number.demand, shape, r.args, int64(first), int64(next))
			r.search(r.number.backward, first, next)
			first = next
		}
	})
}

// enter has the sums of blocks be those of an atom from now on.
func (r *run) enter(atom int) {
	if atom == r.atom {
		return
	}
	r.join()
	l, a := r.layout, &r.arrays
	r.calls.Clear(a.nodes, 8*l.nodes*int64(l.blocks))
	if l.arcs > 0 {
		r.calls.Clear(a.edges, 8*l.arcs*int64(l.blocks))
	}
	r.atom = atom
}

// join adds the sums of blocks to those of all atoms.
func (r *run) join() {
	if r.atom == noAtom {
		return
	}
	l, a, scale := r.layout, &r.arrays, r.sums.Nodes.Scale
	r.calls.AddBlocks(a.nodes, l.nodes, l.blocks, scale, a.passes)
	if l.arcs > 0 {
		r.calls.AddArcs(a.edges, &device.Graph{Arcs: l.arcs, Edges: a.links}, l.blocks, scale, a.through)
	}
	r.atom = noAtom
}
