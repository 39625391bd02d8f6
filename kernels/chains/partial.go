package chains

import (
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// NewPartial returns the partial result of no branch node. Its Nodes and Edges are sums over ordered pairs: of what
// passes each branch node, and each link from end to end. Bins and Peers are those of all chains, see reduce.ChainFlow.
// Alone has EdgeWithin and then NodeWithin of all bins, which the branch node at which a chain starts has complete.
func NewPartial(f *reduce.Flat) *kernels.Partial {
	mass := float64(f.Most)
	scale, bins := exact.For(8*mass*mass, 4*int64(len(f.Omega)+1)), binScale(f)
	p := &kernels.Partial{
		Nodes: exact.NewSums(len(f.Omega), scale), Edges: exact.NewSums(f.LinkCount, scale),
		Bins: exact.NewSums(f.Bins(), bins), Alone: make([]float64, 2*f.Bins()),
	}
	if f.Peers {
		p.Peers = exact.NewSums(f.Bins(), bins)
	}
	return p
}

// binScale is that of Bins in demand.cuh: sums of masses fit 62 bits.
func binScale(f *reduce.Flat) exact.Scale {
	return exact.Scale{Unit: float64(int64(1) << (62 - f.MassBits())), Fine: binFine}
}

// binOf is the first bin of chain t.
func binOf(f *reduce.Flat, t int32) int { return int(f.Chains[t].FirstInner + t) }

// within returns the scores of the edges, and of the inner nodes, of all chains from pairs of their own.
func within(f *reduce.Flat, p *kernels.Partial) (edges, nodes []float64) {
	return p.Alone[:f.Bins()], p.Alone[f.Bins():]
}

// sums returns the sums as Flat.Unflatten takes them.
func sums(p *kernels.Partial) reduce.Sums {
	s := reduce.Sums{Passes: p.Nodes.Values(), Through: p.Edges.Values(), Hist: p.Bins.Values()}
	if p.Peers != nil {
		s.Peers = p.Peers.Values()
	}
	return s
}

// addTwice adds twice the scores of unordered pairs to sums over ordered ones; into is nil where they are not wanted.
func addTwice(into *exact.Sums, scores []float64) {
	if into == nil {
		return
	}
	for i, x := range scores {
		into.Add(i, 2*x)
	}
}
