package lanes

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// byDistance finds distances, and counts the paths of a node in all lanes in which those of the nodes before it are
// counted.
func (s *Search) byDistance() error {
	d := s.distances
	d.begin()
	s.levels = append(s.levels, len(s.stack))
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
	s.wait()
	return s.settle()
}

// wait has nodes wait to be counted, at the least of their distances. On deep graphs those wait that follow a counted
// one, so that a lane which had to wait catches up at once. On others that would take many visits of a node, and each
// node waits until all its lanes are counted.
func (s *Search) wait() {
	if s.graph.deep {
		for i, v := range s.stack {
			s.follow(v, s.masks[i])
		}
		return
	}
	for _, v := range s.distances.touched {
		s.waitAgain(v)
	}
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
		ready := s.countReady(v)
		if ready != 0 {
			s.stack, s.masks = append(s.stack, v), append(s.masks, ready)
			s.visited[v] |= ready
		}
		if s.graph.deep {
			s.follow(v, ready)
		} else {
			s.waitAgain(v)
		}
	}
}

// countReady counts the paths to v in the lanes that are ready, which it returns.
func (s *Search) countReady(v int32) uint64 {
	d, a := s.distances, &s.graph.in
	row, masks := a.row(v), d.into[a.offsets[v]:a.offsets[v+1]]
	ready := d.wanted[v] &^ s.visited[v]
	for k, u := range row {
		ready &^= masks[k] &^ s.visited[u]
	}
	if ready == 0 {
		return 0
	}
	near := s.marked(d.pick(row, masks, ready))
	at, k := s.span(ready)
	return k.count(unsafe.SliceData(near), len(near), &s.next[0], ready, &s.rows[at], s.stride(), uint64(at),
		&s.rows[int(v)*s.width+at], &s.most[at])
}

// follow has those nodes wait that follow v in some lanes.
func (s *Search) follow(v int32, lanes uint64) {
	d, a := s.distances, &s.graph.out
	masks := d.out[a.offsets[v]:a.offsets[v+1]]
	for k, u := range a.row(v) {
		if masks[k]&lanes&d.wanted[u]&^s.visited[u] != 0 {
			d.queue.push(u, d.least[u])
		}
	}
}

// waitAgain has v wait for the lanes that are not counted.
func (s *Search) waitAgain(v int32) {
	d := s.distances
	if left := d.wanted[v] &^ s.visited[v]; left != 0 {
		d.queue.push(v, d.leastOf(v, left))
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
	masks := d.out[a.offsets[v]:a.offsets[v+1]]
	if a.edges != nil {
		edges = d.edges[:0]
		for k, e := range a.edgesOf(v) {
			if masks[k]&lanes != 0 {
				edges = append(edges, e)
			}
		}
	}
	return s.marked(d.pick(a.row(v), masks, lanes)), edges
}

// marked sets the masks of next at some nodes, which it returns.
func (s *Search) marked(nodes []int32, masks []uint64) []int32 {
	for i, u := range nodes {
		s.next[u] = masks[i]
	}
	return nodes
}
