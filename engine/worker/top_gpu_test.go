//go:build cuda || emulate

package worker

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestTop finds the highest scores by all strategies that can, which others refuse. What is not among them is dropped
// by who gave the order.
func TestTop(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(60, 3))
	for i := range devicetest.Sized(30, 6) {
		g := enginetest.Random(t, random, i, false)
		count := 1 + random.IntN(g.N())
		for _, measure := range []string{"closeness", "harmonic"} {
			m, _ := kernels.Lookup(measure)
			r := kernels.Request{Nodes: true, Params: kernels.Params{Top: &count}, Reduce: []string{"", "on", "off"}[i%3]}
			want, err := cpu.Compute(t.Context(), m, g, r)
			if err != nil {
				t.Fatal(err)
			}
			for _, strategy := range []string{"auto", "batched", "hops"} {
				at := fmt.Sprintf("top %d of %s of graph %d, %s", count, measure, i, strategy)
				got, err := onDevice(t.Context(), d, g, measure, r, strategy, false)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				if kept := cpu.KeepTop(got.Nodes, count); kept != want.Kept || got.strategy != "hops" {
					t.Errorf("%s: %d nodes by %s, want %d", at, kept, got.strategy, want.Kept)
				}
				if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 0 {
					t.Errorf("%s: %s", at, where)
				}
			}
			if _, err := onDevice(t.Context(), d, g, measure, r, "work-efficient", false); err == nil ||
				!strings.Contains(err.Error(), "does not compute") {
				t.Errorf("work-efficient: %v", err)
			}
		}
	}
}
