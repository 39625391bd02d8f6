package reduce

import (
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// maxPaths bounds the number of parallel paths along a chain; a longer one is cut at a branch node. With path counts
// under 2^600 (maxCount of the cores), no product of them and two chains' paths passes the range of float64.
const maxPaths = 0x1p100

// reduce scores a part at once if it can, or makes a core of it.
func (p *planner) reduce(t *part) {
	for i, v := range t.nodes {
		p.side(v, int64(p.size[v])-t.omega[i])
	}
	if p.options.Distances {
		p.blocks = append(p.blocks, p.blockOf(t))
	}
	if len(t.arcs) == 1 {
		p.edge[p.simple.edge[t.arcs[0]]] = float64(t.omega[0]) * float64(t.omega[1])
		p.info.Bridges++
		p.forget(t)
		return
	}
	if p.options.NoChains && !p.options.Distances { // searches for distances gain from an order by breadth
		p.add(p.whole(t))
		p.forget(t)
		return
	}
	if p.contraction == nil {
		p.contraction = &contraction{planner: p}
	}
	p.contraction.begin(t)
	p.contraction.run()
	p.forget(t)
	core, back := p.contraction.core()
	if len(core.Nodes) == 1 && len(core.Chains) == 1 {
		p.info.Cycles++
		flow := cores.SolveOne(&core)
		back.score(&core, &flow, p.simple, p.node, p.edge)
		return
	}
	p.add(core, back)
}

func (p *planner) add(c cores.Core, back wayBack) {
	p.cores, p.back = append(p.cores, c), append(p.back, back)
}

func (p *planner) forget(t *part) {
	for _, v := range t.nodes {
		p.local[v] = -1
	}
}

// contraction finds the branch nodes and chains of a part. Its slices are used for one part after the other.
type contraction struct {
	*planner
	part    *part
	offsets []int32
	arcs    []partArc
	used    []bool // by edge of the part: its chain is known from the other end
	branch  []int32
	index   []int32 // branch node of each node of the part, or -1
	inner   []bool
	chain   chainInMaking // at hand
	made    cores.Core
	back    wayBack             // of made
	lastOf  []int32             // by branch node: its latest link
	sources []int32             // by link: the lower end
	targets []int32             // by link: the higher end
	plain   []int32             // by link: its chain of one inner node in the middle of two edges of one hop, or -1
	bundles map[bundleKey]int32 // chain with one inner node of each other kind; made when needed
	twins   *twins              // of the part at hand; nil for none
	scratch twins
}

// partArc is an arc of a part; number is that of its edge in the part.
type partArc struct {
	to, number, edge int32
	length           int64
}

// begin starts on a part.
func (b *contraction) begin(t *part) {
	n, m := len(t.nodes), len(t.arcs)
	b.part, b.made, b.back, b.bundles = t, cores.Core{}, wayBack{}, nil
	if b.simple.fine != nil {
		b.made.Fine = &cores.Fine{}
	}
	b.offsets, b.arcs = pieces.Zeroed(b.offsets, n+2), pieces.Sized(b.arcs, 2*m)
	b.used, b.inner, b.index = pieces.Zeroed(b.used, m), pieces.Sized(b.inner, n), pieces.Sized(b.index, n)
	b.branch, b.lastOf = b.branch[:0], b.lastOf[:0]
	b.sources, b.targets, b.plain = b.sources[:0], b.targets[:0], b.plain[:0]
	// Offsets are shifted by one place while arcs are put, so that they end where they belong.
	local, target := b.local, b.simple.target
	for i, arc := range t.arcs {
		b.offsets[local[t.from[i]]+2]++
		b.offsets[local[target[arc]]+2]++
	}
	for v := range t.nodes {
		b.offsets[v+2] += b.offsets[v+1]
	}
	for i, arc := range t.arcs {
		u, v := local[t.from[i]], local[target[arc]]
		a := partArc{to: v, number: int32(i), edge: b.simple.edge[arc], length: b.simple.lengthOf(arc)}
		b.put(u, a)
		a.to = u
		b.put(v, a)
	}
}

func (b *contraction) put(v int32, a partArc) {
	b.arcs[b.offsets[v+1]] = a
	b.offsets[v+1]++
}

func (b *contraction) row(v int32) []partArc { return b.arcs[b.offsets[v]:b.offsets[v+1]] }

func (b *contraction) run() {
	first := int32(0) // stands for all of a cycle
	for v := range b.part.nodes {
		b.index[v] = -1
		b.inner[v] = !b.options.NoChains && len(b.row(int32(v))) == 2
		if !b.inner[v] {
			first = int32(v)
		}
	}
	if b.findTwins(); b.twins != nil {
		first = b.twins.class[first]
	}
	b.meet(first)
	edges := len(b.part.arcs)
	b.back.direct = make([]directEdge, 0, edges)
	b.back.linkLength, b.made.Mult = make([]int64, 0, edges), make([]float64, 0, edges)
	for i := 0; i < len(b.branch); i++ {
		if i%stopper.Every == 0 && b.ctx.Err() != nil {
			return // New reports it
		}
		u := b.branch[i]
		for v := u; v >= 0; v = b.twinOf(v) {
			for _, arc := range b.row(v) {
				if !b.used[arc.number] {
					b.walk(u, arc)
				}
			}
		}
	}
}

// meet makes v a branch node, unless it is one.
func (b *contraction) meet(v int32) {
	if b.index[v] >= 0 {
		return
	}
	b.inner[v] = false
	b.index[v] = int32(len(b.branch))
	b.branch = append(b.branch, v)
	b.lastOf = append(b.lastOf, -1)
}

// walk follows a chain from u, or one of its twins, to its other end.
func (b *contraction) walk(u int32, arc partArc) {
	if !b.inner[arc.to] {
		b.used[arc.number] = true
		to := arc.to
		if b.twins != nil {
			to = b.twins.class[to]
		}
		if to != u { // edges between twins have their score
			b.meet(to)
			b.addEdge(u, to, arc)
		}
		return
	}
	c := &b.chain
	c.reset()
	b.lengthen(arc)
	b.used[arc.number] = true
	for b.inner[arc.to] && c.paths <= maxPaths {
		x := arc.to
		c.nodes = append(c.nodes, x)
		arc = b.other(x, arc.number)
		b.lengthen(arc)
		b.used[arc.number] = true
	}
	b.meet(arc.to)
	b.addChain(b.index[u], b.index[arc.to], c)
}

// other returns the arc of a node of degree 2 that is not the numbered one.
func (b *contraction) other(x, number int32) partArc {
	row := b.row(x)
	if row[0].number == number {
		return row[1]
	}
	return row[0]
}
