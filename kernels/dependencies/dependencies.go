// Package dependencies finds how much a source depends on nodes and edges: the share of its shortest paths that go
// through them, summed over targets (Brandes, A faster algorithm for betweenness centrality, 2001).
package dependencies

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hugepages"
	"github.com/linchpin-graph/linchpin/internal/prefetch"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// Finder finds what one source after another depends on.
type Finder struct {
	g      *export.Graph
	search search.Search
	stop   *stopper.Stopper
	// share is, for a node, (1 + the dependency on it) / its count of paths: what each path to it carries.
	share []float64
	wide  *Wide // made when first needed
}

// NewFinder returns one that searches by s, which keeps arcs.
func NewFinder(g *export.Graph, s search.Search, stop *stopper.Stopper) *Finder {
	return &Finder{g: g, search: s, stop: stop, share: hugepages.Of(make([]float64, g.N()))}
}

// From searches from s and adds the dependencies of s on other nodes to nodes, and on edges to edges; either may be
// nil. It returns the search's findings.
func (d *Finder) From(s int32, nodes, edges []float64) (*search.Paths, error) {
	if err := d.search.From(s); err != nil {
		return nil, err
	}
	p := d.search.Found()
	if p.Tree != nil {
		d.tree(p, nodes, edges)
		return p, nil
	}
	if !p.Fit {
		if d.wide == nil {
			d.wide = NewWide(d.g, d.stop)
		}
		return p, d.wide.Accumulate(p, all, nodes, edges)
	}
	for l := len(p.Levels) - 2; l >= 0; l-- {
		if err := d.level(p, l, nodes, edges); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// all says that every pair of the source and a target counts.
func all(int32) float64 { return 1 }

// tree adds the dependencies where one path leads to each node: as many as there are nodes behind.
func (d *Finder) tree(p *search.Paths, nodes, edges []float64) {
	behind := d.share
	for _, v := range p.Order {
		behind[v] = 0
	}
	for i := len(p.Order) - 1; i > 0; i-- {
		v := p.Order[i]
		step, count := p.Tree[v], behind[v]
		if nodes != nil {
			nodes[v] += count
		}
		count++
		behind[step.From] += count
		if edges != nil {
			edges[d.g.Edge(d.g.Offsets[step.From]+int64(step.Arc))] += count
		}
	}
}

// level handles the nodes of a level, last first, when all that they lead to is done.
func (d *Finder) level(p *search.Paths, l int, nodes, edges []float64) error {
	down, first := math.Ldexp(1, -p.Shift[l+1]), p.Levels[l]
	for end := p.Levels[l+1]; end > first; {
		if err := d.stop.Err(); err != nil {
			return err
		}
		next := max(first, end-stopper.Every)
		d.nodes(p, next, end, down, nodes, edges)
		end = next
	}
	return nil
}

// nodes handles those from place first to place end of the order, last first. The counts of what they lead to are times
// down.
func (d *Finder) nodes(p *search.Paths, first, end int, down float64, nodes, edges []float64) {
	order, sigma, share := p.Order, p.Sigma, d.share
	offsets, targets := d.g.Offsets, d.g.Targets
	for i := end - 1; i >= first; i-- {
		if i%prefetch.Few == 0 {
			d.prefetch(p, order[:i], nodes)
		}
		v := order[i]
		row, count, sum := targets[offsets[v]:offsets[v+1]], sigma[v]*down, 0.0
		arcs := p.Arcs[p.Start[i]:p.Start[i+1]]
		for _, k := range arcs {
			sum += share[row[k]]
		}
		if edges != nil {
			for _, k := range arcs {
				edges[d.g.Edge(offsets[v]+int64(k))] += count * share[row[k]]
			}
		}
		dependency := count * sum
		share[v] = (1 + dependency) / sigma[v]
		if nodes != nil && i > 0 {
			nodes[v] += dependency
		}
	}
}

// prefetch asks for what the nodes at the end of the order need, except for those that come first. What their children
// carry was found lately.
func (d *Finder) prefetch(p *search.Paths, order []int32, nodes []float64) {
	if len(d.share) < prefetch.Pays || len(order) < 3*prefetch.Few {
		return
	}
	order = order[len(order)-3*prefetch.Few:]
	third := d.share
	if nodes != nil {
		third = nodes
	}
	prefetch.Rows(d.g.Offsets, d.g.Targets, order[prefetch.Few:2*prefetch.Few])
	prefetch.Sums(d.g.Offsets, p.Sigma, d.share, third, order[:prefetch.Few])
}
