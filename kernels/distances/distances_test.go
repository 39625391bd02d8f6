package distances

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// within says whether got is want to a relative tolerance; 0 only equals what is below any distance.
func within(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(math.Abs(want), math.Abs(got))
}

func path(n int) (links []graphtest.Link) {
	for i := int32(1); i < int32(n); i++ {
		links = append(links, graphtest.Link{From: i - 1, To: i, Weight: 1})
	}
	return links
}

func TestDistances(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		g := graphtest.Random(t, rand.New(rand.NewPCG(3, 9)), 90, true, true, true)
		o := oracle.Of(g, weighted)
		next, pairs, sum, diameter := int32(0), int64(0), 0.0, 0.0
		hops := make([]int64, 1)
		err := Rows(t.Context(), g, kernels.Request{Params: kernels.Params{Weighted: weighted}, Threads: 3},
			func(s int32, d []float64) error {
				if s != next {
					t.Fatalf("row %d comes when %d is due", s, next)
				}
				next++
				for v, want := range o.From(int(s)).Distance {
					switch {
					case want < 0 && d[v] < 1e308:
						return fmt.Errorf("%d is not reached from %d, yet %v away", v, s, d[v])
					case want >= 0 && !within(d[v], want, 1e-15):
						return fmt.Errorf("%d is %v from %d, want %v", v, d[v], s, want)
					case want > 0:
						pairs, sum, diameter = pairs+1, sum+want, max(diameter, want)
						for !weighted && len(hops) <= int(want) {
							hops = append(hops, 0)
						}
						if !weighted {
							hops[int(want)]++
						}
					}
				}
				return nil
			})
		if err != nil || next != 90 {
			t.Fatalf("%d rows, %v", next, err)
		}
		got, err := Summarize(t.Context(), g, kernels.Request{Params: kernels.Params{Weighted: weighted}})
		if err != nil || got.Pairs != pairs || !within(got.Mean, sum/float64(pairs), 1e-12) ||
			!within(got.Diameter, diameter, 1e-15) {
			t.Errorf("weighted %t: %+v, %v; want %d pairs, mean %v, diameter %v", weighted, got, err, pairs,
				sum/float64(pairs), diameter)
		}
		if !weighted && !slices.Equal(got.Hops, hops) {
			t.Errorf("hop plot %v, want %v", got.Hops, hops)
		}
	}
	failure := errors.New("the disk is full")
	rows := 0
	err := Rows(t.Context(), graphtest.Links(t, 50, false, false, path(50)), kernels.Request{Threads: 4},
		func(int32, []float64) error {
			if rows++; rows == 3 {
				return failure
			}
			return nil
		})
	if !errors.Is(err, failure) || rows != 3 {
		t.Errorf("%v after %d rows, want %v after 3", err, rows, failure)
	}
}

// TestDistanceThatOverflows is an error of the two nodes; distances that fit are those of float64.
func TestDistanceThatOverflows(t *testing.T) {
	r := kernels.Request{Params: kernels.Params{Weighted: true}}
	long := graphtest.Links(t, 3, false, true,
		[]graphtest.Link{{From: 0, To: 1, Weight: 1e308}, {From: 1, To: 2, Weight: 1.2e308}})
	_, err := Summarize(t.Context(), long, r)
	for _, err := range []error{err, Rows(t.Context(), long, r, func(int32, []float64) error { return nil })} {
		if err == nil ||
			err.Error() != "the distance from node 0 to node 2 overflows float64; use larger units for the weights" {
			t.Errorf("error %v", err)
		}
	}
	r.Sources = []int32{1}
	s, err := Summarize(t.Context(), long, r)
	if err != nil || s.Pairs != 2 || math.Abs(s.Diameter-1.2e308) > 1e293 || math.Abs(s.Mean-1.1e308) > 1e294 {
		t.Errorf("from the middle: %+v, %v", s, err)
	}
	err = Rows(t.Context(), long, r, func(source int32, distances []float64) error {
		for v, want := range []float64{1e308, 0, 1.2e308} {
			if !within(distances[v], want, 1e-12) {
				t.Errorf("node %d: %v, want %v", v, distances[v], want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// drawn is number i of the random graphs of tests: of up to 700 nodes, every other one directed, every fifth one deep.
func drawn(t *testing.T, random *rand.Rand, i int) *export.Graph {
	t.Helper()
	n := 1 + random.IntN(700)
	var links []graphtest.Link
	for range random.IntN(4*n + 1) {
		links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: 1})
	}
	if i%5 == 0 { // far apart
		links = append(path(n), links[:len(links)/40]...)
	}
	return graphtest.Links(t, n, i%2 == 0, false, links)
}

// TestBatchesOfSources: summaries are the same whether sources are searched from in batches or one by one.
func TestBatchesOfSources(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 60 {
		g := drawn(t, random, i)
		n := g.N()
		r := kernels.Request{Threads: 1 + i%4}
		if i%3 == 0 {
			r.Sources = kernels.DrawSources(n, (n+1)/2, int64(i))
		}
		one, many := &summary{}, &summary{}
		if err := workers.Over(t.Context(), n, r, func(stop *stopper.Stopper) workers.Worker {
			return &summarizer{search: search.NewBFS(g, false, stop), all: one}
		}); err != nil {
			t.Fatal(err)
		}
		r.Sources = search.Nearby(g, r.Sources)
		if err := workers.OverChunks(t.Context(), n, search.LaneCount, r, func(stop *stopper.Stopper) workers.Worker {
			return &batchSummarizer{search: search.NewMultiBFS(g, stop), all: many}
		}); err != nil {
			t.Fatal(err)
		}
		if one.Totals != many.Totals || one.diameter != many.diameter || !slices.Equal(one.hops, many.hops) {
			t.Fatalf("graph %d: distances %+v in batches, %+v one by one", i, many, one)
		}
	}
}
