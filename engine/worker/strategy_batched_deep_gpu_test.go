//go:build cuda || emulate

package worker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// strip is a grid of so many nodes by 5 with random diagonals, parallel edges and self-loops, a star beside it, and a node alone.
func strip(t *testing.T, length int32, random *rand.Rand) *export.Graph {
	const width, leaves = 5, 9
	var links []graphtest.Link
	for i := range length {
		for j := range int32(width) {
			v := width*i + j
			if j+1 < width && random.IntN(8) > 0 {
				links = append(links, graphtest.Link{From: v, To: v + 1, Weight: 1})
			}
			if i+1 < length {
				links = append(links, graphtest.Link{From: v, To: v + width, Weight: 1})
			}
			switch random.IntN(12) {
			case 0:
				links = append(links, graphtest.Link{From: v, To: v, Weight: 1})
			case 1, 2:
				w := min(v+width+1, width*length-1)
				links = append(links, graphtest.Link{From: v, To: w, Weight: 1}, graphtest.Link{From: w, To: v, Weight: 1})
			}
		}
	}
	hub := width * length
	for leaf := range int32(leaves) {
		links = append(links, graphtest.Link{From: hub, To: hub + 1 + leaf, Weight: 1})
	}
	return graphtest.Links(t, int(hub)+leaves+2, false, false, links)
}

// TestBatchedDeep: on deep graphs sources that are near make batches of 128, or 64; the others are searched level by level.
func TestBatchedDeep(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(8, 9))
	for i := range devicetest.Sized(40, 2) {
		g := strip(t, int32(devicetest.Sized(100, 30)+random.IntN(20)), random)
		all := kernels.Request{Nodes: true, Edges: i%2 == 0, Params: kernels.Params{Endpoints: i%3 == 0}}
		few := all
		for v := range int32(g.N()) {
			if v%64 < 24 || random.IntN(9) == 0 {
				few.Sources = append(few.Sources, v)
			}
		}
		for _, r := range []kernels.Request{all, few} {
			if devicetest.Emulated && r.Sources == nil && i > 0 {
				continue
			}
			notes := checkBatched(t, d, fmt.Sprintf("strip %d", i), g, r)
			if !strings.Contains(notes, "128 lanes") || !strings.Contains(notes, "teams of a block") {
				t.Errorf("strip %d: %s", i, notes)
			}
		}
	}
}

// TestBatchedDeepMemory: whichever allocation fails, all is freed, and no run takes more than it planned, however little there is.
func TestBatchedDeepMemory(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Ring(t, 300, 0)
	m, _ := kernels.Lookup("betweenness")
	r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		got, err := compute(t, &devicetest.Failing{Device: d, At: n}, batched{}, g, m, r)
		if d.Ledger().Used != 0 {
			t.Fatalf("allocation %d: %d bytes left", n, d.Ledger().Used)
		}
		if err == nil {
			if !same(want.Nodes, got.Nodes) || !same(want.Edges, got.Edges) {
				t.Error("other scores after faults")
			}
			break
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 100 {
			t.Fatalf("allocation %d: %v", n, err)
		}
	}
	size := kernels.Size{Nodes: int64(g.N()), Edges: int64(g.M())}
	w := Want{Measure: m.Name, Nodes: true, Edges: true, Sources: g.N()}
	d.Ledger().Peak = 0
	plan, err := batched{}.Plan(size, w, d.Info(), d.Info().Free)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compute(t, d, batched{}, g, m, r); err != nil {
		t.Fatal(err)
	}
	if bound := plan.DeviceBytes + GraphBytes(size, batched{}.Parts(w, false)); d.Peak() > bound {
		t.Errorf("took %d bytes, planned %d", d.Peak(), bound)
	}
	info := gpu.Info{SMs: 132}
	most := fitDeepTeams(size, w, info, 1<<40)
	for free := most.bytes(size, w); free > 1<<10; free = free * 9 / 10 {
		t1 := fitDeepTeams(size, w, info, free)
		if t1.teams > 0 && t1.bytes(size, w) > free || t1.teams > most.teams || t1.slots < t1.teams {
			t.Fatalf("%+v for %d bytes", t1, free)
		}
	}
}
