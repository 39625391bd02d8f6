package reduce

import (
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
)

// Reuse takes the flows that the store knows of cores, which SearchPart then leaves out: they have the bits of a
// search. It is called once, before the search.
func (r *Reduced) Reuse(store *reuse.Store) reuse.Amount {
	return r.match(store, cores.Keys(r.cores, r.mass(), r.options.solving()))
}

// ReuseInUnion is Reuse for an engine that searches the Union of what is not known by one of its ways, and adds up in
// words of a scale. edges reports whether it has sums of edges.
func (r *Reduced) ReuseInUnion(store *reuse.Store, by int, scale exact.Scale, edges bool) reuse.Amount {
	return r.match(store, cores.UnionKeys(r.cores, by, scale, edges))
}

// match takes the flows that the store has under the keys of the cores.
func (r *Reduced) match(store *reuse.Store, keys []reuse.Key) reuse.Amount {
	r.store, r.keys = store, keys
	r.known = make([][]float64, len(r.cores))
	found := reuse.Tally{Of: "block"}
	for i := range r.cores {
		c := &r.cores[i]
		values, ok := store.Find(r.keys[i])
		if ok = ok && c.Fits(values); ok {
			r.known[i] = values
		}
		found.Add(ok, float64(c.LinkCount), workOf(c))
	}
	return found.Amount()
}

// workOf is what a search from every node of a core costs, in arcs.
func workOf(c *cores.Core) float64 {
	return float64(len(c.Nodes)+len(c.Chains)) * float64(c.LinkCount+len(c.Chains))
}

// KeepFlows gives the flows of all cores to the store of Reuse, for the next run. Without a store it does nothing.
func (r *Reduced) KeepFlows(flows Flows) {
	for i, key := range r.keys {
		values := r.known[i]
		if values == nil {
			values = flows[i].Values()
		}
		r.store.Keep(reuse.Part{Key: key, Values: values, Work: workOf(&r.cores[i])})
	}
}

// mass is the greatest number of nodes of a component.
func (r *Reduced) mass() float64 {
	most := int32(1)
	for _, size := range r.size {
		most = max(most, size)
	}
	return float64(most)
}

// solving is what cores.Solve is to do.
func (r *Reduced) solving() cores.Options {
	o := r.options.solving()
	o.Known = r.known
	return o
}
