package order

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// farAway is the distance of nodes that are as far or farther from a landmark, or do not reach it.
const farAway = 255

// hopsTo are the hops from each node along its arcs to each of landmarks nodes, landmarks bytes a node.
type hopsTo []uint8

func (d hopsTo) of(v int32) []uint8 { return d[int(v)*Landmarks : (int(v)+1)*Landmarks] }

// distancesTo searches from all of up to landmarks different ends at a time, a bit an end, against the arcs.
func distancesTo(g rows, ends []int32) hopsTo {
	n := int(g.n())
	out := hopsTo(make([]uint8, n*Landmarks))
	inparts.Do(n, func(first, last int) {
		for i := first * Landmarks; i < last*Landmarks; i++ {
			out[i] = farAway
		}
	})
	seen, now, then := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i, v := range ends {
		seen[v] |= 1 << i
		now[v] |= 1 << i
		out.of(v)[i] = 0
	}
	all := uint64(1)<<(len(ends)-1)<<1 - 1
	for level, found := uint8(1), true; found && level < farAway; level++ {
		found = shareOut(n, n+len(g.targets), func(lo, hi int) bool {
			any := false
			for v := int32(lo); v < int32(hi); v++ {
				open := all &^ seen[v]
				then[v] = reached(g.row(v), now, open)
				seen[v] |= then[v]
				for x := then[v]; x != 0; x &= x - 1 {
					out.of(v)[bits.TrailingZeros64(x)] = level
					any = true
				}
			}
			return any
		})
		now, then = then, now
	}
	return out
}

// reached are those of the bits `open` that some node of the row has.
func reached(row []int32, masks []uint64, open uint64) uint64 {
	var x uint64
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

// byDistances returns the nodes such that those in a run are about as far as one another from wherever paths lead through: parts
// are split by the distance to the hub for which it varies most, down to leaf nodes. Within these they are in the given order.
func byDistances(to hopsTo, order []int32, leaf int) []int32 {
	s := splitting{leaf: leaf, distances: to, order: slices.Clone(order), spare: make([]int32, len(order))}
	s.split(0, len(order))
	s.threads.Wait()
	return s.order
}

// splitting is byDistances at work.
type splitting struct {
	leaf         int
	distances    hopsTo
	order, spare []int32
	threads      sync.WaitGroup
}

// split orders a range of the order.
func (s *splitting) split(lo, hi int) {
	if hi-lo <= s.leaf {
		return
	}
	which, ok := s.widest(s.order[lo:hi])
	if !ok {
		return
	}
	first := lo
	for _, end := range s.sort(lo, hi, which) {
		from := first
		if first = end; end-from > splitApart {
			s.threads.Go(func() { s.split(from, end) })
		} else {
			s.split(from, end)
		}
	}
}

// sort sorts a range of the order by the distances to a hub, where nodes at the same distance stay as they are. It returns where
// those at each distance end.
func (s *splitting) sort(lo, hi, which int) (ends [farAway + 1]int) {
	const length = 8 * splitApart
	parts := make([][farAway + 1]int, (hi-lo+length-1)/length) // of the range, how many of its nodes are at each distance
	part := func(first int) *[farAway + 1]int { return &parts[first/length] }
	each := func(do func(first int, nodes []int32)) {
		inparts.On(runtime.GOMAXPROCS(0), length, hi-lo, func(_, first, last int) {
			for ; first < last; first += length {
				do(first, s.order[lo+first:lo+min(first+length, last)])
			}
		})
	}
	each(func(first int, nodes []int32) {
		counts := part(first)
		for _, v := range nodes {
			counts[s.distances.of(v)[which]]++
		}
	})
	at := lo
	for d := range ends {
		for i := range parts {
			parts[i][d], at = at, at+parts[i][d]
		}
		ends[d] = at
	}
	each(func(first int, nodes []int32) {
		next := part(first)
		for _, v := range nodes {
			d := s.distances.of(v)[which]
			s.spare[next[d]] = v
			next[d]++
		}
	})
	each(func(first int, nodes []int32) { copy(nodes, s.spare[lo+first:]) })
	return ends
}

// widest returns the hub to which the distances of the nodes vary most, in a sample of them; false where they are all the same.
func (s *splitting) widest(nodes []int32) (int, bool) {
	var sums, squares [hubs]int
	step := max(1, len(nodes)/splitSample)
	count := 0
	for i := 0; i < len(nodes); i += step {
		count++
		for l, d := range s.distances.of(nodes[i])[:hubs] {
			sums[l] += int(d)
			squares[l] += int(d) * int(d)
		}
	}
	best, most := 0, 0
	for l := range sums {
		if variance := count*squares[l] - sums[l]*sums[l]; variance > most {
			best, most = l, variance
		}
	}
	return best, most > 0
}

// levelsIn returns at how many levels a probe is reached from the sources of a batch of so many lanes, in the mean of all probes and some batches.
func levelsIn(to hopsTo, order []int32, lanes int) float64 {
	lanes = min(lanes, len(order))
	batches := len(order) / lanes
	levels, step := 0, max(1, batches/probedBatches)
	for b := 0; b < batches; b += step {
		var at [Landmarks - hubs][4]uint64
		for _, v := range order[b*lanes : (b+1)*lanes] {
			for l, d := range to.of(v)[hubs:] {
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
	return float64(levels) / float64((Landmarks-hubs)*((batches+step-1)/step))
}

// landmarksOf are the hubs, nodes of the longest rows, and then the probes, which are all over the graph. There are more nodes than those.
func landmarksOf(g rows) []int32 {
	out := byDegree(g)[:hubs:hubs]
	for i := range int64(Landmarks - hubs) {
		out = append(out, int32(i*int64(g.n())/(Landmarks-hubs)))
	}
	return out
}
