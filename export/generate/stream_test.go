package generate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestEdgesAreThoseOfTheGraph compares what is streamed with the graph in memory.
func TestEdgesAreThoseOfTheGraph(t *testing.T) {
	specs := append(small(), Spec{Kind: ErdosRenyi, Nodes: 900, Edges: 100_000, Weights: RealWeights},
		Spec{Kind: Grid, Width: 300, Height: 300}, Spec{Kind: BarabasiAlbert, Nodes: 40_000, Degree: 3})
	for _, s := range specs {
		t.Run(fmt.Sprint(s.Kind, s.Nodes, s.Scale, s.Copies), func(t *testing.T) {
			want, folder := make1(t, s), t.TempDir()
			var source, target []int32
			var weights []float64
			size, err := Edges(t.Context(), s, folder, func(b Batch) error {
				source, target = append(source, b.Source...), append(target, b.Target...)
				weights = append(weights, b.Weights...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if size.Nodes != want.Graph.N() || size.Edges != int64(want.Graph.M()) {
				t.Errorf("%+v; the graph has %d nodes and %d edges", size, want.Graph.N(), want.Graph.M())
			}
			if !slices.Equal(target, want.Rels.Targets) || !slices.IsSorted(source) {
				t.Error("other edges")
			}
			if s, err = s.complete(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(weights, edgeWeights(s.Weights, s.WeightSeed, 0, len(source))) {
				t.Error("other weights")
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("%d files are left, %v", len(left), err)
			}
		})
	}
}

// TestAStreamThatEndsLeavesNothing: neither an error of who takes the edges nor the end of the run leaves files.
func TestAStreamThatEndsLeavesNothing(t *testing.T) {
	folder, full := t.TempDir(), errors.New("it is full")
	s := Spec{Kind: RMAT, Scale: 12, Degree: 8}
	if _, err := Edges(t.Context(), s, folder, func(Batch) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Edges(ctx, s, folder, func(Batch) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	if _, err := Edges(t.Context(), s, folder+"/none", func(Batch) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v in a folder that is not there", err)
	}
}
