// Package dependencies finds how much a source depends on nodes and edges: the share of its shortest paths that go through them,
// summed over targets (Brandes, A faster algorithm for betweenness centrality, 2001).
package dependencies

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hugepages"
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
	down, sigma := math.Ldexp(1, -p.Shift[l+1]), p.Sigma
	for i := p.Levels[l+1] - 1; i >= p.Levels[l]; i-- {
		if i%stopper.Every == 0 {
			if err := d.stop.Err(); err != nil {
				return err
			}
		}
		v := p.Order[i]
		arcs, row := p.Arcs[p.Start[i]:p.Start[i+1]], d.g.Row(v)
		count, sum := sigma[v]*down, 0.0
		for _, k := range arcs {
			sum += d.share[row[k]]
		}
		if edges != nil {
			first := d.g.Offsets[v]
			for _, k := range arcs {
				edges[d.g.Edge(first+int64(k))] += count * d.share[row[k]]
			}
		}
		dependency := count * sum
		d.share[v] = (1 + dependency) / sigma[v]
		if nodes != nil && i > 0 {
			nodes[v] += dependency
		}
	}
	return nil
}
