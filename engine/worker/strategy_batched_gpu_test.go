//go:build cuda || emulate

package worker

import (
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
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// checkBatched compares nodes and edges, in either precision, with the CPU; and a second run bit by bit.
func checkBatched(t *testing.T, d gpu.OpenDevice, name string, g *export.Graph, r kernels.Request) (notes string) {
	t.Helper()
	m, _ := kernels.Lookup("betweenness")
	r.Reduce = kernels.ReduceOff // the totals are compared, too
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	for single, bound := range map[bool]float64{false: 1e-9, true: 1e-5} {
		at := fmt.Sprintf("%s (n %d, m %d, directed %t), single %t", name, g.N(), g.M(), g.Directed, single)
		got, err := onDevice(t.Context(), d, g, m.Name, r, "batched", single)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
			if difference, where := enginetest.Worst(part[0], part[1]); difference > bound {
				t.Errorf("%s: %s", at, where)
			}
		}
		if got.Totals != want.Totals {
			t.Errorf("%s: totals %+v, want %+v", at, got.Totals, want.Totals)
		}
		again, err := onDevice(t.Context(), d, g, m.Name, r, "batched", single)
		if err != nil || !sameBits(again, got) {
			t.Errorf("%s: other bits the second time, %v", at, err)
		}
		notes += got.note + "\n"
	}
	return notes
}

func TestBatched(t *testing.T) {
	d := devicetest.Open(t)
	m, _ := kernels.Lookup("betweenness")
	graphs := append(enginetest.Nasty(t, false),
		enginetest.Named{Name: "grid", Graph: graphtest.Grid(t, int32(devicetest.Sized(100, 12)), false)})
	random := rand.New(rand.NewPCG(3, 5))
	for i := range devicetest.Sized(150, 4) {
		graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i),
			Graph: enginetest.Random(t, random, i, false)})
	}
	restore := order.CountsBalls
	defer func() { order.CountsBalls = restore }()
	for i, g := range graphs {
		order.CountsBalls = i % 2 * restore
		checkBatched(t, d, g.Name, g.Graph, enginetest.Request(m, i, g.Graph))
	}
}

// TestBatchedCountsOfAnySize: where lanes are scaled level by level, as on directed graphs, counts that pass the range
// of float32 are repeated in float64, those that pass that too by one search each. On deep undirected graphs nodes have
// exponents of their own.
func TestBatchedCountsOfAnySize(t *testing.T) {
	long(t)
	d := devicetest.Open(t)
	for power, oneByOne := range map[int32]bool{120: false, 200: false, 1400: false, 2400: true} {
		r, bits := kernels.Request{Nodes: true, Edges: true}, int32(devicetest.Sized(2, 5))
		length := power / bits
		if devicetest.Emulated {
			r.Sources = []int32{0}
		}
		for _, directed := range []bool{false, true} {
			notes := checkBatched(t, d, fmt.Sprintf("two chains of %d", length),
				enginetest.TwoChains(t, length, bits, directed), r)
			if strings.Contains(notes, "one by one") != (oneByOne && directed) {
				t.Errorf("two chains of %d, directed %t: %s", length, directed, notes)
			}
		}
	}
}
