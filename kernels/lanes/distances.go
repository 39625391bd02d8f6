package lanes

import (
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// distances are those of all lanes of a batch. A search finds them before it counts paths: a node is then counted once
// for nearly all lanes, however many distances these have.
type distances struct {
	graph  *layout
	kernel distanceKernel
	rows   []distanceRow
	queue  queue
	// touched are the nodes that some lane reaches, wanted these lanes, least the least of their distances.
	touched []int32
	wanted  []uint64
	least   []uint16
	limit   int // distances that are longer may be wrong
	total   int // of all distances
	// into and out have the lanes in which each arc is on a shortest path, by the arcs that enter nodes and those that
	// leave them.
	into, out []uint64
	// lowered is of the arcs of a node; near, lanes and edges are of some of them.
	lowered []uint16
	near    []int32
	lanes   []uint64
	edges   []int32
}

func newDistances(g *layout) *distances {
	n, most := len(g.nodes), int64(1)
	for v := range int32(n) {
		most = max(most, g.out.degree(v), g.in.degree(v))
	}
	d := &distances{
		graph: g, kernel: allDistanceKernels()[0], rows: make([]distanceRow, n), queue: newQueue(n),
		wanted: make([]uint64, n), least: make([]uint16, n), limit: unreached - 1 - g.out.longest(),
		lowered: make([]uint16, most), into: make([]uint64, len(g.in.targets)), out: make([]uint64, len(g.out.targets)),
		near: make([]int32, most+1), lanes: make([]uint64, most+1), edges: make([]int32, most+1),
	}
	for v := range d.rows {
		d.forget(int32(v))
	}
	return d
}

// forget has no lane reach v.
func (d *distances) forget(v int32) {
	for i := range d.rows[v] {
		d.rows[v][i] = unreached
	}
	d.wanted[v], d.least[v] = 0, none
}

// begin forgets the last batch.
func (d *distances) begin() {
	for _, v := range d.touched {
		d.forget(v)
	}
	d.queue.reset()
	d.touched, d.total = d.touched[:0], 0
}

// from adds the lanes that begin at a node.
func (d *distances) from(v int32, lanes uint64) {
	for ; lanes != 0; lanes &= lanes - 1 {
		d.rows[v][bits.TrailingZeros64(lanes)] = 0
	}
	d.queue.push(v, 0)
}

// find finds the distances. A node waits at the least distance that was lowered since it was last passed on, and is
// then passed on in all lanes. So it is passed on for each of its distances at most, and often for a few of them.
func (d *distances) find(stop *stopper.Stopper) error {
	for count := 0; ; count++ {
		if count%stopper.Every == 0 {
			if err := stop.Err(); err != nil {
				return err
			}
		}
		v, ok := d.queue.pop()
		if !ok {
			return nil
		}
		if d.least[v] == none {
			d.least[v], d.touched = 0, append(d.touched, v)
		}
		out := &d.graph.out
		row := out.row(v)
		d.kernel.relax(unsafe.SliceData(row), out.lengthsOf(v), len(row), &d.rows[0][0], &d.rows[v][0], &d.lowered[0])
		for k, u := range row {
			if key := d.lowered[k]; key < unreached {
				d.queue.push(u, key)
			}
		}
	}
}

// look notes which lanes reach each node, and returns those whose distances may be wrong.
func (d *distances) look() (wrong uint64) {
	for _, v := range d.touched {
		reached, beyond, least, total := d.kernel.look(&d.rows[v][0], d.limit)
		d.wanted[v], d.least[v] = reached, uint16(least)
		d.total += total
		wrong |= beyond
		d.tie(v, &d.graph.in, -1, d.into)
		d.tie(v, &d.graph.out, 0, d.out)
	}
	return wrong
}

// drop forgets some lanes.
func (d *distances) drop(lanes uint64) {
	for _, v := range d.touched {
		for m := lanes & d.wanted[v]; m != 0; m &= m - 1 {
			d.total -= int(d.rows[v][bits.TrailingZeros64(m)])
		}
		if d.wanted[v]&lanes != 0 {
			d.wanted[v] &^= lanes
			d.least[v] = d.leastAmong(v, d.wanted[v])
		}
	}
}

// tie finds the lanes in which each arc of a row of v is on a shortest path: a row that leaves v, or enters it if sign
// is -1 instead of 0.
func (d *distances) tie(v int32, a *arcs, sign int, masks []uint64) {
	row := a.row(v)
	d.kernel.same(unsafe.SliceData(row), a.lengthsOf(v), len(row), sign, &d.rows[0][0], &d.rows[v][0],
		unsafe.SliceData(masks[a.offsets[v]:]))
}

// leastOf returns the least distance of v in some lanes.
func (d *distances) leastOf(v int32, lanes uint64) uint16 {
	if lanes == d.wanted[v] {
		return d.least[v]
	}
	return d.leastAmong(v, lanes)
}

func (d *distances) leastAmong(v int32, lanes uint64) uint16 {
	least := int16(unreached)
	for ; lanes != 0; lanes &= lanes - 1 {
		least = min(least, d.rows[v][bits.TrailingZeros64(lanes)])
	}
	return uint16(least)
}

// pick returns the targets of those arcs of a row that have some lanes, and these lanes of each.
func (d *distances) pick(row []int32, masks []uint64, lanes uint64) (near []int32, found []uint64) {
	count := 0
	for k, u := range row {
		both := masks[k] & lanes
		d.near[count], d.lanes[count] = u, both // no branch: what there is none of is written over
		if both != 0 {
			count++
		}
	}
	return d.near[:count], d.lanes[:count]
}
