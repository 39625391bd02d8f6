package reductions

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// TestSearchesOfAChainPlan: what is left after chains are dropped is what planning without them gives.
func TestSearchesOfAChainPlan(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	dropped := 0
	for i := range 60 {
		g := graphtest.Subdivided(t, 5+random.IntN(40), 1+random.IntN(3), random.IntN(6))
		r := kernels.Request{Params: kernels.Params{Weighted: i%2 == 0, Endpoints: i%3 == 0}, Nodes: true,
			Reduce: []string{"", "on", "trees,chains,twins", "trees,blocks", "off", "blocks,chains"}[i%6]}
		if i%10 == 9 {
			r.Sources = []int32{0}
		}
		most := random.Float64()
		l, err := lengths.New(t.Context(), g, r.Weighted, r.Tolerance)
		if err != nil {
			t.Fatal(err)
		}
		chained, err := PlanChains(t.Context(), g, r, l, func(reduce.Info) bool { return i%4 == 0 })
		if err != nil {
			t.Fatal(err)
		}
		got, about, err := chained.Searches(t.Context(), g, r, l, most)
		if err != nil {
			t.Fatal(err)
		}
		want, wantAbout, err := PlanSearches(t.Context(), g, r, l, most)
		if err != nil {
			t.Fatal(err)
		}
		if chained.all != nil {
			dropped++
		}
		if about != nil {
			about.Seconds, wantAbout.Seconds = 0, 0
		}
		if !reflect.DeepEqual(about, wantAbout) || (got == nil) != (want == nil) ||
			got != nil && !reflect.DeepEqual(got.Info, want.Info) {
			t.Errorf("graph %d, %+v: %+v, want %+v", i, r, about, wantAbout)
		}
		if got == nil {
			continue
		}
		union, err := got.Union()
		if err != nil {
			t.Fatal(err)
		}
		if other, err := want.Union(); err != nil || !reflect.DeepEqual(union, other) {
			t.Errorf("graph %d, %+v: another union, %v", i, r, err)
		}
	}
	if dropped == 0 {
		t.Error("no chains were dropped")
	}
}
