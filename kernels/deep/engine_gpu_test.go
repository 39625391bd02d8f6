//go:build cuda || emulate

package deep

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
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
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

// agree compares nodes and edges, in either precision, with the CPU, and shards with the whole; and returns the notes.
func agree(t *testing.T, d gpu.OpenDevice, name string, g *export.Graph, r kernels.Request) (notes string) {
	t.Helper()
	m, _ := kernels.Lookup("betweenness")
	r.Reduce = kernels.ReduceOff // the totals are compared, too
	want, err := m.CPU(t.Context(), g, r)
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

// twoChains are chains of the given length from node 0, one of them with 2^bits edges per hop, so that a level holds counts of 1
// and 2^(bits length).
func twoChains(t *testing.T, length, bits int32) *export.Graph {
	var links []graphtest.Link
	for i := range length {
		from := [2]int32{2*i - 1, 2 * i}
		if i == 0 {
			from = [2]int32{0, 0}
		}
		links = append(links, graphtest.Link{From: from[0], To: 2*i + 1, Weight: 1})
		for range 1 << bits {
			links = append(links, graphtest.Link{From: from[1], To: 2*i + 2, Weight: 1})
		}
	}
	return graphtest.Links(t, int(2*length)+1, false, false, links)
}

// TestCountsOfAnySize: nodes have exponents of their own, so that no source is left because of its counts.
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
		notes := agree(t, d, fmt.Sprintf("two chains of %d", length), twoChains(t, length, bits), r)
		if strings.Contains(notes, "left") {
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
		if c.why == "" && err != nil || c.why != "" && !(errors.As(err, &unsuited) && strings.Contains(unsuited.Why, c.why)) {
			t.Errorf("%d nodes: %v, want %q", c.graph.N(), err, c.why)
		}
		if (Engine{}).Suits(j) != (c.why == "") {
			t.Errorf("%d nodes: suits, or does not: %v", c.graph.N(), err)
		}
	}
}
