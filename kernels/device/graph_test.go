package device

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
)

// directed is 0->1 (twice), 0->2, 2->1, 1->1.
func directed() *export.Graph {
	return &export.Graph{
		Directed: true, EdgeCount: 5, Offsets: []int64{0, 3, 4, 5}, Targets: []int32{1, 1, 2, 1, 1},
		Weights: []float64{1, 2, 3, 4, 5},
	}
}

// path is 0 - 1 - 2.
func path() *export.Graph {
	return &export.Graph{EdgeCount: 2, Offsets: []int64{0, 1, 3, 4}, Targets: []int32{1, 0, 2, 1},
		Edges: []int32{0, 0, 1, 1}}
}

func TestUpload(t *testing.T) {
	d := devicetest.NewFake(t)
	all := Parts{Edges: true, Tails: true, Weights: true, Ticks: true, Transpose: true}
	g, err := UploadGraph(d, directed(), all, []int64{10, 20, 30, 40, 50})
	if err != nil {
		t.Fatal(err)
	}
	for name, diff := range map[string]string{
		"offsets":   cmp.Diff([]int64{0, 3, 4, 5}, devicetest.Read[int64](t, d, g.Offsets, 4)),
		"targets":   cmp.Diff([]int32{1, 1, 2, 1, 1}, devicetest.Read[int32](t, d, g.Targets, 5)),
		"tails":     cmp.Diff([]int32{0, 0, 0, 1, 2}, devicetest.Read[int32](t, d, g.Tails, 5)),
		"weights":   cmp.Diff([]float64{1, 2, 3, 4, 5}, devicetest.Read[float64](t, d, g.Weights, 5)),
		"ticks":     cmp.Diff([]int64{10, 20, 30, 40, 50}, devicetest.Read[int64](t, d, g.Ticks, 5)),
		"in":        cmp.Diff([]int64{0, 0, 4, 5}, devicetest.Read[int64](t, d, g.In.Offsets, 4)),
		"in heads":  cmp.Diff([]int32{0, 0, 1, 2, 0}, devicetest.Read[int32](t, d, g.In.Targets, 5)),
		"in edges":  cmp.Diff([]int32{0, 1, 3, 4, 2}, devicetest.Read[int32](t, d, g.In.Edges, 5)),
		"in ticks":  cmp.Diff([]int64{10, 20, 40, 50, 30}, devicetest.Read[int64](t, d, g.In.Ticks, 5)),
		"in weight": cmp.Diff([]float64{1, 2, 4, 5, 3}, devicetest.Read[float64](t, d, g.In.Weights, 5)),
	} {
		if diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if g.Edges != 0 {
		t.Error("edge numbers were uploaded though arc i is edge i")
	}
	undirected, err := UploadGraph(d, path(), Parts{Transpose: true}, nil)
	if err != nil || undirected.In != undirected || undirected.Edges != 0 || undirected.Tails != 0 {
		t.Errorf("%+v, %v", undirected, err)
	}
}

func TestGraphBytesBoundsUpload(t *testing.T) {
	for _, g := range []*export.Graph{directed(), path(), {Offsets: []int64{0}},
		{Directed: true, Offsets: []int64{0, 0}}} {
		for bits := range 32 {
			p := Parts{Edges: bits&1 > 0, Tails: bits&2 > 0, Weights: bits&4 > 0, Ticks: bits&8 > 0, Transpose: bits&16 > 0}
			d := devicetest.NewFake(t)
			if _, err := UploadGraph(d, g, p, make([]int64, g.Arcs())); err != nil {
				t.Fatal(err)
			}
			size := SizeOf(g)
			if bound := GraphBytes(size, p); d.Peak() > bound {
				t.Errorf("%+v of %+v takes %d bytes, over the bound of %d", p, size, d.Peak(), bound)
			}
		}
	}
}

func TestArena(t *testing.T) {
	d := devicetest.NewFake(t)
	a := &gpu.Arena{Device: d}
	p, err := a.Alloc(10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gpu.Zeros[int32](a, 5); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Free(p), a.Free(0)); err != nil {
		t.Error(err)
	}
	if a.Free(p) == nil {
		t.Error("freed twice")
	}
	if err := a.Release(); err != nil || len(d.Ledger().Left()) != 0 || d.Ledger().Used != 0 || d.Peak() != 30 {
		t.Errorf("after release: %v, %+v", err, d.Ledger())
	}
}

func TestFailedUploadsLeaveNothing(t *testing.T) {
	for n := 1; ; n++ {
		d := devicetest.NewFake(t)
		a := &gpu.Arena{Device: &devicetest.Failing{Device: d, At: n}}
		_, err := UploadGraph(a, directed(), Parts{Tails: true, Weights: true, Transpose: true}, nil)
		if release := a.Release(); release != nil || len(d.Ledger().Left()) != 0 {
			t.Fatalf("allocation %d: %v, left %v", n, release, d.Ledger().Left())
		}
		if err == nil {
			if n != 9 {
				t.Errorf("%d allocations", n-1)
			}
			return
		}
		if !errors.Is(err, gpu.ErrMemory) {
			t.Fatal(err)
		}
	}
}
