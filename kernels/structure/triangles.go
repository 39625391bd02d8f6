package structure

import (
	"math"
	"math/bits"

	"github.com/linchpin-graph/linchpin/kernels"
)

// triangles counts the triangles of each node and of each edge.
func (t *task) triangles() error {
	p, found, err := t.countTriangles(t.edges != nil)
	if err != nil {
		return err
	}
	for i, count := range found.byRank {
		t.nodes[p.order[i]] = float64(count)
	}
	if t.edges != nil {
		p.onEdges(func(place int64, edge, _, _ int32) { t.edges[edge] = float64(found.byPlace[place]) })
	}
	return t.stop.Err()
}

// countTriangles makes a pass that counts.
func (t *task) countTriangles(places bool) (*pass, *counts, error) {
	p, err := t.newPass()
	if err != nil {
		return nil, nil, err
	}
	found, err := p.count(places)
	return p, found, err
}

// clustering is the share of the pairs of a node's neighbours that are joined (Watts and Strogatz, "Collective dynamics
// of 'small-world' networks", 1998); 0 with fewer than two neighbours.
func (t *task) clustering() error {
	p, found, err := t.countTriangles(false)
	if err != nil {
		return err
	}
	for i, count := range found.byRank {
		v := p.order[i]
		if d := float64(p.degree[v]); d > 1 {
			t.nodes[v] = float64(count) / (d * (d - 1) / 2)
		}
	}
	return t.stop.Err()
}

// similarity says how alike the neighbours of an edge's ends are: by Jaccard's index, by the overlap coefficient, or as
// Adamic and Adar weigh the common ones ("Friends and neighbors on the Web", 2003). Self-loops score 0.
func (t *task) similarity() error {
	if t.variant == kernels.AdamicAdar {
		return t.adamicAdar()
	}
	p, found, err := t.countTriangles(true)
	if err != nil {
		return err
	}
	return p.scoreEdges(func(place int64, a, b float64) float64 {
		common := float64(found.byPlace[place])
		if t.variant == kernels.Overlap {
			return common / min(a, b)
		}
		return common / (a + b - common)
	})
}

// curvature is that of Forman for graphs without weights: 4 less the degrees of both ends; augmented, each triangle
// adds 3 (Samal et al., "Comparative analysis of two discretizations of Ricci curvature for complex networks", 2018).
// Self-loops score 0.
func (t *task) curvature() error {
	if t.variant != kernels.Augmented {
		p, err := t.newPass()
		if err != nil {
			return err
		}
		return p.scoreEdges(func(_ int64, a, b float64) float64 { return 4 - a - b })
	}
	p, found, err := t.countTriangles(true)
	if err != nil {
		return err
	}
	return p.scoreEdges(func(place int64, a, b float64) float64 { return 4 - a - b + 3*float64(found.byPlace[place]) })
}

// adamicAdar sums 1 / ln(degree) over common neighbours, in fixed point: the sum is then the same in any order.
func (t *task) adamicAdar() error {
	p, err := t.newPass()
	if err != nil {
		return err
	}
	most := uint64(0)
	for _, d := range p.degree {
		most = max(most, uint64(d))
	}
	// no term is over 1.45, and there are no more of them than the greatest degree
	unit := math.Ldexp(1, 62-bits.Len64(most))
	weights := make([]uint64, len(p.order))
	for i, v := range p.order {
		if p.degree[v] > 1 { // as all common neighbours have
			weights[i] = uint64(math.Round(unit / math.Log(float64(p.degree[v]))))
		}
	}
	sums := p.sum(weights)
	return p.scoreEdges(func(place int64, _, _ float64) float64 { return float64(sums[place]) / unit })
}

// scoreEdges scores edges by their place and by the numbers of neighbours of their ends, and nodes by the mean over
// their neighbours.
func (p *pass) scoreEdges(score func(place int64, a, b float64) float64) error {
	scores := p.edges
	if scores == nil {
		scores = make([]float64, p.graph.M())
	}
	p.onEdges(func(place int64, edge, v, w int32) {
		scores[edge] = score(place, float64(p.degree[v]), float64(p.degree[w]))
	})
	g := p.graph
	p.over(g.N(), func(first, last int) {
		for v := int32(first); v < int32(last); v++ {
			sum := 0.0
			for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
				if isNew(g, v, arc) {
					sum += scores[g.Edge(arc)]
				}
			}
			if p.degree[v] > 0 {
				p.nodes[v] = sum / float64(p.degree[v])
			}
		}
	})
	return p.stop.Err()
}
