package kernels

import (
	"errors"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// errOtherRun is the error of partial results that do not belong together.
var errOtherRun = errors.New("partial results of different runs cannot be joined")

// sums lists all exact sums; nil for those that the run has not.
func (p *Partial) sums() []**exact.Sums {
	return []**exact.Sums{&p.Nodes, &p.Edges, &p.Bins, &p.Peers, &p.Distance}
}

// Join adds another partial result of the same run.
func (p *Partial) Join(q *Partial) error {
	from := q.sums()
	for i, s := range p.sums() {
		if !joinable(*s, *from[i]) {
			return errOtherRun
		}
	}
	for _, pair := range [][2]int{
		{len(p.MostNodes), len(q.MostNodes)}, {len(p.MostEdges), len(q.MostEdges)}, {len(p.NodeCounts), len(q.NodeCounts)},
		{len(p.EdgeCounts), len(q.EdgeCounts)}, {len(p.WideNodes), len(q.WideNodes)}, {len(p.WideEdges), len(q.WideEdges)},
		{len(p.Alone), len(q.Alone)}, {len(p.NodeDemands), len(q.NodeDemands)}, {len(p.EdgeDemands), len(q.EdgeDemands)},
		{len(p.Demands), len(q.Demands)},
	} {
		if pair[0] != pair[1] {
			return errOtherRun
		}
	}
	for i, s := range p.sums() {
		if *s != nil {
			(*s).Join(*from[i])
		}
	}
	joinArrays(p.MostNodes, q.MostNodes, func(a, b float64) float64 { return max(a, b) })
	joinArrays(p.MostEdges, q.MostEdges, func(a, b float64) float64 { return max(a, b) })
	joinArrays(p.NodeCounts, q.NodeCounts, func(a, b int64) int64 { return a + b })
	joinArrays(p.EdgeCounts, q.EdgeCounts, func(a, b int64) int64 { return a + b })
	joinArrays(p.Alone, q.Alone, func(a, b float64) float64 { return a + b })
	exact.JoinWides(p.WideNodes, q.WideNodes)
	exact.JoinWides(p.WideEdges, q.WideEdges)
	exact.JoinWides(p.NodeDemands, q.NodeDemands)
	exact.JoinWides(p.EdgeDemands, q.EdgeDemands)
	exact.JoinWides(p.Demands, q.Demands)
	p.Totals.Pairs += q.Totals.Pairs
	p.Totals.NoDistance = p.Totals.NoDistance || q.Totals.NoDistance
	p.Totals.Distance += q.Totals.Distance
	p.setDistance()
	return nil
}

// joinable reports whether two sums are of one run.
func joinable(a, b *exact.Sums) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Scale == b.Scale && len(a.Words) == len(b.Words)
}

func joinArrays[T any](into, from []T, join func(a, b T) T) {
	for i, x := range from {
		into[i] = join(into[i], x)
	}
}

// AddTotals adds the pairs that sources met, and sums of their distances: those of each of some blocks of threads.
func (p *Partial) AddTotals(pairs []int64, distances []float64) {
	for i, distance := range distances {
		p.Totals.Pairs += pairs[i]
		p.Totals.Distance += distance
		if p.Distance != nil {
			p.Distance.Add(0, distance)
		}
	}
	p.setDistance()
}

// AddWord is AddTotals with a sum of distances of the scale of Distance.
func (p *Partial) AddWord(pairs int64, distance exact.Word) {
	p.Totals.Pairs += pairs
	p.Distance.Words[0].Add(distance)
	p.setDistance()
}

// AddDemand adds the demand of the pairs that some sources met, and that times their distances.
func (p *Partial) AddDemand(demand, distance float64) {
	p.Demands[0].AddFloat(demand)
	p.Demands[1].AddFloat(distance)
	p.setDistance()
}

// setDistance gives Totals the values of Distance and Demands.
func (p *Partial) setDistance() {
	if p.Demands != nil {
		p.Totals.Demand, p.Totals.DemandDistance = p.Demands[0].Float(), p.Demands[1].Float()
	}
	if p.Distance != nil {
		p.Totals.Distance = p.Distance.Scale.Value(p.Distance.Words[0])
	}
}

// Empty returns the partial result of no source of the same run.
func (p *Partial) Empty() *Partial {
	out := &Partial{
		rounding:  p.rounding,
		MostNodes: zeros[float64](p.MostNodes), MostEdges: zeros[float64](p.MostEdges),
		NodeCounts: zeros[int64](p.NodeCounts), EdgeCounts: zeros[int64](p.EdgeCounts),
		WideNodes: zeros[exact.Wide](p.WideNodes), WideEdges: zeros[exact.Wide](p.WideEdges), Alone: zeros[float64](p.Alone),
		NodeDemands: zeros[exact.Wide](p.NodeDemands), EdgeDemands: zeros[exact.Wide](p.EdgeDemands),
		Demands: zeros[exact.Wide](p.Demands),
	}
	from := p.sums()
	for i, s := range out.sums() {
		if sums := *from[i]; sums != nil {
			*s = exact.NewSums(len(sums.Words), sums.Scale)
		}
	}
	return out
}

// zeros returns as many zeros, or nil for nil.
func zeros[T, Of any](like []Of) []T {
	if like == nil {
		return nil
	}
	return make([]T, len(like))
}
