//go:build cuda || emulate

package volume

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// bitmaps is the engine that is the faster one everywhere.
var bitmaps = Engines()[0]

// agree compares the volumes of one radius with the CPU's, and shards with the whole.
func agree(t *testing.T, d gpu.Device, e device.Engine, g enginetest.Named, radius int) {
	t.Helper()
	r := kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}
	task := enginetest.Task{Engine: e, Graph: g.Graph, Measure: "volume", Request: r}
	enginetest.Agree(t, d, e.Name()+", "+g.At("volume", r), task)
	m, _ := kernels.Lookup("volume")
	got, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatal(err)
	}
	want, err := cpu.Compute(t.Context(), m, g.Graph, r)
	if err != nil {
		t.Fatal(err)
	}
	if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 0 {
		t.Errorf("%s, radius %d, %s: %s", e.Name(), radius, g.Name, where)
	}
}

// TestAgrees compares both engines with the CPU.
func TestAgrees(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(21, 3))
	graphs := append(enginetest.Nasty(t, false), enginetest.Batches(t, false, false), enginetest.Batches(t, true, false))
	for i := range devicetest.Sized(100, 12) {
		graphs = append(graphs, enginetest.Named{Name: "random", Graph: enginetest.Random(t, random, i, false)})
	}
	for i, g := range graphs {
		for _, e := range Engines() {
			agree(t, d, e, g, i%5)
		}
	}
}

// TestVolumes: hubs with long rows, and a graph whose bitmap does not fit in shared memory.
func TestVolumes(t *testing.T) {
	d := devicetest.Shown{OpenDevice: devicetest.Open(t)}
	if d.About = d.OpenDevice.Info(); devicetest.Emulated {
		d.About.SharedBlock = 2048 // for the last graph
	}
	for _, spec := range []generate.Spec{
		{Kind: generate.BarabasiAlbert, Nodes: devicetest.Sized(30_000, 700), Degree: 4, Seed: 1},
		{Kind: generate.BarabasiAlbert, Nodes: devicetest.Sized(30_000, 700), Degree: 1, Seed: 4},
		{Kind: generate.RMAT, Nodes: devicetest.Sized(1<<12, 1<<8), Degree: 16, Seed: 2},
		{Kind: generate.BarabasiAlbert, Nodes: devicetest.Sized(2_000_003, 3_001), Degree: 2, Seed: 3},
	} {
		s, err := generate.Graph(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		for radius := range 3 {
			agree(t, d, bitmaps, enginetest.Named{Name: string(spec.Kind), Graph: s.Graph}, radius)
		}
	}
}

// TestVolumesOfLeaves: leaves, which take their neighbour's volume, of a hub whose row a warp reads and of one whose
// row a block reads, among parallel edges, loops, edges with two leaves for ends, and edges among the hub's neighbours.
func TestVolumesOfLeaves(t *testing.T) {
	d := devicetest.Open(t)
	for _, hub := range []int32{40, 1500} {
		links := []graphtest.Link{
			{From: 0, To: 0}, {From: 1, To: 2}, {From: 1, To: 2}, {From: 3, To: 3}, {From: hub + 1, To: hub + 2},
			{From: hub + 3, To: hub + 3},
		}
		for v := int32(1); v <= hub; v++ {
			links = append(links, graphtest.Link{From: 0, To: v})
			if v%7 == 0 {
				links = append(links, graphtest.Link{From: 0, To: v}, graphtest.Link{From: v, To: v/2 + 1})
			}
		}
		for _, directed := range []bool{false, true} {
			g := graphtest.Links(t, int(hub)+6, directed, false, links)
			for radius := range 3 {
				agree(t, d, bitmaps, enginetest.Named{Name: "leaves", Graph: g}, radius)
			}
		}
	}
}

// TestManyParallelEdges: a volume of many more arcs than there are pairs of nodes is exact, too.
func TestManyParallelEdges(t *testing.T) {
	d := devicetest.Open(t)
	var links []graphtest.Link
	for i := range int32(3_000) {
		links = append(links, graphtest.Link{From: i % 5, To: i % 3})
	}
	g := enginetest.Named{Name: "many parallel edges", Graph: graphtest.Links(t, 6, false, false, links)}
	for _, e := range Engines() {
		agree(t, d, e, g, 2)
		agree(t, d, e, g, 3)
	}
}

// TestSomeSources: volumes of some nodes, in any order, those of leaves among them.
func TestSomeSources(t *testing.T) {
	d := devicetest.Open(t)
	links := []graphtest.Link{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 3, To: 4}}
	g := graphtest.Links(t, 6, false, false, links)
	m, _ := kernels.Lookup("volume")
	for radius := range 4 {
		r := kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		sources := []int32{4, 0, 5, 2}
		for v := range want.Nodes {
			if !slices.Contains(sources, int32(v)) {
				want.Nodes[v] = 0
			}
		}
		for _, e := range Engines() {
			task := enginetest.Task{Engine: e, Graph: g, Measure: "volume", Request: r, Change: func(j *device.Job) {
				j.Sources, j.All, j.Want.Sources = sources, false, len(sources)
			}}
			for _, task.Shards = range []int{1, 2, 3} {
				got, err := enginetest.Compute(t.Context(), d, task)
				if err != nil || !slices.Equal(got.Nodes, want.Nodes) {
					t.Errorf("%s, radius %d, %d shards: %v, %v; want %v", e.Name(), radius, task.Shards, got, err, want.Nodes)
				}
			}
		}
	}
}

// eachWay calls test for both engines, near and far.
func eachWay(t *testing.T, test func(e device.Engine, g *export.Graph, r kernels.Request)) {
	t.Helper()
	g := graphtest.Links(t, 7, true, false, []graphtest.Link{
		{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}, {From: 2, To: 3}, {From: 3, To: 4}, {From: 4, To: 4},
		{From: 5, To: 1},
	})
	for _, e := range Engines() {
		for _, radius := range []int{2, 3} {
			test(e, g, kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true})
		}
	}
}

// TestEveryAllocationFails: whichever fails, the error says so, all is freed, and the next run is right.
func TestEveryAllocationFails(t *testing.T) {
	d := devicetest.Open(t)
	eachWay(t, func(e device.Engine, g *export.Graph, r kernels.Request) {
		for n := 1; ; n++ {
			task := enginetest.Task{Engine: e, Graph: g, Measure: "volume", Request: r}
			_, err := enginetest.Compute(t.Context(), &devicetest.Failing{Device: d, At: n}, task)
			if d.Ledger().Used != 0 {
				t.Fatalf("%s, allocation %d: %d bytes left", e.Name(), n, d.Ledger().Used)
			}
			if err == nil {
				agree(t, d, e, enginetest.Named{Name: "after faults", Graph: g}, *r.Radius)
				return
			}
			if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
				t.Fatalf("%s, allocation %d: %v", e.Name(), n, err)
			}
		}
	})
}

// TestPlansBoundMemory: no engine takes more than it planned.
func TestPlansBoundMemory(t *testing.T) {
	d := devicetest.Open(t)
	eachWay(t, func(e device.Engine, g *export.Graph, r kernels.Request) {
		d.Ledger().Peak = 0
		var planned int64
		task := enginetest.Task{Engine: e, Graph: g, Measure: "volume", Request: r, Change: func(j *device.Job) {
			p, err := e.Prepare(j, d.Info(), d.Info().Free)
			if err != nil {
				t.Fatal(err)
			}
			planned = p.Plan().DeviceBytes + device.GraphBytes(j.Size, e.Parts(j.Want, true))
		}}
		if _, err := enginetest.Compute(t.Context(), d, task); err != nil {
			t.Fatal(err)
		}
		if d.Peak() > planned {
			t.Errorf("%s took %d bytes, planned %d", e.Name(), d.Peak(), planned)
		}
	})
}
