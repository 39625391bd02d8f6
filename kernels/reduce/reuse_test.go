package reduce_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// planOf reduces a graph.
func planOf(t *testing.T, g *export.Graph, o reduce.Options) *reduce.Reduced {
	t.Helper()
	o.Ticks = ticksOf(g)
	r, err := reduce.New(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// searched adds one of so many parts.
func searched(t *testing.T, r *reduce.Reduced, part, of int, into *reduce.Partial) {
	t.Helper()
	cut := func(units int) (first, last int) { return units * part / of, units * (part + 1) / of }
	if err := r.SearchPart(context.Background(), cut, into); err != nil {
		t.Fatal(err)
	}
}

// TestReusedFlows: with the flows of every second core known, scores have the bits of a full search, also where another
// process searched a part and knew nothing.
func TestReusedFlows(t *testing.T) {
	make, known := kinds(), int64(0)
	for _, name := range slices.Sorted(maps.Keys(make)) {
		for seed := range uint64(12) {
			g := make[name](rand.New(rand.NewPCG(seed, 3))).graph(t)
			o := reduce.Options{Threads: 2}
			if seed%2 == 1 {
				o = o.AllLarge()
			}
			path := filepath.Join(t.TempDir(), "reuse.bin")
			store := reuse.New(path, "test", 1<<20)
			full := planOf(t, g, o)
			full.Reuse(store)
			all := full.NewPartial()
			searched(t, full, 0, 1, all)
			flows := full.Flows(all)
			wantNodes, wantEdges := full.Scores(flows)
			full.KeepEverySecond(flows)
			if err := store.Save(); err != nil {
				t.Fatal(err)
			}
			if err := store.Load(); err != nil {
				t.Fatal(err)
			}
			again, other := planOf(t, g, o), planOf(t, g, o)
			found := again.Reuse(store)
			if known += found.Blocks; found.Blocks < (found.Of+1)/2 {
				t.Fatalf("%s, seed %d: %+v", name, seed, found)
			}
			all = again.NewPartial()
			searched(t, other, 0, 3, all)
			searched(t, again, 1, 3, all)
			searched(t, again, 2, 3, all)
			nodes, edges := again.Scores(again.Flows(all))
			if !slices.Equal(nodes, wantNodes) || !slices.Equal(edges, wantEdges) {
				t.Fatalf("%s, seed %d: other bits than those of a full search", name, seed)
			}
		}
	}
	if known == 0 {
		t.Error("nothing was reused")
	}
}

// bitsOfFlows is the hash of the flows of the graphs of TestFlowsKeepTheirBits.
const bitsOfFlows = "387fac9e619edb6579f83c63146b8dfa0f5c2513528785b64bc2b72587f5b504"

// TestFlowsKeepTheirBits: a search finds the bits that it found when flows were kept. If it is to find others, raise
// the number in kind of internal/cores/known.go, so that flows that were kept before are not found, and write the new
// hash here.
func TestFlowsKeepTheirBits(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors may fuse additions with multiplications; files of reuse name the architecture")
	}
	make, h := kinds(), reuse.NewHasher("flows")
	for _, name := range slices.Sorted(maps.Keys(make)) {
		for seed := range uint64(8) {
			o := reduce.Options{Threads: 2}
			if seed%2 == 1 {
				o = o.AllLarge()
			}
			r := planOf(t, make[name](rand.New(rand.NewPCG(seed, 4))).graph(t), o)
			all := r.NewPartial()
			searched(t, r, 0, 1, all)
			for _, flow := range r.Flows(all) {
				h.Floats(flow.Values())
			}
		}
	}
	if got := fmt.Sprintf("%x", h.Key()); got != bitsOfFlows {
		t.Errorf("flows have other bits: their hash is %s", got)
	}
}
