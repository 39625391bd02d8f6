package order

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// farAway is the distance of sources that are as far or farther from an end, or do not reach it.
const farAway = 255

// endsOf are the nodes by the distances to which sources make batches, given all nodes by falling degree: hubs, and
// then probes, which are all over the graph.
func endsOf(degrees []int32) []int32 {
	if len(degrees) == 0 {
		return nil
	}
	out := make([]int32, 0, Ends)
	for i := range hubs {
		out = append(out, degrees[min(i, len(degrees)-1)])
	}
	for i := range Ends - hubs {
		out = append(out, int32(i*len(degrees)/(Ends-hubs)))
	}
	return out
}

// Alike returns the sources in an order in which those of a batch of so many lanes are alike, given their hops to the
// ends, as HopsTo has them. If they come in an order of neighbours (areNear), both orders are compared, and they stay
// as they are unless the new one has a probe at fewer levels of a batch. Without hubs that paths lead through it does
// not.
func Alike(hops []uint8, sources []int32, lanes int, areNear bool) []int32 {
	out := byDistances(hops)
	if s := (&splitting{hops: hops}); areNear && s.levelsIn(upTo(len(out)), lanes) <= s.levelsIn(out, lanes) {
		return sources
	}
	for i, place := range out {
		out[i] = sources[place]
	}
	return out
}

// HopsTo returns the hops from each source along arcs to each of the ends, Ends bytes a source. It searches from all
// ends at a time, a bit an end, against the arcs.
func HopsTo(of *export.Graph, ends, sources []int32) []uint8 {
	g, n := rows{of.Offsets, of.Targets}, of.N()
	out := slices.Repeat([]uint8{farAway}, len(sources)*Ends)
	seen, now, then := make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for i, v := range ends {
		seen[v] |= 1 << i
		now[v] |= 1 << i
	}
	for level, found := uint8(0), true; found && level < farAway; level++ {
		inparts.Do(len(sources), func(first, last int) {
			for i := first; i < last; i++ {
				for x := now[sources[i]]; x != 0; x &= x - 1 {
					out[i*Ends+bits.TrailingZeros32(x)] = level
				}
			}
		})
		found = shareOut(n, n+len(g.targets), func(lo, hi int) bool {
			any := false
			for v := int32(lo); v < int32(hi); v++ {
				then[v] = reached(g.row(v), now, ^seen[v])
				seen[v] |= then[v]
				any = any || then[v] != 0
			}
			return any
		})
		now, then = then, now
	}
	return out
}

// reached are those of the bits `open` that some node of the row has.
func reached(row []int32, masks []uint32, open uint32) uint32 {
	var x uint32
	for _, w := range row {
		if x&open == open {
			break
		}
		x |= masks[w]
	}
	return x & open
}

// shareOut has threads run ranges of 0 to n, which take so much work, and says whether any of them returned true.
func shareOut(n, work int, run func(lo, hi int) bool) bool {
	var some atomic.Bool
	var threads sync.WaitGroup
	parts := min(runtime.GOMAXPROCS(0)*4, work/(4*splitApart)+1)
	for i := range parts {
		threads.Go(func() {
			if run(i*n/parts, (i+1)*n/parts) {
				some.Store(true)
			}
		})
	}
	threads.Wait()
	return some.Load()
}

// byDistances orders sources such that those in a run are about as far as one another from wherever paths lead through:
// parts are split by the distance to the hub for which it varies most. It returns the places that the sources had.
func byDistances(hops []uint8) []int32 {
	s := splitting{hops: hops, order: upTo(len(hops) / Ends), spare: make([]int32, len(hops)/Ends)}
	s.split(0, len(s.order))
	s.threads.Wait()
	return s.order
}

// splitting is byDistances at work.
type splitting struct {
	hops         []uint8
	order, spare []int32
	threads      sync.WaitGroup
}

// of are the hops from a source to the ends.
func (s *splitting) of(v int32) []uint8 { return s.hops[int(v)*Ends : (int(v)+1)*Ends] }

// split orders a range of the order.
func (s *splitting) split(lo, hi int) {
	if hi-lo <= splitLeaf {
		return
	}
	which, ok := s.widest(s.order[lo:hi])
	if !ok {
		return
	}
	first, ends := lo, s.sort(lo, hi, which)
	for d := range ends {
		from, end := first, ends[d]
		switch first = end; {
		case end-from > splitSources:
			s.threads.Go(func() { s.split(from, end) })
		case end-from > splitLeaf:
			s.split(from, end)
		}
	}
}

// sort sorts a range of the order by the distances to a hub, where sources at the same distance stay as they are. It
// returns where those at each distance end.
func (s *splitting) sort(lo, hi, which int) (ends [farAway + 1]int) {
	const length = 8 * splitApart
	if hi-lo <= length {
		s.count(s.order[lo:hi], which, &ends)
		at := lo
		for d, count := range ends {
			ends[d] = at
			at += count
		}
		s.place(s.order[lo:hi], which, &ends)
		copy(s.order[lo:hi], s.spare[lo:hi])
		return ends
	}
	// of the range, how many of its sources are at each distance
	parts := make([][farAway + 1]int, (hi-lo+length-1)/length)
	each := func(do func(part *[farAway + 1]int, first, last int)) {
		inparts.On(runtime.GOMAXPROCS(0), length, hi-lo, func(_, first, last int) {
			for ; first < last; first += length {
				do(&parts[first/length], lo+first, lo+min(first+length, last))
			}
		})
	}
	each(func(part *[farAway + 1]int, first, last int) { s.count(s.order[first:last], which, part) })
	at := lo
	for d := range ends {
		for i := range parts {
			parts[i][d], at = at, at+parts[i][d]
		}
		ends[d] = at
	}
	each(func(part *[farAway + 1]int, first, last int) { s.place(s.order[first:last], which, part) })
	each(func(_ *[farAway + 1]int, first, last int) { copy(s.order[first:last], s.spare[first:last]) })
	return ends
}

// count adds up how many of the sources are at each distance to a hub.
func (s *splitting) count(sources []int32, which int, at *[farAway + 1]int) {
	for _, v := range sources {
		at[s.hops[int(v)*Ends+which]]++
	}
}

// place puts the sources where those at their distance to a hub go next.
func (s *splitting) place(sources []int32, which int, next *[farAway + 1]int) {
	for _, v := range sources {
		d := s.hops[int(v)*Ends+which]
		s.spare[next[d]] = v
		next[d]++
	}
}

// widest returns the hub to which the distances of the sources vary most, in a sample of them; false where they are all
// the same.
func (s *splitting) widest(sources []int32) (int, bool) {
	var sums, squares [hubs]int32
	step := max(1, len(sources)/hubSample)
	count := int32(0)
	for i := 0; i < len(sources); i += step {
		count++
		for l, d := range (*[hubs]uint8)(s.of(sources[i])) {
			sums[l] += int32(d)
			squares[l] += int32(d) * int32(d)
		}
	}
	best, most := 0, int32(0)
	for l := range sums {
		if variance := count*squares[l] - sums[l]*sums[l]; variance > most {
			best, most = l, variance
		}
	}
	return best, most > 0
}

// levelsIn returns at how many levels a probe is reached from the sources of a batch of so many lanes, in the mean of
// all probes and some batches.
func (s *splitting) levelsIn(order []int32, lanes int) float64 {
	lanes = min(lanes, len(order))
	batches := len(order) / lanes
	levels, step := 0, max(1, batches/probedBatches)
	for b := 0; b < batches; b += step {
		var at [Ends - hubs][4]uint64
		for _, v := range order[b*lanes : (b+1)*lanes] {
			for l, d := range s.of(v)[hubs:] {
				at[l][d/64] |= 1 << (d % 64)
			}
		}
		for _, masks := range at {
			masks[farAway/64] &^= 1 << (farAway % 64)
			for _, x := range masks {
				levels += bits.OnesCount64(x)
			}
		}
	}
	return float64(levels) / float64((Ends-hubs)*((batches+step-1)/step))
}
