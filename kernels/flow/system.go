package flow

import (
	"cmp"
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/double"
)

// system is the Laplacian of a block: L x = b, where b are the currents that enter at the nodes, and x their
// potentials. Its nodes have places, in the order in which the preconditioner eliminates them.
type system struct {
	block *block
	// at is the place of each node of the block.
	at []int32
	// mass is that of the node at each place.
	mass []float64
	// Row p of target, conductance and resistor has the resistors of the node at place p; resistor is the number in the
	// block.
	offsets     []int32
	target      []int32
	conductance []float64
	resistor    []int32
	// degree is the sum of each row's conductances.
	degree []float64
	// ends are the places of the ends of each resistor of the block.
	ends   [][2]int32
	strong []float64 // the conductance of each resistor of the block
	apart  bool      // the conductances lie more than farApart apart
	factor *factor
}

// farApart is by what factor the least and the greatest conductance differ for remainders to need twice the digits.
const farApart = 1000

// nodes is the number of nodes of the block.
func (s *system) nodes() int { return len(s.mass) }

// newSystem makes the system of a block. local is the place of each node of the network among those of the block.
func (r *Run) newSystem(ctx context.Context, b *block, local []int32) *system {
	w := r.network
	n := len(b.nodes)
	for i, v := range b.nodes {
		local[v] = int32(i)
	}
	s := &system{block: b, mass: make([]float64, n), ends: make([][2]int32, len(b.resistors)),
		strong: make([]float64, len(b.resistors))}
	for i, l := range b.resistors {
		s.ends[i] = [2]int32{local[w.resistors[l].from], local[w.resistors[l].to]}
		s.strong[i] = w.resistors[l].conductance
	}
	s.apart = slices.Max(s.strong) > farApart*slices.Min(s.strong)
	limit := r.limit(int64(n), int64(len(s.ends)))
	if s.factor, s.at = newExactFactor(ctx, n, s.ends, s.strong, limit, r.threads); s.factor == nil {
		s.factor, s.at = newApproximateFactor(n, s.ends, s.strong)
	}
	for i, m := range b.mass {
		s.mass[s.at[i]] = float64(m)
	}
	for i, e := range s.ends {
		s.ends[i] = [2]int32{s.at[e[0]], s.at[e[1]]}
	}
	s.fill(n)
	return s
}

// fill makes the rows, each in the order of places.
func (s *system) fill(n int) {
	type arc struct {
		from, to, resistor int32
	}
	arcs := make([]arc, 0, 2*len(s.ends))
	for i, e := range s.ends {
		arcs = append(arcs, arc{e[0], e[1], int32(i)}, arc{e[1], e[0], int32(i)})
	}
	slices.SortFunc(arcs, func(a, b arc) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	s.offsets, s.degree = make([]int32, n+1), make([]float64, n)
	s.target, s.conductance, s.resistor = make([]int32, len(arcs)), make([]float64, len(arcs)), make([]int32, len(arcs))
	for i, a := range arcs {
		s.offsets[a.from+1] = int32(i + 1)
		s.target[i], s.conductance[i], s.resistor[i] = a.to, s.strong[a.resistor], a.resistor
		s.degree[a.from] += s.strong[a.resistor]
	}
}

// subtractFinely computes out = b - L x with twice the digits of a float64.
func (s *system) subtractFinely(out, b, x []row) {
	for p := range x {
		own, high, low := &x[p], b[p], row{}
		for i := s.offsets[p]; i < s.offsets[p+1]; i++ {
			c, other := s.conductance[i], &x[s.target[i]]
			for k := range high {
				drop := double.Sum(other[k], -own[k])
				current := double.Product(c, drop.Hi)
				sum := double.Sum(high[k], current.Hi)
				high[k] = sum.Hi
				low[k] += sum.Lo + (current.Lo + c*drop.Lo)
			}
		}
		for k := range high {
			out[p][k] = high[k] + low[k]
		}
	}
}

// multiply computes out = L x, and in each lane the product of x and out.
func (s *system) multiply(out, x []row) (product row) {
	for p := range x {
		var sum row
		own := &x[p]
		for i := s.offsets[p]; i < s.offsets[p+1]; i++ {
			c, other := s.conductance[i], &x[s.target[i]]
			for k := range sum {
				sum[k] += c * (own[k] - other[k])
			}
		}
		out[p] = sum
		for k := range sum {
			product[k] += own[k] * sum[k]
		}
	}
	return product
}
