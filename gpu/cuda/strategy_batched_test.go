package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// ring is a ring of n nodes with chords random chords.
func ring(t *testing.T, n, chords int) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	b := export.NewBuilder(export.Group{Orientation: export.Undirected, Parallel: export.Keep})
	ids := make([]int64, n)
	var r export.Rels
	for i := range ids {
		ids[i] = int64(i)
		r.Source, r.Target = append(r.Source, int32(i)), append(r.Target, int32((i+1)%n))
	}
	for range chords {
		r.Source, r.Target = append(r.Source, int32(random.IntN(n))), append(r.Target, int32(random.IntN(n)))
	}
	b.AddNodes(ids)
	if _, err := b.Freeze(); err != nil {
		t.Fatal(err)
	}
	if err := b.AddRelationships(r); err != nil {
		t.Fatal(err)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph
}

func TestBatchOrderHasEveryNodeOnce(t *testing.T) {
	for _, g := range []*export.Graph{ring(t, 1, 0), ring(t, 2, 0), ring(t, 1000, 0), ring(t, 1000, 300), ring(t, 300, 6000)} {
		for _, deep := range []bool{false, true} {
			order := batchOrder(g, deep)
			sorted := slices.Sorted(slices.Values(order))
			for i, v := range sorted {
				if int(v) != i {
					t.Fatalf("n %d, deep %t: node %d at %d of the sorted order", g.N(), deep, v, i)
				}
			}
			if len(order) != g.N() {
				t.Errorf("n %d, deep %t: %d nodes in the order", g.N(), deep, len(order))
			}
		}
	}
}

// TestBatchesAreNeighbours: on a ring, 32 sources in a row of the order lie within a few balls.
func TestBatchesAreNeighbours(t *testing.T) {
	g := ring(t, 6400, 0)
	order := batchOrder(g, true)
	for first := 0; first+deepLanes <= len(order); first += deepLanes {
		batch := slices.Clone(order[first : first+deepLanes])
		slices.Sort(batch)
		gap := 0 // the greatest stretch of the ring without a source of the batch
		for i, v := range batch {
			next := int(batch[(i+1)%len(batch)])
			gap = max(gap, (next-int(v)+g.N())%g.N())
		}
		if g.N()-gap > 4*deepLanes {
			t.Fatalf("batch %v spans %d nodes of the ring", batch, g.N()-gap)
		}
	}
}

func TestIsDeep(t *testing.T) {
	if g := ring(t, 5000, 0); !isDeep(g) {
		t.Error("a ring is not deep")
	}
	if g := ring(t, 5000, 20000); isDeep(g) {
		t.Error("a random graph is deep")
	}
}

// TestTeamsFitWhatIsPlanned: whatever memory there is, Run fits the same teams into what Plan says as Plan did.
func TestTeamsFitWhatIsPlanned(t *testing.T) {
	d := Info{SMs: 132, SharedBlock: 1 << 17}
	for _, size := range []kernels.Size{{Nodes: 1}, {Nodes: 5000, Edges: 90_000}, {Nodes: 1 << 20, Edges: 3 << 20}, {Nodes: 1 << 20, Edges: 44 << 20, Directed: true}} {
		for _, w := range []Want{{Nodes: true, Sources: 1}, {Nodes: true, Edges: true, Sources: int(size.Nodes)}, {Edges: true, Single: true, Sources: 5000}} {
			w.Measure = "betweenness"
			for free := int64(1 << 20); free < 1<<38; free *= 2 {
				plan, err := batched{}.Plan(size, w, d, free)
				if err != nil {
					continue
				}
				if plan.DeviceBytes > free {
					t.Fatalf("%v, %v: planned %d bytes of %d", size, w, plan.DeviceBytes, free)
				}
				for _, deep := range []bool{false, true} {
					planned, _ := fitTeams(size, w, d, deep, free)
					run, least := fitTeams(size, w, d, deep, plan.DeviceBytes)
					if run != planned {
						t.Errorf("%v, %v, %d bytes free, deep %t: planned %+v, runs %+v (least %d)", size, w, free, deep, planned, run, least)
					}
				}
			}
		}
	}
}

func TestBatchedSaysWhatItNeeds(t *testing.T) {
	_, err := batched{}.Plan(kernels.Size{Nodes: 1 << 20, Edges: 1 << 22}, Want{Measure: "betweenness", Nodes: true, Sources: 10}, Info{SMs: 132}, 1<<20)
	if _, ok := err.(*TooLarge); !ok {
		t.Errorf("error %v, want one of a plan that is too large", err)
	}
}

func TestAutoLeavesRoadsToOthers(t *testing.T) {
	w := Want{Measure: "betweenness", Nodes: true}
	for want, g := range map[string]*export.Graph{"work-efficient": ring(t, 5000, 0), "batched": ring(t, 5000, 20000)} {
		s, _, err := find(suited(Strategies(), "auto", g), "auto", w, false, Info{SMs: 1})
		if err != nil || s.Name() != want {
			t.Errorf("auto takes %v (%v), want %s", s, err, want)
		}
	}
	s, _, err := find(suited(Strategies(), "batched", ring(t, 5000, 0)), "batched", w, false, Info{SMs: 1})
	if err != nil || s.Name() != "batched" {
		t.Errorf("asked for batched: %v, %v", s, err)
	}
}
