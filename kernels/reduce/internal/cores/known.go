package cores

import (
	"slices"

	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// kind begins the key of every core. Its number goes up with every change after which a search of the same core may
// find other bits: TestFlowsKeepTheirBits fails then.
const kind = "flow of a core 1"

// Keys returns the hash of all that the flow of each core depends on: the core, but for the names of its nodes, and,
// for a core that several parts share, the scale of its sums. mass is as in NewPartial.
func Keys(all []Core, mass float64, o Options) []reuse.Key {
	keys, h, scale := make([]reuse.Key, len(all)), reuse.NewHasher(kind), scaleOf(all, mass, o)
	for i := range all {
		c := &all[i]
		if !o.small(c) {
			h.Float(scale.Unit)
			h.Float(scale.Fine)
		}
		c.hash(h)
		keys[i] = h.Key()
	}
	return keys
}

// inUnion begins the key of every core whose flow an engine finds in a union. See kind.
const inUnion = "flow of a core in a union 1"

// UnionKeys is Keys for an engine that searches all nodes of a union of cores by one of its ways, and adds up in words
// of a scale.
func UnionKeys(all []Core, by int, scale exact.Scale, edges bool) []reuse.Key {
	keys, h := make([]reuse.Key, len(all)), reuse.NewHasher(inUnion)
	for i := range all {
		h.Int(int64(by))
		h.Float(scale.Unit)
		h.Float(scale.Fine)
		if edges {
			h.Int(1)
		}
		all[i].hash(h)
		keys[i] = h.Key()
	}
	return keys
}

// hash hashes all fields but Nodes.
func (c *Core) hash(h *reuse.Hasher) {
	h.Floats(c.Omega)
	h.Int32s(c.Offsets)
	h.Int32s(c.Targets)
	h.Ints(c.Lengths)
	h.Int32s(c.Links)
	h.Floats(c.Mult)
	h.Int(int64(c.LinkCount))
	h.Int(int64(len(c.Chains)))
	for i := range c.Chains {
		c.Chains[i].hash(h)
	}
	if c.Fine != nil {
		c.Fine.hash(h)
	}
}

func (c *Chain) hash(h *reuse.Hasher) {
	h.Int(int64(c.U))
	h.Int(int64(c.V))
	h.Int(c.Length)
	h.Ints(c.At)
	h.Floats(c.Weight)
	h.Floats(c.Ratio)
	h.Float(c.Paths)
	h.Int(int64(c.Members))
	h.Float(c.Pairs)
}

// flowLength is how many numbers the flow of the core has.
func (c *Core) flowLength() int { return len(c.Nodes) + c.LinkCount + c.chainFlows() }

// Values returns all numbers of a flow, as Options.Known takes them.
func (f *Flow) Values() []float64 {
	out := slices.Concat(f.Passes, f.Through)
	for i := range f.Chains {
		t := &f.Chains[i]
		out = append(append(append(append(out, t.Hist...), t.Peers...), t.EdgeWithin...), t.NodeWithin...)
	}
	return out
}

// Fits reports whether a flow of the core has so many numbers.
func (c *Core) Fits(values []float64) bool { return values != nil && len(values) == c.flowLength() }

// FlowOf returns the flow that has these values, whose memory it shares.
func (c *Core) FlowOf(values []float64) Flow {
	floats := pieces.ArenaOf(values)
	return Flow{Passes: floats.Take(len(c.Nodes)), Through: floats.Take(c.LinkCount), Chains: c.takeChains(&floats)}
}
