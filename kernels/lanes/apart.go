package lanes

import "math/bits"

// Apart has the search keep what each node gets of each lane. Differences clears it.
func (s *Search) Apart() { s.apart = make([]float64, len(s.rows)) }

// ApartBytes is the memory that this takes for a graph of so many nodes and a batch of so many lanes.
func ApartBytes(nodes int64, lanes int) int64 { return 8 * nodes * int64(rowWidth(lanes)) }

// keep adds the dependencies on v to what it gets of the lanes.
func (s *Search) keep(v int32, mask uint64) {
	own := s.apart[int(v)*s.width:][:s.width]
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		own[i] += s.delta[i]
	}
}

// AddLane is Add for a lane that From has left.
func (s *Search) AddLane(lane int, nodes []float64) {
	for v, x := range nodes {
		s.apart[int(s.graph.places[v])*s.width+lane] = x
	}
	s.Add(nodes, nil)
}

// Differences adds, for each node, the squares by which each two lanes in turn differ in the last batch. Nodes are
// those of the graph.
func (s *Search) Differences(into []float64) {
	for _, v := range s.stack {
		sum, own := 0.0, s.apart[int(v)*s.width:][:s.width]
		for i := 0; i < len(own); i += 2 {
			d := own[i] - own[i+1]
			sum += d * d
		}
		clear(own) // a node may be on the stack more than once
		into[s.graph.nodes[v]] += sum
	}
}
