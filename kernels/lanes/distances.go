package lanes

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// distances are those of all lanes of a batch. A search finds them before it counts paths: a node is then counted once for
// nearly all lanes, however many distances these have.
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
	// lowered and masks are of the arcs of a node, near and edges of some of them.
	lowered []uint16
	masks   []uint64
	near    []int32
	edges   []int32
}

func newDistances(g *layout) *distances {
	n, most := len(g.nodes), int64(1)
	for v := range int32(n) {
		most = max(most, g.out.degree(v), g.in.degree(v))
	}
	d := &distances{
		graph: g, kernel: allDistanceKernels()[0], rows: make([]distanceRow, n), queue: newQueue(n), wanted: make([]uint64, n),
		least: make([]uint16, n), limit: unreached - 1 - g.out.longest(), lowered: make([]uint16, most), masks: make([]uint64, most),
		near: make([]int32, 0, most), edges: make([]int32, 0, most),
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

// find finds the distances. A node waits at the least distance that was lowered since it was last passed on, and is then
// passed on in all lanes. So it is passed on for each of its distances at most, and often for a few of them.
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
	}
	return wrong
}

// drop forgets some lanes.
func (d *distances) drop(lanes uint64) {
	for _, v := range d.touched {
		for m := lanes & d.wanted[v]; m != 0; m &= m - 1 {
			d.total -= int(d.rows[v][bits.TrailingZeros64(m)])
		}
		d.wanted[v] &^= lanes
	}
}

// tied finds the lanes of a mask in which each arc of a row of v is on a shortest path: a row that leaves v, or enters it if
// sign is -1 instead of 0.
func (d *distances) tied(v int32, a *arcs, sign int) (row []int32, masks []uint64) {
	row = a.row(v)
	d.kernel.same(unsafe.SliceData(row), a.lengthsOf(v), len(row), sign, &d.rows[0][0], &d.rows[v][0], &d.masks[0])
	return row, d.masks[:len(row)]
}

// byDistance finds distances, and counts the paths of a node in all lanes in which those of the nodes before it are counted.
// Nodes wait for that in the order of their least distance.
func (s *Search) byDistance() error {
	d, sources := s.distances, len(s.stack)
	d.begin()
	s.levels = append(s.levels, sources)
	for i, v := range s.stack {
		d.from(v, s.masks[i])
		s.level[v] = 0
	}
	if err := d.find(s.stop); err != nil {
		return err
	}
	if wrong := d.look(); wrong != 0 {
		d.drop(wrong)
		for m := wrong; m != 0; m &= m - 1 {
			s.most[bits.TrailingZeros64(m)] = math.Inf(1)
		}
	}
	for i, v := range s.stack[:sources] {
		s.follow(v, s.masks[i])
	}
	return s.settle()
}

// settle counts nodes until none waits.
func (s *Search) settle() error {
	for count := 0; ; count++ {
		if count%stopper.Every == 0 {
			if err := s.stop.Err(); err != nil {
				return err
			}
		}
		v, ok := s.distances.queue.pop()
		if !ok {
			s.levels = append(s.levels, len(s.stack))
			return nil
		}
		if ready := s.countTied(v); ready != 0 {
			s.stack, s.masks = append(s.stack, v), append(s.masks, ready)
			s.visited[v] |= ready
			s.follow(v, ready)
		}
	}
}

// countTied counts the paths to v in the lanes that are ready, which it returns.
func (s *Search) countTied(v int32) uint64 {
	d := s.distances
	row, masks := d.tied(v, &s.graph.in, -1)
	todo := d.wanted[v] &^ s.visited[v]
	ready := todo
	for k, u := range row {
		ready &^= masks[k] &^ s.visited[u]
	}
	if ready == 0 {
		return 0
	}
	near := d.near[:0]
	for k, u := range row {
		if both := masks[k] & ready; both != 0 {
			near, s.next[u] = append(near, u), both
		}
	}
	at, k := s.span(ready)
	return k.count(unsafe.SliceData(near), len(near), &s.next[0], ready, &s.rows[at], s.stride(), uint64(at),
		&s.rows[int(v)*s.width+at], &s.most[at])
}

// follow has those nodes wait to be counted that follow v in some lanes.
func (s *Search) follow(v int32, lanes uint64) {
	d := s.distances
	row, masks := d.tied(v, &s.graph.out, 0)
	for k, u := range row {
		if masks[k]&lanes&d.wanted[u]&^s.visited[u] != 0 {
			d.queue.push(u, d.least[u])
		}
	}
}

// backByDistance goes through the stack from its end.
func (s *Search) backByDistance() error {
	for i := len(s.stack) - 1; i >= 0; i-- {
		if i%stopper.Every == 0 {
			if err := s.stop.Err(); err != nil {
				return err
			}
		}
		if mask := s.masks[i]; mask != 0 {
			after, edges := s.after(s.stack[i], mask)
			s.passBack(s.stack[i], mask, after, edges, i < s.levels[1])
		}
	}
	s.sums.distance += s.graph.length(s.distances.total)
	return nil
}

// after returns where shortest-path arcs of some lanes lead from v, and the numbers of their edges if these are wanted.
func (s *Search) after(v int32, lanes uint64) (after, edges []int32) {
	d, a := s.distances, &s.graph.out
	row, masks := d.tied(v, a, 0)
	after, edges = d.near[:0], d.edges[:0]
	for k, u := range row {
		both := masks[k] & lanes & d.wanted[u]
		if both == 0 {
			continue
		}
		after, s.next[u] = append(after, u), both
		if a.edges != nil {
			edges = append(edges, a.edges[a.offsets[v]+int64(k)])
		}
	}
	return after, edges
}
