//go:build cuda || emulate

package enginetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// AgreeOnChosenPairs compares what engines compute of some targets, and by masses of nodes, with the CPU, and shards
// with the whole, bit by bit: in another way on each graph, with ranges and sources in turn.
func AgreeOnChosenPairs(t *testing.T, d gpu.Device, engines []device.Engine, weighted bool) {
	t.Helper()
	graphs := append(Some(t, devicetest.Sized(40, 6), weighted), Decimals(t))
	random := rand.New(rand.NewPCG(11, 7))
	turn, compared := 0, 0
	for i, e := range engines {
		for k, g := range graphs {
			if devicetest.Emulated && len(engines) > 1 && (i+k)%5 > 0 {
				continue
			}
			for _, m := range measuresOf(device.Want{Params: kernels.Params{Weighted: weighted},
				Nodes: true, Targets: true}, e, turn) {
				turn++
				r := Request(m, turn, g.Graph)
				r.Weighted, r.Reduce, r.Pairs = weighted, kernels.ReduceOff, SomePairs(random, g.Graph, random.IntN(84))
				r.Edges = r.Edges && takesEdges(m, r.Pairs)
				r.Nodes = r.Nodes || !r.Edges
				if r.Pairs.Demand != nil {
					r.Normalized = nil
					if r.Variant == kernels.WassermanFaust {
						r.Variant = ""
					}
				}
				w := device.Want{Measure: m.Name, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges}.Of(r.Pairs)
				if m.Check(r) != nil || r.CheckPairs(g.Graph.N()) != nil || !e.Accepts(w, g.Graph.Directed) {
					continue
				}
				at := fmt.Sprintf("%s, %s, turn %d", e.Name(), g.At(w.String(), r), turn)
				task := Task{Engine: e, Graph: g.Graph, Measure: m.Name, Request: r, Single: turn%4 == 0}
				unsuited := (*device.Unsuited)(nil)
				if _, err := Compute(t.Context(), d, task); weighted && errors.As(err, &unsuited) {
					continue // lengths that only 128 bits hold
				}
				compared++
				Agree(t, d, at, task)
			}
		}
	}
	t.Logf("%d comparisons, weighted %t", compared, weighted)
	if compared == 0 || compared < turn/2 {
		t.Errorf("%d of %d comparisons were made", compared, turn)
	}
}

// takesEdges reports whether a measure has edge scores for a choice of pairs.
func takesEdges(m kernels.Measure, p *kernels.Pairs) bool {
	return m.Kind != kernels.FoldedDistances || p.Demand == nil || p.Demand.Targets == nil && p.Demand.Trips == nil
}

// measuresOf are those of sums over pairs that an engine computes as wanted; one of them in its turn on the emulated
// device, which is slow.
func measuresOf(w device.Want, e device.Engine, turn int) []kernels.Measure {
	all := slices.DeleteFunc(slices.Clone(kernels.Measures()), func(m kernels.Measure) bool {
		w.Measure = m.Name
		return !m.BySource || !e.Accepts(w, false)
	})
	if devicetest.Emulated && len(all) > 0 {
		return all[turn%len(all):][:1]
	}
	return all
}

// SomePairs chooses targets, or masses (some are 0, some far from 1), or both, and sometimes a range.
func SomePairs(random *rand.Rand, g *export.Graph, turn int) *kernels.Pairs {
	n, p := g.N(), &kernels.Pairs{}
	if turn%5 == 4 {
		p.Within = ranges[turn%len(ranges)]
	}
	if (turn%3 != 2 || turn%4 == 1) && n > 0 {
		p.Targets = []int32{}
		for v := range int32(n) {
			if random.IntN(3) == 0 || n < 4 {
				p.Targets = append(p.Targets, v)
			}
		}
	}
	masses := func() []float64 {
		out := make([]float64, n)
		for v := range out {
			switch random.IntN(4) {
			case 0:
			case 1:
				out[v] = math.Pow(10, float64(random.IntN(21)-10))
			default:
				out[v] = random.Float64() + 0.01
			}
		}
		if n > 0 {
			out[random.IntN(n)] = 2
		}
		return out
	}
	if turn%7 == 3 && n > 3 {
		p.Targets, p.Demand = nil, &kernels.Demand{Trips: someTrips(random, n)}
		return p
	}
	switch turn % 4 {
	case 0, 3:
		p.Demand = &kernels.Demand{Sources: masses()}
		p.Demand.Targets = p.Demand.Sources
	case 2:
		p.Demand = &kernels.Demand{Sources: masses()}
	}
	return p
}

// someTrips lists pairs of some sources. Some are of a node and itself, or of no amount.
func someTrips(random *rand.Rand, n int) *kernels.Trips {
	var sources, targets []int32
	var amounts []float64
	for s := range int32(n) {
		if s == 0 || random.IntN(3) == 0 {
			continue
		}
		for _, t := range random.Perm(n)[:random.IntN(min(n, 6))] {
			amount := float64(random.IntN(4)) * math.Pow(10, float64(random.IntN(5)-2))
			sources, targets, amounts = append(sources, s), append(targets, int32(t)), append(amounts, amount)
		}
	}
	sources, targets, amounts = append(sources, 0), append(targets, int32(n-1)), append(amounts, 7)
	trips, _ := kernels.NewTrips(n, sources, targets, amounts)
	return trips
}
