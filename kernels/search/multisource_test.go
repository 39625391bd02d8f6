package search

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestNearbySources: every source comes once, and those of a batch are near one another.
func TestNearbySources(t *testing.T) {
	const side = 64
	g := graphtest.Links(t, side*side+10, false, true, graphtest.GridLinks(side))
	all := Nearby(g, nil)
	if sorted := slices.Sorted(slices.Values(all)); len(sorted) != g.N() || sorted[0] != 0 ||
		len(slices.Compact(sorted)) != g.N() {
		t.Fatalf("%d of %d nodes", len(sorted), g.N())
	}
	chosen := kernels.DrawSources(g.N(), 500, 1)
	if some := slices.Sorted(slices.Values(Nearby(g, chosen))); !slices.Equal(some, chosen) {
		t.Errorf("%d of %d sources", len(some), len(chosen))
	}
	spread, err := Spread(t.Context(), g, all, LaneCount, math.MaxInt)
	if err != nil || spread > 80 {
		t.Errorf("spread %d, %v; want 80 at the most of %d", spread, err, 2*2*side)
	}
}

// TestStoppedBatch: a search in batches that is stopped says so, and the next one begins anew.
func TestStoppedBatch(t *testing.T) {
	var links []graphtest.Link
	for v := range int32(3999) {
		links = append(links, graphtest.Link{From: v, To: v + 1, Weight: 1})
	}
	g := graphtest.Links(t, 4000, false, true, links)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := stopper.New(ctx)
	defer stop.Release()
	m := NewMultiBFS(g, stop)
	why := errors.New("enough")
	err := m.From([]int32{0, 7, 8}, func(depth int32) {
		if depth == 100 {
			cancel(why)
			for !stop.Stopped() {
			}
		}
	})
	if !errors.Is(err, why) {
		t.Fatalf("%v", err)
	}
	m.stop = stopper.New(t.Context())
	defer m.stop.Release()
	found := 0
	if err := m.From([]int32{3, 4}, func(int32) {
		for _, v := range m.Level {
			found += m.Fresh[v].Count()
		}
	}); err != nil || found != 2*3999 || len(m.Reached) != 4000 {
		t.Errorf("%d pairs, %d nodes, %v", found, len(m.Reached), err)
	}
}
