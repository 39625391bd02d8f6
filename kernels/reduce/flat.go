package reduce

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// Flat is all cores side by side in arrays, as a device takes them, with distances in 32 bits. Nodes, links and chains
// are counted over all cores; where a field says "in the core", from the first of its core.
//
// The device computes what Search does: from every node a row of distances and path counts, the demand
// (docs/design/reductions.md) and a backward pass. Unflatten leads its sums back.
type Flat struct {
	// FirstNode and FirstChain are the first of each core, and the number of all.
	FirstNode, FirstChain []int32
	CoreOf                []int32 // core of each node
	Omega                 []float64
	Offsets               []int64 // of the arcs of each node
	Targets               []int32 // of each arc, in the core
	Lengths               []int32
	Links                 []int32   // of each arc
	Mult                  []float64 // paths of each arc; nil when all are 1
	LinkCount             int
	Chains                []FlatChain
	// Twice is the doubled distance of each inner node from the U of its chain; Ratio as in Chain, nil when all are 1.
	Twice []int32
	Ratio []float64
	// Weight is as in Chain: those of chain t start at FirstInner + t.
	Weight []float64
	// Halves are the chains at each node, 2 * chain, plus 1 at its V; those of node v start at FirstHalf[v].
	FirstHalf, Halves []int32
	// Peers says that some chain has members.
	Peers bool
	// Most is the greatest number of nodes of a component.
	Most int64

	core []*cores.Core
}

// FlatChain is a chain of a Flat.
type FlatChain struct {
	U, V       int32 // in the core
	Length     int32
	FirstInner int32
	Inner      int32
	Unit       int32 // 1 when inner node j is j away from U, counted from 1
	// Peers is what pairs of different members send each other, as a share of what such chains would; 0 without members.
	Peers float64
}

// Bins is the number of places of all histograms. Those of chain t start at its FirstInner + t.
func (f *Flat) Bins() int { return len(f.Weight) }

// Core returns the numbers of the nodes [first, end) of the core of node v.
func (f *Flat) Core(v int32) (first, end int32) {
	c := f.CoreOf[v]
	return f.FirstNode[c], f.FirstNode[c+1]
}

// Flatten lays out the cores. The error is the context's, or an ErrOptions: distances do not fit 32 bits.
func (r *Reduced) Flatten(ctx context.Context) (*Flat, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	f := &Flat{FirstNode: []int32{0}, FirstChain: []int32{0}, Offsets: []int64{0}}
	for i := range r.cores {
		c := &r.cores[i]
		fits := c.FitsInt32(stop.Stopped)
		if err := stop.Err(); err != nil {
			return nil, err
		}
		if !fits {
			return nil, fmt.Errorf("%w: distances of the reduced graph do not fit 32 bits", ErrOptions)
		}
		f.add(int32(i), c)
	}
	if !anyOver1(f.Mult) {
		f.Mult = nil
	}
	f.layHalves()
	for _, size := range r.size {
		f.Most = max(f.Most, int64(size))
	}
	return f, nil
}

func (f *Flat) add(number int32, c *cores.Core) {
	for v := range c.Nodes {
		f.CoreOf = append(f.CoreOf, number)
		f.Offsets = append(f.Offsets, int64(len(f.Targets))+int64(c.Offsets[v+1]-c.Offsets[0]))
	}
	f.Omega = append(f.Omega, c.Omega...)
	f.Targets = append(f.Targets, c.Targets...)
	for i, link := range c.Links {
		f.Lengths, f.Links = append(f.Lengths, int32(c.Length(i))), append(f.Links, int32(f.LinkCount)+link)
		f.Mult = append(f.Mult, c.Paths(link))
	}
	f.LinkCount += c.LinkCount
	for t := range c.Chains {
		f.addChain(&c.Chains[t])
	}
	f.FirstNode, f.FirstChain = append(f.FirstNode, int32(len(f.Omega))), append(f.FirstChain, int32(len(f.Chains)))
	f.core = append(f.core, c)
}

func (f *Flat) addChain(c *cores.Chain) {
	k := c.Inner()
	flat := FlatChain{U: c.U, V: c.V, Length: int32(c.Length), FirstInner: int32(len(f.Twice)), Inner: int32(k)}
	if c.Unit() {
		flat.Unit = 1
	}
	if c.Members > 1 {
		flat.Peers = c.Pairs / (c.Mass() * c.Mass())
		f.Peers = true
	}
	f.Chains = append(f.Chains, flat)
	if c.Ratio != nil && f.Ratio == nil {
		f.Ratio = ones(len(f.Twice))
	}
	for j, at := range c.At {
		f.Twice = append(f.Twice, int32(2*at))
		switch {
		case c.Ratio != nil:
			f.Ratio = append(f.Ratio, c.Ratio[j])
		case f.Ratio != nil:
			f.Ratio = append(f.Ratio, 1)
		}
	}
	f.Weight = append(f.Weight, c.Weight...)
}

func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// layHalves sorts the halves of the chains by the nodes they start from, those of one node by chain.
func (f *Flat) layHalves() {
	first := make([]int32, len(f.Omega)+2)
	each := func(do func(v, half int32)) {
		for core := range f.core {
			base := f.FirstNode[core]
			for t := f.FirstChain[core]; t < f.FirstChain[core+1]; t++ {
				do(base+f.Chains[t].U, 2*t)
				do(base+f.Chains[t].V, 2*t+1)
			}
		}
	}
	each(func(v, _ int32) { first[v+2]++ })
	for v := range f.Omega {
		first[v+2] += first[v+1]
	}
	f.Halves = make([]int32, 2*len(f.Chains))
	each(func(v, half int32) {
		f.Halves[first[v+1]] = half
		first[v+1]++
	})
	f.FirstHalf = first[:len(f.Omega)+1]
}

// Flows returns an empty flow for every core.
func (f *Flat) Flows() Flows {
	out := make(Flows, len(f.core))
	for i, c := range f.core {
		out[i] = c.NewFlow()
	}
	return out
}

// Paths is a number of shortest paths, Mantissa * 2^Exponent.
type Paths struct {
	Mantissa float64
	Exponent int32
}

// Scratch is memory for the calls of Round of one goroutine. The zero value is ready to use.
type Scratch struct{ lengths pieces.Arena[int64] }

// Round scores the pairs of inner nodes of chain t, if any, into its flow. It returns the demand of U for V, which is
// what goes round by both: where they are two nodes, it passes V. The ends are around apart, by the given number of
// paths. Goroutines may score different chains of the same flows at a time.
func (f *Flat) Round(flows Flows, t int32, around int32, paths Paths, free *Scratch) float64 {
	core := int32(0)
	if f.Chains[t].Inner < 2 {
		return 0
	}
	if len(f.core) > 1 {
		core = f.coreOfChain(t)
	}
	chain, into := &f.core[core].Chains[t-f.FirstChain[core]], &flows[core].Chains[t-f.FirstChain[core]]
	return chain.Round(int64(around), paths.Mantissa, paths.Exponent, into, &free.lengths)
}

func (f *Flat) coreOfChain(t int32) int32 {
	lo, hi := 0, len(f.core)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; f.FirstChain[mid] <= t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return int32(lo)
}

// Sums are what a device finds, by node, link and bin; Peers is nil without members.
type Sums struct{ Passes, Through, Hist, Peers []float64 }

// Unflatten adds the sums to the flows, one for each core.
func (f *Flat) Unflatten(flows Flows, s Sums) error {
	if len(s.Passes) != len(f.Omega) || len(s.Through) != f.LinkCount || len(s.Hist) != f.Bins() {
		return fmt.Errorf("%w: sums of %d nodes, %d links, %d bins for %d, %d, %d", ErrOptions,
			len(s.Passes), len(s.Through), len(s.Hist), len(f.Omega), f.LinkCount, f.Bins())
	}
	link := 0
	for i := range flows {
		flow, first := &flows[i], f.FirstChain[i]
		for v := range flow.Passes {
			flow.Passes[v] += s.Passes[int(f.FirstNode[i])+v]
		}
		link += copy(flow.Through, s.Through[link:])
		for t := range flow.Chains {
			bin := int(f.Chains[int(first)+t].FirstInner+first) + t
			copy(flow.Chains[t].Hist, s.Hist[bin:])
			if flow.Chains[t].Peers != nil {
				copy(flow.Chains[t].Peers, s.Peers[bin:])
			}
		}
	}
	return nil
}

// MassBits is the number of bits that hold every sum of masses of a component.
func (f *Flat) MassBits() int { return bits.Len64(uint64(f.Most)) }
