package reduce

import (
	"cmp"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
)

// chainInMaking is a chain as it is walked.
type chainInMaking struct {
	nodes    []int32 // inner nodes, by node of the part
	edges    []int32
	at       []int64   // distance of the far end of each edge from the start
	pathsTo  []float64 // number of paths to the far end of each edge
	length   int64
	fine     []lengths.U128 // at, where lengths are rounded
	paths    float64
	multiple bool
}

func (c *chainInMaking) reset() {
	*c = chainInMaking{
		nodes: c.nodes[:0], edges: c.edges[:0], at: c.at[:0], fine: c.fine[:0], pathsTo: c.pathsTo[:0], paths: 1,
	}
}

// lengthen adds an arc to the chain at hand.
func (b *contraction) lengthen(a partArc) {
	c, mult := &b.chain, b.simple.times(a.edge)
	if b.simple.fine != nil {
		to := b.simple.fine[a.edge]
		if len(c.fine) > 0 {
			to = to.Plus(c.fine[len(c.fine)-1])
		}
		c.fine = append(c.fine, to)
	}
	c.length += a.length
	c.paths *= float64(mult)
	c.multiple = c.multiple || mult > 1
	c.edges, c.at, c.pathsTo = append(c.edges, a.edge), append(c.at, c.length), append(c.pathsTo, c.paths)
}

// fineLength is the length where lengths are rounded, and 0 elsewhere.
func (c *chainInMaking) fineLength() lengths.U128 {
	if len(c.fine) == 0 {
		return lengths.U128{}
	}
	return c.fine[len(c.fine)-1]
}

// bundleKey is what identical nodes of degree 2 have in common.
type bundleKey struct {
	link       int32
	at, length int64
	ratio      float64
}

// addEdge adds an edge between nodes u and v of the part, or between twins that they stand for. All edges between
// classes of c and d nodes sum up to sqrt(c d) times as many paths as one has: see Core.Mult.
func (b *contraction) addEdge(u, v int32, arc partArc) {
	paths := float64(b.simple.times(arc.edge))
	if b.twins != nil {
		if edges := float64(b.twins.count[u]) * float64(b.twins.count[v]); edges > 1 {
			paths /= math.Sqrt(edges)
		}
	}
	link := b.link(b.index[u], b.index[v], arc.length, b.simple.fineOf(arc.edge), paths)
	b.back.direct = append(b.back.direct, directEdge{link, arc.edge, arc.length, paths})
}

// addChain adds a chain from branch node u to v to the core, as a link and for its inner nodes.
func (b *contraction) addChain(u, v int32, c *chainInMaking) {
	link := int32(-1)
	if u != v {
		link = b.link(u, v, c.length, c.fineLength(), c.paths)
	}
	k := len(c.nodes)
	m := member{link: link, paths: c.paths, nodes: b.ids.Take(k), edges: b.ids.Take(k + 1), weight: b.floats.Take(k + 1)}
	copy(m.edges, c.edges)
	for j, x := range c.nodes {
		m.nodes[j] = b.part.nodes[x]
		m.weight[j+1] = m.weight[j] + float64(b.part.omega[x])
	}
	b.info.Inner += int64(k)
	ratio := b.ratio(c)
	if k == 1 && link >= 0 && !b.options.NoBundles && b.bundled(link, c, ratio, m) {
		return
	}
	at := b.ints.Take(k)
	copy(at, c.at)
	b.made.Chains = append(b.made.Chains, cores.Chain{
		U: u, V: v, Length: c.length, At: at, Weight: m.weight, Ratio: ratio, Paths: c.paths, Members: 1,
	})
	b.back.chains = append(b.back.chains, []member{m})
	if fine := b.made.Fine; fine != nil {
		fine.Chains = append(fine.Chains, cores.FineChain{Length: c.fineLength(), At: slices.Clone(c.fine[:k])})
	}
}

// bundled adds a chain of one inner node to one that differs in its mass only. Where there is none, it expects the
// chain to become the next, and returns false.
func (b *contraction) bundled(link int32, c *chainInMaking, ratio []float64, m member) bool {
	next := int32(len(b.made.Chains))
	var t int32
	if c.length == 2 && ratio == nil {
		if t = b.plain[link]; t < 0 {
			b.plain[link] = next
			return false
		}
	} else {
		key := bundleKey{link, c.at[0], c.length, 1}
		if ratio != nil {
			key.ratio = ratio[0]
		}
		var ok bool
		if t, ok = b.bundles[key]; !ok {
			if b.bundles == nil {
				b.bundles = map[bundleKey]int32{}
			}
			b.bundles[key] = next
			return false
		}
	}
	b.bundle(t, m)
	b.info.Bundled++
	return true
}

func (b *contraction) ratio(c *chainInMaking) []float64 {
	if !c.multiple {
		return nil
	}
	r := b.floats.Take(len(c.nodes))
	for j := range r {
		r[j] = c.pathsTo[j] / (c.paths / c.pathsTo[j])
	}
	return r
}

// bundle adds to chain t one that differs in its mass only.
func (b *contraction) bundle(t int32, m member) {
	c := &b.made.Chains[t]
	c.Pairs += 2 * c.Mass() * m.weight[1]
	c.Weight = []float64{0, c.Mass() + m.weight[1]}
	c.Members++
	b.back.chains[t] = append(b.back.chains[t], m)
}

// link counts the paths of a chain, or an edge, with those of its link. All chains between two branch nodes are walked
// from the one that was met first, so the latest link of the other is theirs or belongs to another pair.
func (b *contraction) link(u, v int32, length int64, fine lengths.U128, paths float64) int32 {
	core, back := &b.made, &b.back
	l := b.lastOf[v]
	if l < 0 || b.sources[l] != u {
		l = int32(core.LinkCount)
		core.LinkCount++
		b.lastOf[v] = l
		b.sources, b.targets, b.plain = append(b.sources, u), append(b.targets, v), append(b.plain, -1)
		back.linkLength, core.Mult = append(back.linkLength, length), append(core.Mult, paths)
		if core.Fine != nil {
			core.Fine.Links = append(core.Fine.Links, fine)
		}
		return l
	}
	longer := cmp.Compare(length, back.linkLength[l])
	if core.Fine != nil {
		longer = fine.Compare(core.Fine.Links[l])
	}
	switch {
	case longer < 0:
		back.linkLength[l], core.Mult[l] = length, paths
		if core.Fine != nil {
			core.Fine.Links[l] = fine
		}
	case longer == 0:
		core.Mult[l] += paths
	}
	return l
}

// core finishes the core: its arcs in rows.
func (b *contraction) core() (cores.Core, wayBack) {
	c := b.made
	n := len(b.branch)
	c.Nodes, c.Omega = make([]int32, n), make([]float64, n)
	for i, v := range b.branch {
		c.Nodes[i], c.Omega[i] = b.part.nodes[v], float64(b.part.omega[v])
	}
	if b.twins != nil {
		b.nameTwins(&c)
	}
	next := make([]int32, n+2)
	for l := range c.LinkCount {
		next[b.sources[l]+2]++
		next[b.targets[l]+2]++
	}
	for v := range n {
		next[v+2] += next[v+1]
	}
	arcs := 2 * c.LinkCount
	c.Targets, c.Lengths, c.Links = make([]int32, arcs), make([]int64, arcs), make([]int32, arcs)
	put := func(u, v, link int32) {
		i := next[u+1]
		next[u+1]++
		c.Targets[i], c.Lengths[i], c.Links[i] = v, b.back.linkLength[link], link
	}
	for l := range int32(c.LinkCount) {
		put(b.sources[l], b.targets[l], l)
		put(b.targets[l], b.sources[l], l)
	}
	c.Offsets = next[:n+1]
	if !anyOver1(c.Mult) {
		c.Mult = nil
	}
	return c, b.back
}

func anyOver1(x []float64) bool {
	for _, y := range x {
		if y > 1 {
			return true
		}
	}
	return false
}
