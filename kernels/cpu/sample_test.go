package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestScaledSamplesAreUnbiased averages the scores over all samples of so many sources, which are equally likely: they
// are those of all sources, unless SampleBias says otherwise.
func TestScaledSamplesAreUnbiased(t *testing.T) {
	edges := append(path(7), edge{0, 3, 2.5}, edge{2, 5, 0.5}, edge{3, 3, 1}, edge{1, 2, 1})
	yes, no := true, false
	for _, measure := range []string{"betweenness", "stress", "harmonic", "closeness"} {
		spec, _ := kernels.Lookup(measure)
		for _, p := range []kernels.Params{
			{}, {Weighted: true}, {Normalized: &yes}, {Normalized: &no}, {Endpoints: true}, {Log: true},
			{Variant: kernels.Classic}, {Variant: kernels.WassermanFaust},
		} {
			if spec.CheckOptions(p) != nil {
				continue
			}
			for _, directed := range []bool{false, true} {
				g := build(t, 7, directed, edges)
				exact := compute(t, g, measure, kernels.Request{Params: p, Nodes: true, Edges: true})
				nodes, edgeScores := meanOfSamples(t, g, measure, p, 3)
				off := apart(nodes, exact.Nodes) || apart(edgeScores, exact.Edges)
				if bias := spec.SampleBias(p); off && bias == "" {
					t.Errorf("%s %+v, directed %t: the mean over all samples is %v, exact scores are %v", measure, p, directed, nodes,
						exact.Nodes)
				} else if !off && bias != "" {
					t.Errorf("%s %+v: %q, and the mean over all samples is exact", measure, p, bias)
				}
			}
		}
	}
}

// meanOfSamples is the mean of the scores over all samples of count sources.
func meanOfSamples(
	t *testing.T, g *export.Graph, measure string, p kernels.Params, count int,
) (nodes, edges []float64) {
	t.Helper()
	nodes, edges = make([]float64, g.N()), make([]float64, g.M())
	samples := 0
	for mask := range 1 << g.N() {
		var sources []int32
		for v := range int32(g.N()) {
			if mask>>v&1 > 0 {
				sources = append(sources, v)
			}
		}
		if len(sources) != count {
			continue
		}
		samples++
		got := compute(t, g, measure,
			kernels.Request{Params: p, Nodes: true, Edges: true, Sources: sources, Scale: float64(g.N()) / float64(count)})
		for v, x := range got.Nodes {
			nodes[v] += x
		}
		for e, x := range got.Edges {
			edges[e] += x
		}
	}
	scale(nodes, 1/float64(samples))
	scale(edges, 1/float64(samples))
	return nodes, edges
}

func apart(a, b []float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-9*math.Abs(b[i])+1e-12) {
			return true
		}
	}
	return false
}

// TestSamplesAreUnbiased averages over samples that together hold every source as often as any other.
func TestSamplesAreUnbiased(t *testing.T) {
	g := graphtest.Random(t, rand.New(rand.NewPCG(5, 5)), 60, false, true, false)
	exact := compute(t, g, "betweenness", kernels.Request{Nodes: true}).Nodes
	mean := make([]float64, g.N())
	order := kernels.ShuffleSources(60, 60, 9)
	for i := range 6 {
		part := compute(t, g, "betweenness", kernels.Request{Nodes: true, Sources: order[10*i : 10*i+10], Scale: 6}).Nodes
		for v, x := range part {
			mean[v] += x / 6
		}
	}
	same(t, "mean of samples of node", mean, exact)
}
