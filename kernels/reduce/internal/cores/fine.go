package cores

import (
	"sort"

	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Fine has the lengths of a core in ticks so fine that 62 bits do not hold them. Those of Core and Chain are rounded
// down to a multiple of a power of two of these. Searches compare rounded lengths, and fine ones where two sums of
// rounded lengths are no further apart than rounding may put them.
type Fine struct {
	Links  []lengths.U128 // of each link
	Chains []FineChain
}

// FineChain has the lengths of a chain.
type FineChain struct {
	Length lengths.U128
	At     []lengths.U128 // as in Chain
}

// RoundedPerNode is how many ticks rounding changes a comparison of two sums of lengths by, at most, for each node: one
// for each of two paths, and one for twice the distance of an inner node from the end of its chain. All arcs must be
// longer than twice that.
const RoundedPerNode = 3

func (f *Fine) hash(h *reuse.Hasher) {
	all := [][]lengths.U128{f.Links}
	for i := range f.Chains {
		all = append(all, []lengths.U128{f.Chains[i].Length}, f.Chains[i].At)
	}
	for _, some := range all {
		for _, x := range some {
			high, low := x.Words()
			h.Int(int64(high))
			h.Int(int64(low))
		}
	}
}

// slack is how far apart two sums of rounded lengths may be for rounding to hide which is longer; 0 where none is
// rounded.
func (c *Core) slack() int64 {
	if c.Fine == nil {
		return 0
	}
	nodes := len(c.Nodes)
	for i := range c.Chains {
		nodes += c.Chains[i].Inner()
	}
	return RoundedPerNode * int64(nodes)
}

// fineChain returns the fine lengths of a chain, or nil.
func (c *Core) fineChain(number int) *FineChain {
	if c.Fine == nil {
		return nil
	}
	return &c.Fine.Chains[number]
}

// reversed is the chain as seen from V.
func (f *FineChain) reversed() *FineChain {
	if f == nil {
		return nil
	}
	out := &FineChain{Length: f.Length, At: make([]lengths.U128, len(f.At))}
	for j, at := range f.At {
		out.At[len(f.At)-1-j] = f.Length.Minus(at)
	}
	return out
}

// finely finds the fine distances of a row. Every shortest path goes along arcs that are shortest, or nearly, by
// rounded lengths, and each of them is longer than all that rounding adds up to, so that the order of the row is right.
// Where it is to count, it counts the shortest paths again.
func (p *Problem[T]) finely(r *Row[T], count bool) []lengths.U128 {
	fine, links := make([]lengths.U128, p.nodes()), p.core.Fine.Links
	met := make([]bool, p.nodes())
	for _, v := range r.Order {
		for k := p.offsets[v]; k < p.offsets[v+1]; k++ {
			arc := &p.arcs[k]
			w := arc.to
			if r.Dist[w] <= r.Dist[v] || r.Dist[v]+arc.length > r.Dist[w]+p.slack {
				continue
			}
			to, longer := fine[v].Plus(links[p.core.Links[k]]), -1
			if met[w] {
				longer = to.Compare(fine[w])
			}
			if longer < 0 {
				fine[w], met[w] = to, true
			}
			switch {
			case !count || longer > 0:
			case longer < 0:
				r.Count[w] = r.Count[v] * arc.paths
			default:
				r.Count[w] += r.Count[v] * arc.paths
			}
		}
	}
	return fine
}

// countFinely counts the paths of a row in doubt.
func (p *Problem[T]) countFinely(r *Row[T]) {
	fine := p.finely(r, true)
	r.fine.Store(&fine)
}

// fineDist returns the fine distances of a row. Several goroutines may want them at a time: each finds the same.
func (p *Problem[T]) fineDist(r *Row[T]) []lengths.U128 {
	if known := r.fine.Load(); known != nil {
		return *known
	}
	fine := p.finely(r, false)
	r.fine.Store(&fine)
	return fine
}

// isShortest reports whether arc k, which leads from v to w or back, ends a shortest path from the source of a row to
// w.
func (p *Problem[T]) isShortest(r *Row[T], v, w, k int32) bool {
	if !r.doubt {
		return r.Dist[v]+p.arcs[k].length == r.Dist[w]
	}
	fine := p.fineDist(r)
	return fine[v].Plus(p.core.Fine.Links[p.core.Links[k]]) == fine[w]
}

// cutFinely is cut by fine lengths, for a node at these distances from a and b.
func (h *Half[T]) cutFinely(da, db lengths.U128, sa, sb count) cut {
	byB := h.fine.Length.Plus(db)
	byA := func(i int) lengths.U128 { return h.fine.At[i].Plus(h.fine.At[i]).Plus(da) }
	i := sort.Search(len(h.twice), func(i int) bool { return !byA(i).Less(byB) })
	if i == len(h.twice) || byA(i) != byB {
		return cut{i: i}
	}
	return h.tied(i, sa, sb)
}

// wayFinely is way by fine lengths, and returns the fine distance.
func (d *Demand[T]) wayFinely(h *Half[T], j, w int32) (way[T], lengths.U128) {
	ra, rb := d.ra, d.rb
	p := h.fine.At[j]
	da, db := p.Plus(d.p.fineDist(ra)[w]), h.fine.Length.Minus(p).Plus(d.p.fineDist(rb)[w])
	switch by := da.Compare(db); {
	case by < 0:
		return way[T]{paths: h.pathsByA(j, ra, w), byA: 1}, da
	case by > 0:
		return way[T]{paths: rb.paths(w)}, db
	}
	return h.wayByBoth(j, ra, rb, w), da
}
