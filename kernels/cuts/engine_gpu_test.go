//go:build cuda || emulate

package cuts

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// keeperOn returns a keeper of the blocks of a graph, of so many nodes or more, and what frees its memory.
func keeperOn(t *testing.T, d gpu.Device, g *export.Graph, least int) (k *keeper, release func() error) {
	t.Helper()
	j := &device.Job{Host: g, Want: device.Want{Size: device.SizeOf(g)}}
	p, err := Engine{least: least}.Prepare(j, d.Info(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	memory := &gpu.Arena{Device: d}
	return newKeeper(&device.Calls{Ctx: t.Context(), Device: memory}, p.(prepared)), memory.Release
}

// sameCuts compares the cuts with a device, and their scores, bit by bit with those of the CPU. It returns how many
// blocks were on the device.
func sameCuts(t *testing.T, d gpu.Device, at string, g *export.Graph, least int, batch float64) int {
	t.Helper()
	o := communities.Options{Threads: 1, Bytes: 1 << 30, Batch: batch}
	want, err := communities.Find(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	k, release := keeperOn(t, d, g, least)
	o.Device = k
	got, err := communities.Find(t.Context(), g, o)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	if !slices.Equal(got.All, want.All) {
		i := 0
		for i < len(got.All) && got.All[i] == want.All[i] {
			i++
		}
		t.Fatalf("%s: cut %d of %d is %+v, the CPU has %+v", at, i, len(want.All), got.All[i], want.All[i])
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	return k.kept
}

// TestSameCuts: random graphs with parallel edges, loops and several components, in blocks of all sizes on the device,
// and in large ones alone.
func TestSameCuts(t *testing.T) {
	d := devicetest.Open(t)
	random, kept := rand.New(rand.NewPCG(47, 1)), 0
	for i := range devicetest.Sized(200, 10) {
		g := graphtest.Random(t, random, 2+random.IntN(devicetest.Sized(60, 24)), i%4 == 3, true, false)
		kept += sameCuts(t, d, fmt.Sprint("graph ", i), g, []int{1, 8}[i%2], []float64{0, 0, 0.03, 0.4}[i%4])
	}
	if kept == 0 {
		t.Error("no block was on the device")
	}
}

// TestShapes: deep rings with many ties, grids, trees of blocks, and dense groups on a ring.
func TestShapes(t *testing.T) {
	d := devicetest.Open(t)
	for name, g := range shapes(t) {
		for _, batch := range []float64{0, 0.05, 0.3} {
			if sameCuts(t, d, name, g, 3, batch) == 0 {
				t.Errorf("%s, batch %v: no block was on the device", name, batch)
			}
		}
	}
}

func shapes(t *testing.T) map[string]*export.Graph {
	random := rand.New(rand.NewPCG(47, 2))
	ring, grid, groups, size := []graphtest.Link{}, []graphtest.Link{}, []graphtest.Link{}, devicetest.Sized(40, 9)
	add := func(to *[]graphtest.Link, a, b int) {
		*to = append(*to, graphtest.Link{From: int32(a), To: int32(b), Weight: 1})
	}
	long, wide := devicetest.Sized(300, 30), devicetest.Sized(12, 4)
	for v := range long {
		add(&ring, v, (v+1)%long)
	}
	add(&ring, 0, long/3)
	for x := range wide {
		for y := range wide {
			if x > 0 {
				add(&grid, wide*x+y, wide*(x-1)+y)
			}
			if y > 0 {
				add(&grid, wide*x+y, wide*x+y-1)
			}
		}
	}
	for c := range 4 {
		for range 3 * size {
			add(&groups, c*size+random.IntN(size), c*size+random.IntN(size))
		}
		add(&groups, c*size, (c+1)%4*size+1)
	}
	return map[string]*export.Graph{
		"ring": graphtest.Links(t, long, false, false, ring), "grid": graphtest.Links(t, wide*wide, false, false, grid),
		"groups": graphtest.Links(t, 4*size, false, false, groups),
	}
}

// TestScores: nodes and edges of whole runs are those of the CPU, whichever groups are asked for, in shards and after
// an interruption.
func TestScores(t *testing.T) {
	d := devicetest.Open(t)
	g := shapes(t)["groups"]
	m, _ := kernels.Lookup("communities")
	for _, groups := range []int{0, 2, 5} {
		r := kernels.Request{Nodes: true, Edges: true}
		if groups > 0 {
			r.Groups = &groups
		}
		enginetest.Agree(t, d, enginetest.Named{Name: "groups", Graph: g}.At(m.Name, r),
			enginetest.Task{Engine: Engine{least: 3}, Graph: g, Measure: m.Name, Request: r})
	}
}

// TestJournal: a run that was interrupted goes on from its journal, and makes the same cuts.
func TestJournal(t *testing.T) {
	d := devicetest.Open(t)
	g, o := shapes(t)["groups"], communities.Options{Threads: 1, Bytes: 1 << 30}
	want, err := communities.Find(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	r := kernels.Request{Nodes: true, Journal: filepath.Join(t.TempDir(), "cuts"), JournalOf: "groups"}
	for _, groups := range []int{2, 4, g.N()} {
		r.Groups = &groups
		task := enginetest.Task{Engine: Engine{least: 3}, Graph: g, Measure: "communities", Request: r}
		if _, err := enginetest.Compute(t.Context(), d, task); err != nil {
			t.Fatal(err)
		}
	}
	run, err := communities.NewJournaled(g, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all, _ := run.Grouping(nil); all.Cuts != len(want.All) || all.Count != g.N() {
		t.Errorf("%d cuts and %d groups, want %d and %d", all.Cuts, all.Count, len(want.All), g.N())
	}
}

// TestMemory: no allocation may fail without an error, and no more memory is taken than was planned.
func TestMemory(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Random(t, rand.New(rand.NewPCG(47, 3)), 9, false, true, false)
	task := enginetest.Task{Engine: Engine{least: 3}, Graph: g, Measure: "communities",
		Request: kernels.Request{Nodes: true}}
	enginetest.AllocationsFail(t, d, "random", task)
	enginetest.WithinMemory(t, d, "random", task)
}
