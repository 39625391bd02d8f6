package hops

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// TestFits: whatever memory there is, the teams fit into it and onto the device.
func TestFits(t *testing.T) {
	d := gpu.Info{SMs: 132, SharedBlock: 1 << 17}
	for _, want := range []device.Want{
		{Measure: "closeness", Nodes: true, Sources: 1}, {Measure: "closeness", Nodes: true, Edges: true},
		{Measure: "harmonic", Edges: true, Sources: 5000}, {Measure: "volume", Nodes: true},
		{Measure: device.Distances, Summary: true},
	} {
		for _, size := range []kernels.Size{
			{Nodes: 1}, {Nodes: 5000, Edges: 90_000}, {Nodes: 1 << 20, Edges: 3 << 20},
			{Nodes: 1 << 20, Edges: 44 << 20, Directed: true},
		} {
			w := want
			if w.Size = size; w.Sources == 0 {
				w.Sources = int(size.Nodes)
			}
			for free := int64(1 << 20); free < 1<<38; free *= 2 {
				for _, deep := range []bool{false, true} {
					checkFit(t, w, d, deep, free)
				}
			}
		}
	}
}

func checkFit(t *testing.T, w device.Want, d gpu.Info, deep bool, free int64) {
	t.Helper()
	at := fmt.Sprintf("%+v, %d bytes free, deep %t", w, free, deep)
	s, least, ok := fit(w, d, deep, free)
	if ok != (least <= free) || ok && least != s.bytes(w) {
		t.Fatalf("%s: %+v takes %d bytes, fits %t", at, s, least, ok)
	}
	if !ok {
		return
	}
	if again, _, _ := fit(w, d, deep, least); again != s {
		t.Errorf("%s: planned %+v, and %+v in what that takes", at, s, again)
	}
	if s.team.blocks < 1 || s.team.blocks*s.team.teams > d.SMs*blocksPerSM {
		t.Errorf("%s: %+v", at, s)
	}
	if kernelOf(s.team.lanes, s.kind).Name == "" {
		t.Errorf("%s: no kernel for %+v", at, s)
	}
}

// TestSaysWhatItNeeds: too little memory is an error that says how much is needed.
func TestSaysWhatItNeeds(t *testing.T) {
	g := graphtest.Ring(t, 5000, 0)
	j := &device.Job{Host: g, Want: device.Want{Measure: "closeness", Nodes: true, Sources: 10, Size: device.SizeOf(g)}}
	_, err := Engine{}.Prepare(j, gpu.Info{SMs: 132}, 1<<10)
	if large := (*gpu.TooLarge)(nil); !errors.As(err, &large) || large.Need <= 1<<10 {
		t.Errorf("error %v, want one of a plan that is too large", err)
	}
}

// TestPoint: sums of any number of sources fit, and so does what the host makes of them.
func TestPoint(t *testing.T) {
	for nodes := 2; nodes < 1<<31; nodes *= 3 {
		for sources := 1; sources <= nodes; sources *= 5 {
			scale := exact.For(2*float64(nodes), 4*int64(sources))
			for _, wide := range []bool{false, true} {
				n := numbers{fold: kernels.FoldInverse, wide: wide}
				point := n.point(scale, sources)
				if point > mostPoint || point > math.Ilogb(scale.Unit)+math.Ilogb(scale.Fine) {
					t.Errorf("%d nodes, %d sources, wide %t: %d bits for %+v", nodes, sources, wide, point, scale)
				}
				if !wide && float64(sources) > math.Ldexp(1, 64-point) || wide && float64(sources) > math.Ldexp(1, 96-point) {
					t.Errorf("%d sources, wide %t: %d bits leave no room", sources, wide, point)
				}
				if point < 32 {
					t.Errorf("%d nodes, %d sources, wide %t: %d bits", nodes, sources, wide, point)
				}
			}
		}
	}
}
