package pairs

import (
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// CountAll counts the pairs and distances of one search.
func CountAll(t *kernels.Totals, p *search.Paths, s search.Search) {
	t.Pairs += int64(len(p.Order) - 1)
	if len(p.Levels) > 2 || len(p.Order) == 1 {
		sum := 0.0
		for l := 1; l+1 < len(p.Levels); l++ {
			sum += float64(l) * float64(p.Levels[l+1]-p.Levels[l])
		}
		t.Distance += sum
		return
	}
	for _, v := range p.Order {
		t.Distance += s.Distance(v)
	}
}

// MoveTotals adds from to into, and clears from.
func MoveTotals(into, from *kernels.Totals) {
	into.Pairs += from.Pairs
	into.Distance += from.Distance
	*from = kernels.Totals{}
}

// JoinTotals is MoveTotals to a partial result.
func JoinTotals(into *kernels.Partial, from *kernels.Totals) {
	into.AddTotals([]int64{from.Pairs}, []float64{from.Distance})
	if into.Demands != nil {
		into.AddDemand(from.Demand, from.DemandDistance)
	}
	*from = kernels.Totals{}
}
