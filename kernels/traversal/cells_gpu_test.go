//go:build cuda || emulate

package traversal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// rowsOf is a random graph in two parts, with parallel edges, loops and nodes without edges, whose nodes have about so
// many arcs; with wide one has many more.
func rowsOf(t *testing.T, n int32, arcs int, wide bool) enginetest.Named {
	random := rand.New(rand.NewPCG(uint64(n), uint64(arcs)))
	var links []graphtest.Link
	for v := range n - 3 {
		for range arcs / 2 {
			to := min(max(0, v+random.Int32N(21)-10), n-4)
			if (v < n/4) == (to < n/4) {
				links = append(links, graphtest.Link{From: v, To: to, Weight: 1})
			}
		}
	}
	for k := 0; wide && k < 3*arcs; k++ {
		links = append(links, graphtest.Link{From: n / 2, To: n/4 + random.Int32N(n/4), Weight: 1})
	}
	return enginetest.Named{Name: "rows", Graph: graphtest.Links(t, int(n), false, false, links)}
}

// TestCells: rows in cells of each size give the same scores, bit by bit, in the order of a search or not.
func TestCells(t *testing.T) {
	d := devicetest.Open(t)
	agreeInCells(t, d, 2)
	agreeInCells(t, littleShared{d, 160}, 1)
}

// agreeInCells compares rows in cells with rows as they are, of graphs whose nodes have so many bits in shared memory.
func agreeInCells(t *testing.T, d gpu.Device, bits int64) {
	t.Helper()
	sizes := map[int64]bool{}
	for i, arcs := range []int{2, 4, 8, 14, 26} {
		g := rowsOf(t, 700, arcs, bits == 2)
		r := kernels.Request{Params: kernels.Params{Endpoints: i%2 == 0}, Nodes: true,
			Sources: kernels.DrawSources(g.Graph.N(), 90, 1)}
		if i == 3 && bits == 2 {
			r.Pairs = &kernels.Pairs{Within: 4}
		}
		plain := named(t, "work-efficient").(Engine)
		plain.cellDegree, plain.renumbersFrom = 0, 0
		task := enginetest.Task{Engine: plain, Graph: g.Graph, Measure: "betweenness", Request: r}
		want, err := enginetest.Compute(t.Context(), d, task)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []int64{0, 1} {
			other := plain
			other.cellDegree, other.renumbersFrom = 1, from
			task.Engine, task.Change = other, func(j *device.Job) {
				if s := other.layout(j.Want, j.Host, false, d.Info()).cells; s.bits == bits {
					sizes[s.quads] = true
				}
			}
			got, err := enginetest.Compute(t.Context(), d, task)
			if err != nil || !enginetest.SameBits(got, want) || got.Totals != want.Totals {
				t.Errorf("%d arcs per node: other scores in cells, %v", arcs, err)
			}
		}
		if whole, ok := d.(*built.GPU); ok {
			planned(t, whole, task)
		}
		agree(t, d, g, task)
	}
	for _, quads := range cellQuads {
		if !sizes[quads] && (bits == 2 || quads < 8) { // rows of 32 arcs fit others
			t.Errorf("%d bits: no graph has cells of %d times four targets: %v", bits, quads, sizes)
		}
	}
}

// TestEveryAllocationOfCellsFails is TestEveryAllocationFails for rows in cells.
func TestEveryAllocationOfCellsFails(t *testing.T) {
	d := devicetest.Open(t)
	everyAllocationFails(t, d, enginetest.Task{
		Engine: named(t, "work-efficient"), Graph: rowsOf(t, 80, 4, true).Graph, Measure: "betweenness",
		Request: kernels.Request{Nodes: true},
	})
}

// TestWideInCells: sources whose counts pass float64 are counted again in wide numbers, by the names that cells give.
func TestWideInCells(t *testing.T) {
	d := devicetest.Open(t)
	g := fork(t, 390, 800, false)
	e := named(t, "work-efficient").(Engine)
	e.cellDegree = 1
	r := kernels.Request{Nodes: true, Sources: []int32{0, 1, 2}}
	for v := range int32(cellSources) { // most are near one another, where counts are small
		r.Sources = append(r.Sources, int32(g.N())-1-v)
	}
	for bits, on := range map[int64]gpu.Device{2: d, 1: littleShared{d, 300}} {
		in := cells{}
		task := enginetest.Task{Engine: e, Graph: g, Measure: "betweenness", Request: r, Change: func(j *device.Job) {
			in = e.layout(j.Want, j.Host, false, on.Info()).cells
		}}
		if got := asOnCPU(t, on, task, 1e-9); in.bits != bits || !strings.Contains(got.Note, "wide") {
			t.Errorf("%+v, not of %d bits: %q", in, bits, got.Note)
		}
	}
}
