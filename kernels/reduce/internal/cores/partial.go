package cores

import (
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// Partial is what searches of parts of some cores add up to. Partial results are joined in any order and any grouping,
// with the same bits.
type Partial struct {
	// Passes and Through are exact sums of the fields of Flow, by branch node and by link of the large cores, which
	// several parts may share.
	Passes, Through *exact.Sums
	// Alone has what is complete in one part and 0 in others: the flows of small cores, and those of all chains.
	Alone []float64
}

// scaleOf returns the scale of the sums of the large ones of some cores. mass bounds what the nodes of a core stand
// for.
func scaleOf(all []Core, mass float64, o Options) exact.Scale {
	nodes := 0
	for i := range all {
		if c := &all[i]; !o.small(c) {
			nodes += len(c.Nodes)
		}
	}
	return exact.For(8*mass*mass, 4*int64(nodes+1))
}

// NewPartial returns the partial result of no part of some cores. mass bounds what the nodes of a core stand for.
func NewPartial(all []Core, mass float64, o Options) *Partial {
	nodes, links, alone := 0, 0, 0
	for i := range all {
		c := &all[i]
		if n, l := len(c.Nodes), c.LinkCount; o.small(c) {
			alone += n + l
		} else {
			nodes, links = nodes+n, links+l
		}
		alone += c.chainFlows()
	}
	scale := scaleOf(all, mass, o)
	return &Partial{exact.NewSums(nodes, scale), exact.NewSums(links, scale), make([]float64, alone)}
}

// inCore are the parts of a Partial that one core has. flow shares its memory with Alone; the Passes and Through of the
// flow of a large core are empty, and its passes and through begin at first.
type inCore struct {
	flow        Flow
	first, link int
}

// cut returns the parts of all cores.
func (p *Partial) cut(all []Core, o Options) []inCore {
	out, nodes, links := make([]inCore, len(all)), 0, 0
	rest := pieces.ArenaOf(p.Alone)
	for i := range all {
		c := &all[i]
		at := &out[i]
		if n, l := len(c.Nodes), c.LinkCount; o.small(c) {
			at.flow.Passes, at.flow.Through = rest.Take(n), rest.Take(l)
		} else {
			at.first, at.link = nodes, links
			nodes, links = nodes+n, links+l
		}
		at.flow.Chains = c.takeChains(&rest)
	}
	return out
}

// Flows returns the flows of all cores, which share memory with the partial result of all parts.
func (p *Partial) Flows(all []Core, o Options) []Flow {
	out, passes, through := make([]Flow, len(all)), p.Passes.Values(), p.Through.Values()
	for i, at := range p.cut(all, o) {
		out[i] = at.flow
		c := &all[i]
		if !o.small(c) {
			out[i].Passes, out[i].Through = passes[at.first:][:len(c.Nodes)], through[at.link:][:c.LinkCount]
		}
		if o.knows(i) {
			out[i] = c.FlowOf(o.Known[i])
		}
	}
	return out
}
