package rank

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestBatchesHaveTheBitsOfOne: requests that share have the scores, iterations and residuals of each alone, on any
// number of threads, in full batches and others.
func TestBatchesHaveTheBitsOfOne(t *testing.T) {
	for _, directed := range []bool{false, true} {
		g := anyGraph(t, directed)
		for _, name := range []string{"pagerank", "articleRank"} {
			for _, weighted := range []bool{false, true} {
				for _, count := range counts(weighted) {
					m, _ := kernels.Lookup(name)
					requests := drawRestarts(g, count, weighted)
					shared := &kernels.Shared{Requests: requests}
					for i, r := range requests {
						want, wantEnd, err := Compute(t.Context(), m, g, r, 1)
						if err != nil {
							t.Fatal(err)
						}
						r.Shared, r.Place = shared, i
						got, end, err := Compute(t.Context(), m, g, r, 3)
						if err != nil || *end != *wantEnd || !slices.Equal(got, want) {
							t.Fatalf("%s, %d of %d, directed %t, weighted %t: %v, %v and not %v", name, i, count, directed, weighted, err,
								end, wantEnd)
						}
					}
				}
			}
		}
	}
}

// counts are numbers of requests: in one batch, and in several.
func counts(weighted bool) []int {
	if weighted {
		return []int{2, lanes, lanes + 3}
	}
	return []int{2, lanes + 3, widest + 2}
}

// anyGraph has nodes of many degrees, without edges too, and weights.
func anyGraph(t testing.TB, directed bool) *export.Graph {
	r := rand.New(rand.NewPCG(3, 4))
	var links []graphtest.Link
	for range 4000 {
		to := r.Int32N(r.Int32N(600) + 1)
		links = append(links, graphtest.Link{From: r.Int32N(600), To: to, Weight: math.Exp(3 * r.NormFloat64())})
	}
	return graphtest.Links(t, 620, directed, true, links)
}

// drawRestarts are requests with restarts of their own.
func drawRestarts(g *export.Graph, count int, weighted bool) (out []kernels.Request) {
	r := rand.New(rand.NewPCG(1, uint64(count)))
	for i := range count {
		q := kernels.Request{Nodes: true}
		q.Weighted = weighted
		for _, v := range r.Perm(g.N())[:1+i*i%600] {
			q.Sources = append(q.Sources, int32(v))
			if i%3 == 1 {
				q.Shares = append(q.Shares, 1+r.Float64())
			}
		}
		if i%2 == 1 {
			q.Variant = kernels.Probability
		}
		out = append(out, q)
	}
	return out
}

// TestBatchNotConverged: only requests that need more iterations than allowed fail.
func TestBatchNotConverged(t *testing.T) {
	g, few := anyGraph(t, false), 1
	m, _ := kernels.Lookup("pagerank")
	alone := int32(g.N() - 1) // no edge: its scores stay at once
	requests := []kernels.Request{{Sources: []int32{0}}, {Sources: []int32{alone}}}
	shared := &kernels.Shared{Requests: requests}
	for i, r := range requests {
		r.Shared, r.Place, r.Iterations = shared, i, &few
		_, _, err := Compute(t.Context(), m, g, r, 2)
		if not := (*kernels.NotConverged)(nil); errors.As(err, &not) != (i == 0) || i == 0 && not.Measure != "pagerank" {
			t.Errorf("request %d: %v", i, err)
		}
	}
}

// TestKernels: the kernel of this processor has the bits of that in plain Go.
func TestKernels(t *testing.T) {
	for _, directed := range []bool{false, true} {
		g := anyGraph(t, directed)
		for _, weighted := range []bool{false, true} {
			requests := drawRestarts(g, lanes, weighted)
			m, _ := kernels.Lookup("pagerank")
			s, err := spreadOf(m, g, requests[0])
			if err != nil {
				t.Fatal(err)
			}
			var own [][]float64
			for _, r := range requests {
				restart, _ := restarts(r, g.N(), 0.15)
				own = append(own, restart)
			}
			stop := stopper.New(t.Context())
			y := &system{newMatrix(g.Transpose(), s.Factors(g.Transpose()), 1, stop), s}
			fast, plain := newBatch(y, fastKernel(), own), newBatch(y, plainKernel(), own)
			for k := range 20 {
				if a, b := fast.step(), plain.step(); a != b || !slices.Equal(fast.scores, plain.scores) ||
					!slices.Equal(fast.sums, plain.sums) {
					t.Fatalf("directed %t, weighted %t, step %d: residuals %v and %v", directed, weighted, k, a, b)
				}
			}
			stop.Release()
		}
	}
}

// BenchmarkRestarts solves one system, and several at a time, and reports the processor time.
func BenchmarkRestarts(b *testing.B) {
	for _, scale := range []int{16, 19} {
		for _, count := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("rmat%d/%d", scale, count), func(b *testing.B) {
				s, err := generate.Graph(b.Context(), generate.Spec{Kind: "rmat", Scale: scale, Degree: 16, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				before := process.CPUTime()
				for b.Loop() {
					solveSeeds(b, s.Graph, count)
				}
				b.ReportMetric((process.CPUTime()-before).Seconds()/float64(b.N), "cpu-s/op")
			})
		}
	}
}

// solveSeeds solves so many systems, each with one seed that has edges.
func solveSeeds(b *testing.B, g *export.Graph, count int) {
	m, _ := kernels.Lookup("pagerank")
	shared := &kernels.Shared{}
	for v := int32(0); len(shared.Requests) < count; v++ {
		if g.Degree(v) > 0 {
			shared.Requests = append(shared.Requests, kernels.Request{Sources: []int32{v}})
		}
	}
	for i, r := range shared.Requests {
		if count > 1 {
			r.Shared, r.Place = shared, i
		}
		if _, _, err := Compute(b.Context(), m, g, r, 2); err != nil {
			b.Fatal(err)
		}
	}
}
