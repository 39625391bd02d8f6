package distances

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// searching folds distances by searches from one node after another, and counts from how many.
type searching struct {
	measure  kernels.Measure
	back     *export.Graph
	into     *kernels.Partial
	searched []int32
}

func (s *searching) fold(nodes []int32) error {
	s.searched = append(s.searched, nodes...)
	return FoldTo(context.Background(), s.measure, s.back, kernels.Request{Nodes: true, Threads: 2}, lengths.Hops{},
		nodes, s.into)
}

// TestSeek: of 300 random graphs, the highest scores are among those that were searched for, with the bits of a run of
// all nodes, and no node is searched from twice.
func TestSeek(t *testing.T) {
	random := rand.New(rand.NewPCG(60, 1))
	spared := 0
	for i := range 300 {
		g := drawn(t, random, i)
		measure := []string{"closeness", "harmonic"}[i%2]
		m, _ := kernels.Lookup(measure)
		count := 1 + random.IntN(g.N())
		r := kernels.Request{Nodes: true, Threads: 1 + i%4, Params: kernels.Params{Top: &count}}
		if measure == "closeness" {
			r.Variant = []string{"", kernels.WassermanFaust, kernels.Classic}[i/2%3]
		}
		bounds := kernels.BoundsOf(g, r, 0)
		all, found := kernels.NewPartial(m, g.N(), g.M(), r, bounds), kernels.NewPartial(m, g.N(), g.M(), r, bounds)
		l, err := lengths.New(t.Context(), g, false, 0)
		if err == nil {
			err = Fold(t.Context(), m, g, r, kernels.Shard{}, l, all)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := &searching{measure: m, back: g.Transpose(), into: found}
		if err := NewSeek(m, g, r).Find(t.Context(), found, 1+random.IntN(9), s.fold); err != nil {
			t.Fatal(err)
		}
		want, got := make([]float64, g.N()), make([]float64, g.N())
		if err := errors.Join(all.Finish(m, g, r, want, nil), found.Finish(m, g, r, got, nil)); err != nil {
			t.Fatal(err)
		}
		sorted := slices.Sorted(slices.Values(want))
		for v, x := range want {
			if x >= sorted[g.N()-count] && math.Float64bits(x) != math.Float64bits(got[v]) {
				t.Fatalf("graph %d: top %d of %s %q: node %d has %v, want %v", i, count, measure, r.Variant, v, got[v], x)
			}
		}
		slices.Sort(s.searched)
		if once := slices.Compact(slices.Clone(s.searched)); len(once) < len(s.searched) {
			t.Fatalf("graph %d: searched twice from some of %d nodes", i, len(once))
		}
		spared += g.N() - len(s.searched)
	}
	if spared == 0 {
		t.Error("all searches were from all nodes")
	}
}

// TestSeekEnds: a search that fails, or that nobody wants any more, ends with the reason, also while bounds are made.
func TestSeekEnds(t *testing.T) {
	m, _ := kernels.Lookup("harmonic")
	g, count, reason := graphtest.Grid(t, 40, false), 3, errors.New("enough")
	r := kernels.Request{Nodes: true, Params: kernels.Params{Top: &count}}
	into := kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
	if err := NewSeek(m, g, r).Find(t.Context(), into, 8, func([]int32) error { return reason }); !errors.Is(err, reason) {
		t.Errorf("a search that fails ends with %v", err)
	}
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	s := NewSeek(m, g, r)
	end := s.Begin()
	if err := s.Find(gone, into, 8, func([]int32) error { return nil }); !errors.Is(err, reason) {
		t.Errorf("a search that is not wanted ends with %v", err)
	}
	end()
}

// TestBoundsHold: no score is higher than the bound of its node.
func TestBoundsHold(t *testing.T) {
	random := rand.New(rand.NewPCG(60, 2))
	for i := range 300 {
		g := drawn(t, random, i)
		for _, measure := range []string{"closeness", "harmonic"} {
			m, _ := kernels.Lookup(measure)
			count := g.N()
			r := kernels.Request{Nodes: true, Params: kernels.Params{Top: &count}}
			if measure == "closeness" {
				r.Variant = []string{"", kernels.WassermanFaust, kernels.Classic}[i%3]
			}
			stop := stopper.New(t.Context())
			bounds, err := newTopNodes(m, g, r, stop)
			if err != nil {
				t.Fatal(err)
			}
			all := kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
			s := &searching{measure: m, back: g.Transpose(), into: all}
			scores := make([]float64, g.N())
			if err := errors.Join(s.fold(order.All(g)), all.Finish(m, g, r, scores, nil)); err != nil {
				t.Fatal(err)
			}
			for v, x := range scores {
				if x > bounds.highestOf(int32(v))*(1+rounding) {
					t.Fatalf("graph %d: %s %q of node %d is %v, over its bound %v", i, measure, r.Variant, v, x,
						bounds.highestOf(int32(v)))
				}
			}
			stop.Release()
		}
	}
}
