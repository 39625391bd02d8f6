//go:build cuda || emulate

package deep

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// strip is a grid of so many nodes by 5 with random diagonals, parallel edges and self-loops, a star beside it, and a
// node alone.
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

// agree compares nodes and edges, in either precision, with the CPU, and shards with the whole; and returns the notes.
func agree(t *testing.T, d gpu.OpenDevice, name string, g *export.Graph, r kernels.Request) (notes string) {
	t.Helper()
	m, _ := kernels.Lookup("betweenness")
	r.Reduce = kernels.ReduceOff // the totals are compared, too
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, single := range []bool{false, true} {
		at := fmt.Sprintf("%s (n %d, m %d), single %t", name, g.N(), g.M(), single)
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: m.Name, Request: r, Single: single}
		enginetest.Agree(t, d, at, task)
		got, err := enginetest.Compute(t.Context(), d, task)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if got.Totals != want.Totals {
			t.Errorf("%s: totals %+v, want %+v", at, got.Totals, want.Totals)
		}
		notes += got.Note + "\n"
	}
	return notes
}

// TestStrips: on deep graphs sources that are near make batches of 128, or 64; the others are left.
func TestStrips(t *testing.T) {
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
			notes := agree(t, d, fmt.Sprintf("strip %d", i), g, r)
			if !strings.Contains(notes, "128 lanes") || !strings.Contains(notes, "teams of a block") {
				t.Errorf("strip %d: %s", i, notes)
			}
		}
	}
}

// TestCountsOfAnySize: nodes have exponents of their own, so that no source is left because of its counts. Sources on
// both chains make more entries than the stack of a batch in double precision holds, so those of a whole device may be
// left.
func TestCountsOfAnySize(t *testing.T) {
	if devicetest.Emulated && testing.Short() {
		t.Skip("many seconds on the emulated device; make cuda-emulate runs it")
	}
	d := devicetest.Open(t)
	for _, power := range []int32{120, 200, 1400, 2400} {
		r, bits := kernels.Request{Nodes: true, Edges: true}, int32(devicetest.Sized(2, 5))
		length := power / bits
		if devicetest.Emulated {
			r.Sources = []int32{0}
		}
		notes := agree(t, d, fmt.Sprintf("two chains of %d", length), enginetest.TwoChains(t, length, bits, false), r)
		double, single, _ := strings.Cut(notes, "\n")
		if strings.Contains(single, "left") || devicetest.Emulated && strings.Contains(double, "left") {
			t.Errorf("two chains of %d: %s", length, notes)
		}
	}
}

// TestSuits: graphs that the engine does not do are refused, with the reason.
func TestSuits(t *testing.T) {
	var star, spider []graphtest.Link
	for i := int32(1); i <= deepestRow+1; i++ {
		star = append(star, graphtest.Link{From: 0, To: i, Weight: 1})
	}
	for i := int32(1); i < 300; i++ {
		spider = append(spider, graphtest.Link{From: deepestRow + i, To: deepestRow + i + 1, Weight: 1})
	}
	spider = append(spider, star...)
	for _, c := range []struct {
		graph *export.Graph
		why   string
	}{
		{graphtest.Ring(t, 300, 0), ""},
		{graphtest.Ring(t, 300, 600), "the graph is shallow"},
		{graphtest.Links(t, deepestRow+301, false, false, spider), "more than 512 arcs"},
		{graphtest.Ring(t, 60_010, 0), "more than 60000 hops"},
		{graphtest.Links(t, 2, true, false, []graphtest.Link{{From: 0, To: 1, Weight: 1}}), "directed"},
	} {
		j := &device.Job{Host: c.graph, Want: device.Want{Measure: "betweenness", Nodes: true, Size: device.SizeOf(c.graph)}}
		_, err := Engine{}.Prepare(j, gpu.Info{SMs: 2}, 1<<40)
		var unsuited *device.Unsuited
		refused := errors.As(err, &unsuited) && strings.Contains(unsuited.Why, c.why)
		if c.why == "" && err != nil || c.why != "" && !refused {
			t.Errorf("%d nodes: %v, want %q", c.graph.N(), err, c.why)
		}
		if (Engine{}).Suits(j) != (c.why == "") {
			t.Errorf("%d nodes: suits, or does not: %v", c.graph.N(), err)
		}
	}
}

// TestMasses: nodes that stand for several, as sources and as targets.
func TestMasses(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Ring(t, devicetest.Sized(1000, 150), 0)
	random := rand.New(rand.NewPCG(4, 4))
	masses := make([]float64, g.N())
	for v := range masses {
		masses[v] = float64(1 + random.IntN(5))
	}
	nodes, edges := oracle.Massed(g, masses)
	for _, single := range []bool{false, true} {
		task := enginetest.Task{
			Engine: Engine{}, Graph: g, Measure: "betweenness", Single: single,
			Request: kernels.Request{Nodes: true, Edges: single}, Change: enginetest.WithMasses("betweenness", masses),
		}
		var whole []float64
		for _, task.Shards = range []int{1, 3} {
			got, err := enginetest.Compute(t.Context(), d, task)
			if err != nil || len(got.Left) > 0 {
				t.Fatalf("%v, %d sources left", err, len(got.Left))
			}
			sums := got.Partial.Nodes.Values()
			if difference, where := enginetest.Worst(sums, nodes); difference > 1e-5 {
				t.Errorf("nodes, single %t: %s", single, where)
			}
			if whole = append(whole, sums...); !slices.Equal(sums, whole[:len(sums)]) {
				t.Errorf("single %t: other bits in %d shards", single, task.Shards)
			}
			if !single {
				continue
			}
			if difference, where := enginetest.Worst(got.Partial.Edges.Values(), edges); difference > 1e-5 {
				t.Errorf("edges: %s", where)
			}
		}
	}
}

// watched notes the passes that runs of the engine ask for.
type watched struct {
	Engine
	later *int
}

func (w watched) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	p, err := w.Engine.Prepare(j, d, free)
	return watching{p, w.later}, err
}

type watching struct {
	device.Prepared
	later *int
}

func (w watching) Run(ctx context.Context, d gpu.Device, j *device.Job) (device.Result, error) {
	r, err := w.Prepared.Run(ctx, d, j)
	*w.later = max(*w.later, r.Pass)
	return r, err
}

// TestPassesOfShards: what shards leave to the second pass makes the batches of a whole run.
func TestPassesOfShards(t *testing.T) {
	d := devicetest.Open(t)
	const heavy = 22 // counts of 1 to 2^110 meet at the nodes of a heavy chain
	length := int32(devicetest.Sized(1000, 150))
	var links []graphtest.Link
	for i := range length {
		links = append(links, graphtest.Link{From: i, To: i + 1, Weight: 1})
		for range 31 {
			if i < heavy || i >= length-heavy {
				links = append(links, graphtest.Link{From: i, To: i + 1, Weight: 1})
			}
		}
	}
	later := 0
	task := enginetest.Task{
		Engine: watched{later: &later}, Graph: graphtest.Links(t, int(length)+1, false, false, links),
		Measure: "betweenness", Request: kernels.Request{Nodes: true, Edges: true}, Single: true,
	}
	enginetest.Agree(t, d, "a path with heavy ends", task)
	if later != batches.DoublePass {
		t.Error("no shard left sources to a second pass")
	}
}

// TestMemory: whichever allocation fails, all is freed, and no run takes more than it planned, however little there is.
func TestMemory(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Ring(t, devicetest.Sized(300, 80), 0)
	r := kernels.Request{Nodes: true, Edges: true}
	task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Request: r}
	enginetest.AllocationsFail(t, d, "ring", task)
	enginetest.WithinMemory(t, d, "ring", task)
	w := device.Want{Measure: "betweenness", Nodes: true, Edges: true, Sources: g.N(), Size: device.SizeOf(g)}
	info := gpu.Info{SMs: 132}
	most, _ := fitTeams(w, info, 1<<40)
	for free := most.bytes(w); free > 1<<10; free = free * 9 / 10 {
		t1, least := fitTeams(w, info, free)
		if t1.teams > 0 && t1.bytes(w) > free || t1.teams > most.teams || t1.teams == 0 && least <= free {
			t.Fatalf("%+v for %d bytes, least %d", t1, free, least)
		}
	}
}

// withProfile has the engine count what it does.
func withProfile(j *device.Job) { j.Profile = true }

// TestProfile: the counts are what any search makes at least, and the scores are those of the kernel that does not
// count.
func TestProfile(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Ring(t, devicetest.Sized(3000, 200), 0)
	r := kernels.Request{Nodes: true}
	task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Request: r, Single: true}
	plain, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatal(err)
	}
	task.Change = withProfile
	counted, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(plain.Nodes, counted.Nodes) {
		t.Error("other scores with counters")
	}
	got, all := counted.Profile, int64(g.N())
	// Which nodes are counted in several entries, and how often distances are lowered, is up to the order of the warps.
	if got.Batches != (all+order.SingleLanes-1)/order.SingleLanes || got.Entries < all*got.Batches ||
		got.Levels < got.Batches {
		t.Errorf("%+v", *got)
	}
	// Both arcs of an entry are looked at forwards and backwards, and before that those of each node, for its distances.
	// An entry sums up a row at least, unless it is a source's, and one for each look at most.
	looks := 2 * 2 * got.Entries
	if got.Arcs < looks+2*all*got.Batches || got.Arcs%2 != 0 || got.Rows < got.Entries-all || got.Rows > looks {
		t.Errorf("%+v", *got)
	}
}
