package kernels

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// Pairs says which pairs of a source and a target count, and how much. The sources themselves are Request.Sources.
type Pairs struct {
	// Targets are the nodes that paths end in, each once; nil for all.
	Targets []int32 `json:"targets,omitempty"`
	// Within is the greatest distance of a pair that counts, in hops or in weights, as the request measures paths; 0 for
	// no limit.
	Within float64 `json:"within,omitempty"`
	// Demand is how much pairs count; nil for once each.
	Demand *Demand `json:"demand,omitempty"`
}

// Demand is how much pairs count: by masses of their nodes, or as Trips list them.
type Demand struct {
	// Sources and Targets have a mass for each node. A pair counts the product of its source's and its target's; nil
	// stands for masses of 1.
	Sources []float64 `json:"sources,omitempty"`
	Targets []float64 `json:"targets,omitempty"`
	Trips   *Trips    `json:"trips,omitempty"`
}

// Trips lists pairs. Those of the source s are number Offsets[s] to Offsets[s+1]-1.
type Trips struct {
	Offsets []int64   `json:"offsets"`
	Targets []int32   `json:"targets"`
	Amounts []float64 `json:"amounts"`
}

// NewTrips lists pairs of a graph of n nodes, in any order, and returns their sources in ascending order.
func NewTrips(n int, sources, targets []int32, amounts []float64) (t *Trips, origins []int32) {
	order := make([]int, len(sources))
	t = &Trips{Offsets: make([]int64, n+1), Targets: make([]int32, len(targets)), Amounts: make([]float64, len(amounts))}
	for i, s := range sources {
		order[i] = i
		t.Offsets[s+1]++
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(sources[i], sources[j]), cmp.Compare(targets[i], targets[j]))
	})
	for at, i := range order {
		t.Targets[at], t.Amounts[at] = targets[i], amounts[i]
	}
	for s := range n {
		if t.Offsets[s+1] > 0 {
			origins = append(origins, int32(s))
		}
		t.Offsets[s+1] += t.Offsets[s]
	}
	return t, origins
}

// A demand that is not 0 lies between these, so that products of two, and their sums, are normal numbers.
const (
	leastDemand = 1e-30
	mostDemand  = 1e30
)

// demand returns the demand of pairs; nil where each counts once.
func (r Request) demand() *Demand {
	if r.Pairs == nil {
		return nil
	}
	return r.Pairs.Demand
}

// HasDemand reports whether pairs count by a demand.
func (r Request) HasDemand() bool { return r.demand() != nil }

// halved reports whether sums over ordered pairs count each pair of an undirected graph from both of its ends. Pairs
// that are listed are meant in the one direction.
func (r Request) halved(g *export.Graph) bool {
	d := r.demand()
	return !g.Directed && (d == nil || d.Trips == nil)
}

// TargetMasses returns the mass of each of n nodes as a target: 0 for one that is not a target. Pairs are not listed.
func (p *Pairs) TargetMasses(n int) []float64 {
	out := make([]float64, n)
	for v := range out {
		if out[v] = 1; p.Demand != nil && p.Demand.Targets != nil {
			out[v] = p.Demand.Targets[v]
		}
	}
	if p.Targets == nil {
		return out
	}
	some := make([]float64, n)
	for _, v := range p.Targets {
		some[v] = out[v]
	}
	return some
}

// Within is the greatest distance of a pair that counts; 0 for no limit.
func (r Request) Within() float64 {
	if r.Pairs == nil {
		return 0
	}
	return r.Pairs.Within
}

// CheckPairs reports what the measure cannot do of a choice of pairs.
func (m Measure) CheckPairs(r Request) error {
	p := r.Pairs
	switch {
	case p == nil:
		return nil
	case !m.BySource:
		return fmt.Errorf("%s is not a sum over pairs of nodes; leave out targets, range and demand", m.Name)
	case p.Targets != nil && len(p.Targets) == 0:
		return errors.New(m.Name + ": the list of targets is empty; name at least one, or leave it out for all")
	case math.IsNaN(p.Within) || math.IsInf(p.Within, 0) || p.Within < 0:
		return fmt.Errorf("%s: a range of %v; a range is finite and greater than 0", m.Name, p.Within)
	case p.Demand == nil:
		return nil
	}
	return m.checkDemand(r, *p.Demand)
}

func (m Measure) checkDemand(r Request, d Demand) error {
	switch {
	case r.Normalized != nil && *r.Normalized:
		return fmt.Errorf("%s: normalized divides by the number of pairs, but pairs count by their demand; leave it out",
			m.Name)
	case r.Variant == WassermanFaust:
		return fmt.Errorf("%s: variant %s counts nodes, but pairs count by their demand; take another variant",
			m.Name, r.Variant)
	case m.fold != nil && r.Edges && (d.Trips != nil || d.Targets != nil):
		return fmt.Errorf("%s of edges has no demand of targets: an edge has two ends; take the demand of sources alone",
			m.Name)
	case d.Trips != nil && (r.Pairs.Targets != nil || d.Sources != nil || d.Targets != nil):
		return fmt.Errorf("%s: listed pairs name their targets; leave out targets and masses", m.Name)
	}
	return nil
}

// CheckPairs reports the first node of a choice of pairs that is not in a graph of n nodes, a demand that is not a
// number to count by, and a choice that leaves no pair.
func (r Request) CheckPairs(n int) error {
	p := r.Pairs
	if p == nil {
		return nil
	}
	if err := checkNodes("target", p.Targets, n); err != nil {
		return err
	}
	if len(r.Sources) == 1 && len(p.Targets) == 1 && r.Sources[0] == p.Targets[0] {
		return errors.New("the only source is the only target: no pair is left")
	}
	if p.Demand == nil {
		return nil
	}
	return p.Demand.check(n)
}

func (d *Demand) check(n int) error {
	if t := d.Trips; t != nil {
		return t.check(n)
	}
	for _, masses := range [][]float64{d.Sources, d.Targets} {
		switch {
		case masses == nil:
			continue
		case len(masses) != n:
			return fmt.Errorf("demand of %d nodes for a graph of %d", len(masses), n)
		}
		if err := checkDemands(masses); err != nil {
			return err
		}
	}
	return nil
}

func (t *Trips) check(n int) error {
	count := int64(len(t.Targets))
	if len(t.Offsets) != n+1 || t.Offsets[0] != 0 || t.Offsets[n] != count || !slices.IsSorted(t.Offsets) ||
		len(t.Amounts) != len(t.Targets) {
		return fmt.Errorf("the list of %d pairs does not fit a graph of %d nodes", count, n)
	}
	for s := range n {
		if err := checkNodes("target", t.Targets[t.Offsets[s]:t.Offsets[s+1]], n); err != nil {
			return fmt.Errorf("pairs of source %d: %w", s, err)
		}
	}
	return checkDemands(t.Amounts)
}

// checkDemands reports the first demand that is not a number to count by, and demands that are all 0.
func checkDemands(demands []float64) error {
	some := false
	for i, x := range demands {
		if err := CheckDemand(x); err != nil {
			return fmt.Errorf("number %d: %w", i, err)
		}
		some = some || x > 0
	}
	if !some {
		return errors.New("all demand is 0: no pair is left")
	}
	return nil
}

// CheckDemand reports what is wrong with how much a node, or a pair, counts.
func CheckDemand(x float64) error {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Errorf("a demand of %v; a demand is a number of at least 0", x)
	case x < 0:
		return fmt.Errorf("a demand of %v is negative; a demand is a number of at least 0", x)
	case x != 0 && (x < leastDemand || x > mostDemand):
		return fmt.Errorf("a demand of %v; a demand is 0, or from %v to %v: use other units", x, leastDemand, mostDemand)
	}
	return nil
}

// Count returns how many pairs could count in a graph of n nodes, if all had a path. It does not look at masses.
func (r Request) Count(n int) int64 {
	if d := r.demand(); d != nil && d.Trips != nil {
		count := int64(0)
		for s := range n {
			for i := d.Trips.Offsets[s]; i < d.Trips.Offsets[s+1]; i++ {
				if d.Trips.Amounts[i] > 0 && int(d.Trips.Targets[i]) != s {
					count++
				}
			}
		}
		return count
	}
	sources, targets := r.Sources, []int32(nil)
	if r.Pairs != nil {
		targets = r.Pairs.Targets
	}
	both := int64(min(r.SourceCount(n), n))
	if targets == nil {
		return both * int64(n-1)
	}
	if sources != nil {
		in := make([]bool, n)
		for _, s := range sources {
			in[s] = true
		}
		both, targets = 0, slices.Clone(targets)
		for _, t := range targets {
			if in[t] {
				both++
			}
		}
		return int64(len(sources))*int64(len(targets)) - both
	}
	return int64(n)*int64(len(targets)) - int64(len(targets))
}

// Digest identifies the choice; "" for all pairs.
func (p *Pairs) Digest() string {
	if p == nil {
		return ""
	}
	sum := sha256.New()
	write := func(name string, data any, count int) {
		fmt.Fprintf(sum, "%s %d\n", name, count)
		_ = binary.Write(sum, binary.LittleEndian, data) // a hash takes all
	}
	write("targets", p.Targets, len(p.Targets))
	write("within", p.Within, 1)
	if d := p.Demand; d != nil {
		write("source masses", d.Sources, len(d.Sources))
		write("target masses", d.Targets, len(d.Targets))
		if t := d.Trips; t != nil {
			write("offsets", t.Offsets, len(t.Offsets))
			write("trips", t.Targets, len(t.Targets))
			write("amounts", t.Amounts, len(t.Amounts))
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}
