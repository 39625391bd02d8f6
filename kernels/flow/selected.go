package flow

import (
	"context"
	"fmt"
)

// selected are the effective resistances between each node and its neighbours when it was eliminated, from an exact
// factor. They come column by column, from the last one to the first, as in selected inversion (Takahashi, Fagan and
// Chin, "Formation of a sparse bus impedance matrix", 1973), but with resistances in place of the inverse.
//
// Let node p have the pivot d, and the share s_u in it of each neighbour u. Its potential is the mean of theirs by
// shares, plus 1/d for each unit of current that enters at p. So R_pu = 1/d + t_u - q, with t_u the sum of s_w R_uw
// over the neighbours w, and q the sum of s_u t_u / 2. All these R_uw are in columns after p. t_u is no more than R_pu
// times the number of neighbours plus 1, so the difference does not cancel far.
type selected struct {
	*system
	of []float64 // next to factor.share, for columns before the tail
	// square has all resistances in the tail, side places per row.
	square []float64
	side   int
	half   []float64 // q of each place
	mark   []int32   // where a place is in the column, counted from 1; 0 outside
	flow   []float64 // t of the column
	inTail []tailEntry
	// ofResistor is the resistance between the ends of each resistor.
	ofResistor []float64
}

// tailEntry is an entry of a column whose place is in the tail.
type tailEntry struct {
	i     int // in the column
	place int // in the tail
	share float64
}

func (s *system) selectResistances(ctx context.Context, threads int) (*selected, error) {
	n, f := s.nodes(), s.factor
	side := n - f.tail
	out := &selected{
		system: s, of: make([]float64, f.offsets[f.tail]), square: make([]float64, side*side), side: side,
		half: make([]float64, n), mark: make([]int32, n), flow: make([]float64, n), ofResistor: make([]float64, len(s.ends)),
	}
	for p := n - 2; p >= 0; p-- {
		if (p >= f.tail || p%256 == 0) && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if p >= f.tail {
			out.dense(p, threads)
		} else {
			out.sparse(p)
		}
	}
	return out, nil
}

// dense computes a column of the tail.
func (s *selected) dense(p, threads int) {
	share, i := s.factor.column(p), p-s.factor.tail
	flow := s.flow[:len(share)]
	split(len(share), len(share)*len(share), threads, func(part span) {
		for k := part.first; k < part.last; k++ {
			flow[k] = dot(share, s.square[(i+1+k)*s.side+i+1:])
		}
	})
	s.finish(p, flow)
	for k, r := range flow {
		s.square[i*s.side+i+1+k], s.square[(i+1+k)*s.side+i] = r, r
	}
	for a := s.offsets[p]; a < s.offsets[p+1]; a++ {
		if after := int(s.target[a]) - p; after > 0 {
			s.ofResistor[s.resistor[a]] = flow[after-1]
		}
	}
}

// sparse computes a column before the tail.
func (s *selected) sparse(p int) {
	first, last := s.factor.offsets[p], s.factor.offsets[p+1]
	below := s.factor.below[first:last]
	for i, u := range below {
		s.mark[u] = int32(i + 1)
	}
	flow := s.flow[:len(below)]
	s.weigh(p, flow)
	s.finish(p, flow)
	copy(s.of[first:last], flow)
	for a := s.offsets[p]; a < s.offsets[p+1]; a++ {
		if int(s.target[a]) > p {
			s.ofResistor[s.resistor[a]] = flow[s.mark[s.target[a]]-1]
		}
	}
	for _, u := range below {
		s.mark[u] = 0
	}
}

// weigh computes t for a column before the tail, each resistance taken from the earlier of its two columns.
func (s *selected) weigh(p int, flow []float64) {
	f, share := s.factor, s.factor.column(p)
	clear(flow)
	s.inTail = s.inTail[:0]
	for i, u := range f.below[f.offsets[p]:f.offsets[p+1]] {
		if int(u) >= f.tail {
			s.inTail = append(s.inTail, tailEntry{i, int(u) - f.tail, share[i]})
			continue
		}
		sum := 0.0
		for a := f.offsets[u]; a < f.offsets[u+1]; a++ {
			if k := s.mark[f.below[a]]; k > 0 {
				sum += share[k-1] * s.of[a]
				flow[k-1] += share[i] * s.of[a]
			}
		}
		flow[i] += sum
	}
	for _, a := range s.inTail {
		row, sum := s.square[a.place*s.side:(a.place+1)*s.side], 0.0
		for _, b := range s.inTail {
			sum += b.share * row[b.place]
		}
		flow[a.i] += sum
	}
}

// finish makes resistances of t.
func (s *selected) finish(p int, flow []float64) {
	s.half[p] = dot(s.factor.column(p), flow) / 2
	own := 1/s.factor.pivot[p] - s.half[p]
	for k := range flow {
		flow[k] += own
	}
}

// sums has, for each place, the sum of its resistances to all others, each times the mass there.
//
// A node that is eliminated hands its mass m on to its neighbours, by shares. That changes the sum of each node that is
// left by the same m (1/d - q), and so these make the sum of the last node. On the way back, with M the mass of all
// nodes, the sum of a node is the mean of the sums of its neighbours by shares, plus (M - 2m)/d - M q.
func (s *selected) sums() []float64 {
	f, last := s.factor, s.nodes()-1
	mass, sum, total := append([]float64(nil), s.mass...), make([]float64, last+1), 0.0
	for p, m := range mass {
		total += s.mass[p]
		for a := f.offsets[p]; a < f.offsets[p+1]; a++ {
			mass[f.below[a]] += m * f.share[a]
		}
	}
	for p := range last {
		sum[last] += mass[p] * (1/f.pivot[p] - s.half[p])
	}
	for p := last - 1; p >= 0; p-- {
		sum[p] = (total-2*mass[p])/f.pivot[p] - total*s.half[p]
		for a := f.offsets[p]; a < f.offsets[p+1]; a++ {
			sum[p] += f.share[a] * sum[f.below[a]]
		}
	}
	return sum
}

// probes is the number of resistors of a block whose resistance is solved for again: a row of them.
func probes(b *block) int { return min(lanes, len(b.resistors)) }

// probe solves for some resistances, which also measures the residual, and compares them.
func (c *crew) probe(ctx context.Context, ofResistor []float64) error {
	resistors := make([]int, probes(c.block))
	for i := range resistors {
		resistors[i] = i * len(c.ends) / len(resistors)
	}
	solved := make([]float64, len(resistors))
	err := c.each(ctx, load{count: len(resistors), fill: c.across(resistors)}, func(i int, _ *solver, found solution) {
		ends := c.ends[resistors[i]]
		solved[i] = found.drop(ends)
	})
	for i, l := range resistors {
		if off := max(ofResistor[l]-solved[i], solved[i]-ofResistor[l]); err == nil && !(off <= boundTolerance*solved[i]) {
			return fmt.Errorf("a resistance of %g is %g by another way; "+
				"weights this far apart cannot be solved: leave out the smallest, or the weights", ofResistor[l], solved[i])
		}
	}
	return err
}
