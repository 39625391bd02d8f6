package search

import (
	"math"
	"slices"
	"sort"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// RangesMaker makes searches of one graph, one for each of some limits. All go from the same sources in the same order,
// and share one search: the one of the greatest limit.
type RangesMaker func(keep bool, stop *stopper.Stopper) []Search

// WithinEach is Within for several limits over 0. Each search finds what one by Within of its limit finds, with the
// same bits.
func WithinEach(g *export.Graph, l lengths.Lengths, limits []float64) RangesMaker {
	alone := make([]Maker, len(limits))
	for i, limit := range limits {
		alone[i] = Within(g, l, limit)
	}
	unit, widest := math.Pow10(l.Shift()), slices.Index(limits, slices.Max(limits))
	_, byHops := l.(lengths.Hops)
	return func(keep bool, stop *stopper.Stopper) []Search {
		all, out := &shared{Search: alone[widest](keep, stop), g: g, source: unreached, hops: byHops},
			make([]Search, len(limits))
		for i, limit := range limits {
			newAlone := func() Search { return alone[i](keep, stop) }
			out[i] = &rangeSearch{all: all, limit: limit / unit, widest: i == widest, newAlone: newAlone}
		}
		return out
	}
}

// shared is the search that those of several ranges are parts of.
type shared struct {
	Search
	g      *export.Graph
	source int32 // of the last search; unreached before the first
	hops   bool
}

// From searches from s, unless it was the last source.
func (a *shared) From(s int32) error {
	if a.source == s {
		return nil
	}
	a.source = unreached
	if err := a.Search.From(s); err != nil {
		return err
	}
	a.source = s
	return nil
}

// mostExact is the greatest count up to which any order of adding up counts gives the same bits.
const mostExact = 1 << 53

// divides reports whether the paths within a smaller range are part of those found, with the bits that a search of that
// range has: the order of nodes at one distance by weights depends on the range, and so does whether counts fit.
func (a *shared) divides() bool {
	p := a.Found()
	if !p.keep || len(p.Order) == 0 {
		return true
	}
	return p.Fit && (a.hops || p.greatest(p.Order) < mostExact)
}

// rangeSearch is the part of a search within a limit.
type rangeSearch struct {
	all      *shared
	limit    float64
	widest   bool
	newAlone func() Search
	alone    Search // where the shared search does not divide; nil until it is needed
	at       Search // what the last source was searched by: all or alone
	found    *Paths
	part     Paths // of what the shared search found
}

func (r *rangeSearch) From(s int32) error {
	if err := r.all.From(s); err != nil {
		return err
	}
	switch r.at = r.all; {
	case r.widest:
		r.found = r.all.Found()
	case r.all.divides():
		r.cut(r.all.Found())
		r.found = &r.part
	default:
		return r.search(s)
	}
	return nil
}

// search searches from s for this range alone.
func (r *rangeSearch) search(s int32) error {
	if r.alone == nil {
		r.alone = r.newAlone()
	}
	r.at = r.alone
	if err := r.alone.From(s); err != nil {
		return err
	}
	r.found = r.alone.Found()
	return nil
}

func (r *rangeSearch) Found() *Paths { return r.found }

func (r *rangeSearch) Reached(v int32) bool { return r.at.Reached(v) && r.at.Distance(v) <= r.limit }

func (r *rangeSearch) Distance(v int32) float64 {
	if d := r.at.Distance(v); d <= r.limit {
		return d
	}
	return 0
}

// cut sets the part to the paths of p within the limit.
func (r *rangeSearch) cut(p *Paths) {
	count := sort.Search(len(p.Order), func(i int) bool { return r.all.Distance(p.Order[i]) > r.limit })
	level, _ := slices.BinarySearch(p.Levels, count)
	out := &r.part
	out.Order, out.Levels, out.keep = p.Order[:count], append(append(out.Levels[:0], p.Levels[:level]...), count), p.keep
	if !p.keep {
		return
	}
	out.Sigma, out.Fit = p.Sigma, true
	if count == len(p.Order) {
		out.Levels = append(out.Levels[:0], p.Levels...)
		out.Start, out.Arcs, out.Shift = append(out.Start[:0], p.Start...), append(out.Arcs[:0], p.Arcs...),
			append(out.Shift[:0], p.Shift...)
		return
	}
	out.Shift = append(append(out.Shift[:0], p.Shift[:level]...), 0)
	r.cutArcs(p)
}

// cutArcs keeps the arcs of p that lead to a node within the limit.
func (r *rangeSearch) cutArcs(p *Paths) {
	out := &r.part
	out.Start, out.Arcs = out.Start[:0], out.Arcs[:0]
	whole := 0 // all arcs of so many nodes stay, and those after them have none
	if r.all.hops {
		whole = out.Levels[len(out.Levels)-2]
		out.Start = append(out.Start, p.Start[:whole]...)
		out.Arcs = append(out.Arcs, p.Arcs[:p.Start[whole]]...)
	}
	for i, u := range out.Order[whole:] {
		out.Start = append(out.Start, int64(len(out.Arcs)))
		if r.all.hops {
			continue
		}
		row := r.all.g.Row(u)
		for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
			if r.all.Distance(row[k]) <= r.limit {
				out.Arcs = append(out.Arcs, k)
			}
		}
	}
	out.Start = append(out.Start, int64(len(out.Arcs)))
}
