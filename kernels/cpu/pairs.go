package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/internal/wide"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// masses says how much the pairs of one source after another count. nil is a mass of 1 for every pair.
type masses struct {
	pairs *kernels.Pairs
	// source is the mass of the source at hand.
	source float64
	// targets has the mass of each node as a target. Of listed pairs it holds those of the source at hand, the nodes of which are
	// listed.
	targets []float64
	listed  []int32
}

// massesOf returns what makes the masses of each worker; they share what does not change.
func massesOf(n int, p *kernels.Pairs) func() *masses {
	if p == nil {
		return func() *masses { return nil }
	}
	if d := p.Demand; d != nil && d.Trips != nil {
		return func() *masses { return &masses{pairs: p, source: 1, targets: make([]float64, n)} }
	}
	targets := targetMasses(n, p)
	return func() *masses { return &masses{pairs: p, targets: targets} }
}

// targetMasses returns the mass of each node as a target: 0 for one that is not a target.
func targetMasses(n int, p *kernels.Pairs) []float64 {
	mass := func(int32) float64 { return 1 }
	if d := p.Demand; d != nil && d.Targets != nil {
		mass = func(v int32) float64 { return d.Targets[v] }
	}
	out := make([]float64, n)
	for _, v := range p.Targets {
		out[v] = mass(v)
	}
	if p.Targets == nil {
		for v := range int32(n) {
			out[v] = mass(v)
		}
	}
	return out
}

// from goes on to the pairs of a source. It reports whether some could count.
func (m *masses) from(s int32) bool {
	if m == nil {
		return true
	}
	d := m.pairs.Demand
	if d == nil || d.Trips == nil {
		m.source = 1
		if d != nil && d.Sources != nil {
			m.source = d.Sources[s]
		}
		return m.source > 0
	}
	for _, t := range m.listed {
		m.targets[t] = 0
	}
	first, last := d.Trips.Offsets[s], d.Trips.Offsets[s+1]
	m.listed = d.Trips.Targets[first:last]
	for i, t := range m.listed {
		m.targets[t] = d.Trips.Amounts[first+int64(i)]
	}
	return first < last
}

// of is how much the pair of the source at hand and a target counts.
func (m *masses) of(t int32) float64 {
	if m == nil {
		return 1
	}
	return m.source * m.targets[t]
}

// wide is of as a wide number.
func (m *masses) wide(t int32) wide.Number { return wide.Of(m.of(t)) }

// ofEdge is how much the source at hand counts for an edge from u to v: its mass, if one of the ends is a target.
func (m *masses) ofEdge(u, v int32) float64 {
	if m == nil {
		return 1
	}
	if m.targets[u] == 0 && m.targets[v] == 0 {
		return 0
	}
	return m.source
}

// count counts the pairs of one search.
func (m *masses) count(t *kernels.Totals, p *search.Paths, s search.Search) {
	if m == nil {
		countPairs(t, p, s)
		return
	}
	for _, v := range p.Order[1:] {
		mass := m.of(v)
		if mass == 0 {
			continue
		}
		d := s.Distance(v)
		t.Pairs++
		t.Distance += d
		t.Demand += mass
		t.DemandDistance += mass * d
	}
}

// pairWorker sums the dependencies of a chunk of sources on what their pairs count. It is Brandes' accumulation in which each
// target begins with the mass of its pair instead of 1.
type pairWorker struct {
	g            *export.Graph
	search       search.Search
	stop         *stopper.Stopper
	masses       *masses
	endpoints    bool
	share        []float64         // as dependencies have it
	wide         *wideDependencies // made when first needed
	nodes, edges []float64
	reach        reach
	totals       kernels.Totals
	into         *kernels.Partial
}

// addPairs sums over the ordered pairs that a request names, by a search from every source of a shard.
func addPairs(
	ctx context.Context, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths, into *kernels.Partial,
) error {
	newSearch, newMasses := search.Within(g, l, r.Pairs.Within), massesOf(g.N(), r.Pairs)
	return overShard(ctx, g.N(), chunkSize(r.SourceCount(g.N())), r, shard, func(stop *stopper.Stopper) worker {
		w := &pairWorker{
			g: g, search: newSearch(true, stop), stop: stop, masses: newMasses(), endpoints: r.Endpoints,
			share: make([]float64, g.N()), reach: newReach(g.N()), into: into,
		}
		if r.Nodes {
			w.nodes = make([]float64, g.N())
		}
		if r.Edges {
			w.edges = make([]float64, g.M())
		}
		return w
	})
}

func (w *pairWorker) source(s int32) error {
	if !w.masses.from(s) {
		return nil
	}
	if err := w.search.From(s); err != nil {
		return err
	}
	p := w.search.Found()
	w.masses.count(&w.totals, p, w.search)
	w.reach.add(p.Order)
	if w.endpoints && w.nodes != nil {
		for _, t := range p.Order[1:] {
			mass := w.masses.of(t)
			w.nodes[s] += mass
			w.nodes[t] += mass
		}
	}
	if !p.Fit {
		if w.wide == nil {
			w.wide = newWideDependencies(w.g, w.stop)
		}
		return w.wide.accumulate(p, w.masses.of, w.nodes, w.edges)
	}
	return w.accumulate(p)
}

// accumulate handles the nodes last first, when all that they lead to is done.
func (w *pairWorker) accumulate(p *search.Paths) error {
	for l := len(p.Levels) - 2; l >= 0; l-- {
		down := powerOfTwo(-p.Shift[l+1])
		for i := p.Levels[l+1] - 1; i >= p.Levels[l]; i-- {
			if i%stopper.Every == 0 {
				if err := w.stop.Err(); err != nil {
					return err
				}
			}
			w.node(p, i, down)
		}
	}
	return nil
}

func (w *pairWorker) node(p *search.Paths, i int, down float64) {
	v := p.Order[i]
	row, first := w.g.Row(v), w.g.Offsets[v]
	count, sum := p.Sigma[v]*down, 0.0
	for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
		share := w.share[row[k]]
		sum += share
		if w.edges != nil {
			w.edges[w.g.Edge(first+int64(k))] += count * share
		}
	}
	dependency := count * sum
	w.share[v] = (w.masses.of(v) + dependency) / p.Sigma[v]
	if w.nodes != nil && i > 0 {
		w.nodes[v] += dependency
	}
}

func (w *pairWorker) merge() error {
	if w.into.Demands == nil {
		w.reach.move(w.g, w.into.Nodes, w.nodes, w.into.Edges, w.edges)
	} else {
		moveFloats(w.into.WideNodes, w.nodes)
		moveFloats(w.into.WideEdges, w.edges)
		w.reach.forget()
	}
	joinTotals(w.into, &w.totals)
	return nil
}

// moveFloats adds numbers to sums of any size, and clears them.
func moveFloats(into []exact.Wide, from []float64) {
	for i, x := range from {
		if x != 0 {
			into[i].AddFloat(x)
		}
	}
	clear(from)
}

// pairBytes bounds the memory that a choice of pairs takes in addition.
func pairBytes(g kernels.Size, r kernels.Request) int64 {
	if r.Pairs == nil {
		return 0
	}
	bytes := 8 * g.Nodes
	if d := r.Pairs.Demand; d != nil {
		bytes += 4 * (scoreBytes(g, r) + 8*g.Nodes) // sums of any size
		if d.Trips != nil {
			bytes += int64(threads(r)) * 8 * g.Nodes
		}
	}
	return bytes
}
