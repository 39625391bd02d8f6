package reduce

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// Reduced is a graph after reduction: what is left to search, and what is needed to lead the results back.
type Reduced struct {
	Info Info

	options Options
	cores   []cores.Core // what is left to search
	back    []wayBack    // of each core
	simple  *simple
	node    []float64 // by node of the graph: pairs that no core sees
	edge    []float64 // by edge of simple
	size    []int32   // by node of the graph: nodes of its component
	blocks  []block   // for FoldDistances, none before one that hangs from it
	// Of a plan with Options.MayDropChains:
	parts   []part  // of over one edge
	squares []int64 // as of planner
	// Of a plan that Reuse was called of, by core:
	store *reuse.Store
	keys  []reuse.Key
	known [][]float64 // values of the flows that the store has; nil for others
}

// planner splits a graph into cores.
type planner struct {
	ctx     context.Context
	options *Options
	info    *Info
	simple  *simple
	size    []int32   // nodes in the component of each node
	squares []int64   // of each node: sum of the squares of the numbers of nodes on its sides
	node    []float64 // scores within solved cores
	edge    []float64
	local   []int32 // scratch of part: node -> node of the part, or -1
	link    []int32 // scratch of whole: edge -> link
	cores   []cores.Core
	back    []wayBack // of each core
	blocks  []block
	parts   []part
	floats  pieces.Arena[float64]
	ints    pieces.Arena[int64]
	ids     pieces.Arena[int32]
	// contraction of the part at hand.
	contraction *contraction
}

// New reduces an undirected graph in time O(n + m). The context stops it; its error is the context's, or an ErrOptions.
func New(ctx context.Context, g *export.Graph, o Options) (*Reduced, error) {
	if err := o.check(g); err != nil {
		return nil, err
	}
	if o.Distances {
		o.NoTrees, o.NoChains = true, true
	}
	o.NoBundles = o.NoBundles || o.Fine != nil
	r := &Reduced{options: o}
	var size []int32
	var wait sync.WaitGroup
	wait.Go(func() { size = components(ctx, g) })
	s := newSimple(ctx, g, &o)
	wait.Wait()
	p := &planner{
		ctx: ctx, options: &r.options, info: &r.Info, simple: s,
		squares: make([]int64, g.N()), node: make([]float64, g.N()), edge: make([]float64, s.edges),
		local: slices.Repeat([]int32{-1}, g.N()),
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	p.size = size
	f := p.fold()
	if err := p.split(f); err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // a part may have been left half done
		return nil, context.Cause(ctx)
	}
	r.simple, r.node, r.edge, r.cores, r.back = s, p.node, p.edge, p.cores, p.back
	r.size, r.blocks = p.size, p.blocks
	if o.MayDropChains {
		r.parts, r.squares = p.parts, p.squares
	}
	p.count(g)
	p.sides()
	return r, nil
}

// DropChains returns the plan that New makes with NoChains and NoBundles and is otherwise the same. It needs a plan
// that was made with MayDropChains and for betweenness, and takes the time of laying out its blocks. The context stops
// it; its error is the context's, or an ErrOptions.
func (r *Reduced) DropChains(ctx context.Context) (*Reduced, error) {
	if !r.options.MayDropChains || r.options.Distances {
		return nil, fmt.Errorf("%w: a plan that was not made to drop its chains", ErrOptions)
	}
	out := &Reduced{Info: r.Info, options: r.options, simple: r.simple, size: r.size}
	out.node, out.edge = make([]float64, len(r.node)), slices.Clone(r.edge)
	out.options.NoChains, out.options.NoBundles, out.options.MayDropChains = true, true, false
	p := &planner{
		options: &out.options, info: &out.Info, simple: r.simple, size: r.size, squares: r.squares,
		node: out.node, local: slices.Repeat([]int32{-1}, len(r.node)),
		cores: slices.Grow([]cores.Core(nil), len(r.parts)), back: slices.Grow([]wayBack(nil), len(r.parts)),
	}
	for k := range r.parts {
		t := &r.parts[k]
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for i, v := range t.nodes {
			p.local[v] = int32(i)
		}
		for _, arc := range t.arcs {
			out.edge[r.simple.edge[arc]] = 0 // what a cycle or twins scored
		}
		p.add(p.whole(t))
		p.forget(t)
	}
	i := &out.Info
	i.Cycles, i.Branch, i.Links, i.Chains, i.Inner, i.Bundled, i.Merged = 0, 0, 0, 0, 0, 0, 0
	p.countCores()
	p.sides()
	out.cores, out.back = p.cores, p.back
	return out, nil
}

// side tells that so many nodes lie beyond v on one of its sides: paths among them do not pass v.
func (p *planner) side(v int32, nodes int64) { p.squares[v] += nodes * nodes }

// sides adds the pairs whose ends lie on different sides of a node.
func (p *planner) sides() {
	for v, squares := range p.squares {
		others := int64(p.size[v]) - 1
		p.node[v] += float64((others*others - squares) / 2)
		if p.options.Endpoints {
			p.node[v] += float64(others)
		}
	}
}

func (p *planner) count(g *export.Graph) {
	i := p.info
	i.Nodes, i.Edges = int64(g.N()), int64(g.M())
	for _, size := range p.size {
		i.Pairs += int64(size) - 1
	}
	i.Loops = p.simple.loops / 2 // two arcs each
	i.Parallel = i.Edges - i.Loops - int64(p.simple.edges)
	p.countCores()
}

// countCores counts what is in the cores.
func (p *planner) countCores() {
	i := p.info
	i.Cores = int64(len(p.cores))
	var searched, paired, blocks float64
	for k := range p.cores {
		c := &p.cores[k]
		n, links, chains := len(c.Nodes), c.LinkCount, len(c.Chains)
		i.Branch, i.Links, i.Chains = i.Branch+int64(n), i.Links+int64(links), i.Chains+int64(chains)
		searched += float64(n) * float64(links)
		paired += float64(chains) * float64(n+chains)
		nodes, edges := p.back[k].uncontracted(n)
		blocks += float64(nodes) * float64(edges)
	}
	if all := float64(i.Nodes) * float64(i.Edges); all > 0 {
		i.SearchRatio, i.DemandRatio, i.BlockRatio = searched/all, paired/all, blocks/all
	}
}
