package chains

import (
	"errors"

	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// Partial is what searches from some of the branch nodes add up to. Partial results of one run are joined in any order
// and any grouping, with the same bits.
type Partial struct {
	// Passes and Through are over ordered pairs: what passes each branch node, and each link from end to end.
	Passes, Through *exact.Sums
	// Hist and Peers are the bins of all chains: see reduce.ChainFlow. Peers is nil where no chain has members.
	Hist, Peers *exact.Sums
	// EdgeWithin and NodeWithin are by bins, too. The branch node at which a chain starts has them complete.
	EdgeWithin, NodeWithin []float64
}

// NewPartial returns the partial result of no source.
func NewPartial(f *reduce.Flat) *Partial {
	mass := float64(f.Most)
	scale, bins := exact.For(8*mass*mass, 4*int64(len(f.Omega)+1)), binScale(f)
	p := &Partial{
		Passes: exact.NewSums(len(f.Omega), scale), Through: exact.NewSums(f.LinkCount, scale),
		Hist:       exact.NewSums(f.Bins(), bins),
		EdgeWithin: make([]float64, f.Bins()), NodeWithin: make([]float64, f.Bins()),
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

// errOther is the error of partial results that do not belong together.
var errOther = errors.New("partial results of different runs cannot be joined")

// Join adds another partial result of the same run.
func (p *Partial) Join(q *Partial) error {
	pairs := [][2]*exact.Sums{{p.Passes, q.Passes}, {p.Through, q.Through}, {p.Hist, q.Hist}, {p.Peers, q.Peers}}
	for _, x := range pairs {
		if !alike(x[0], x[1]) {
			return errOther
		}
	}
	if len(p.EdgeWithin) != len(q.EdgeWithin) || len(p.NodeWithin) != len(q.NodeWithin) {
		return errOther
	}
	for _, x := range pairs {
		if x[0] != nil {
			x[0].Join(x[1])
		}
	}
	for i := range q.EdgeWithin { // one of the two is 0
		p.EdgeWithin[i] += q.EdgeWithin[i]
		p.NodeWithin[i] += q.NodeWithin[i]
	}
	return nil
}

func alike(a, b *exact.Sums) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Scale == b.Scale && len(a.Words) == len(b.Words)
}

// sums returns the sums as Flat.Unflatten takes them.
func (p *Partial) sums() reduce.Sums {
	s := reduce.Sums{Passes: p.Passes.Values(), Through: p.Through.Values(), Hist: p.Hist.Values()}
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
