// Package pairs says which pairs of a source and a target count, and how much, while searches go from one source to the
// next.
package pairs

import "github.com/linchpin-graph/linchpin/kernels"

// Masses says how much the pairs of one source after another count. nil is a mass of 1 for every pair.
type Masses struct {
	pairs *kernels.Pairs
	// source is the mass of the source at hand.
	source float64
	// targets has the mass of each node as a target. Of listed pairs it holds those of the source at hand, the nodes of
	// which are listed.
	targets []float64
	listed  []int32
}

// New returns what makes the masses of each worker; they share what does not change.
func New(n int, p *kernels.Pairs) func() *Masses {
	if p == nil {
		return func() *Masses { return nil }
	}
	if d := p.Demand; d != nil && d.Trips != nil {
		return func() *Masses { return &Masses{pairs: p, source: 1, targets: make([]float64, n)} }
	}
	targets := p.TargetMasses(n)
	return func() *Masses { return &Masses{pairs: p, targets: targets} }
}

// From goes on to the pairs of a source. It reports whether some could count.
func (m *Masses) From(s int32) bool {
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

// Of is how much the pair of the source at hand and a target counts.
func (m *Masses) Of(t int32) float64 {
	if m == nil {
		return 1
	}
	return m.source * m.targets[t]
}

// OfEdge is how much the source at hand counts for an edge from u to v: its mass, if one of the ends is a target.
func (m *Masses) OfEdge(u, v int32) float64 {
	if m == nil {
		return 1
	}
	if m.targets[u] == 0 && m.targets[v] == 0 {
		return 0
	}
	return m.source
}

// Count adds up the pairs of one search that count: order and distances are those of the nodes reached, the source
// first.
func (m *Masses) Count(t *kernels.Totals, order []int32, distances []float64) {
	if m == nil {
		sum := t.Distance // in a register
		for _, d := range distances {
			sum += d
		}
		t.Pairs, t.Distance = t.Pairs+int64(len(order)-1), sum
		return
	}
	for i, v := range order[1:] {
		mass, d := m.Of(v), distances[1+i]
		if mass == 0 {
			continue
		}
		t.Pairs++
		t.Distance += d
		t.Demand += mass
		t.DemandDistance += mass * d
	}
}
