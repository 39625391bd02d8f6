package jobs

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestTogether: computations that share follow the first of them, others stay in their order, and restarts of other
// options are apart.
func TestTogether(t *testing.T) {
	half := 0.5
	near := func(damping *float64) config.Measure {
		return config.Measure{Measure: "pagerank", Params: kernels.Params{Damping: damping},
			Sources: &config.NodeSet{Nodes: []string{"A"}}}
	}
	all, err := passes([]config.Measure{
		near(nil), {Measure: "triangles"}, {Measure: "pagerank"}, near(&half), {Measure: "degree"}, {Measure: "clustering"},
		{Measure: "pagerank", Params: kernels.Params{Variant: kernels.Probability},
			Sources: &config.NodeSet{Nodes: []string{"B"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range all {
		all[i].work = &Computation{Measure: p.measure}
		all[i].work.Task.Request.Params = p.params
		if p.outputs[0].Sources != nil {
			all[i].work.Task.Request.Sources = []int32{int32(i)}
		}
	}
	var names []string
	shared := map[*kernels.Shared]int{}
	for _, p := range together(all) {
		q := p.work.Task.Request
		names = append(names, p.measure.Name)
		if q.Shared == nil {
			continue
		}
		if own := q.Shared.Requests[q.Place]; !slices.Equal(own.Sources, q.Sources) || q.Place != shared[q.Shared] {
			t.Errorf("%s is at place %d of %v", p.measure.Name, q.Place, q.Shared.Requests)
		}
		shared[q.Shared]++
	}
	want := []string{"pagerank", "pagerank", "triangles", "clustering", "pagerank", "pagerank", "degree"}
	if !slices.Equal(names, want) || len(shared) != 2 {
		t.Errorf("%v in %d groups, want %v in 2", names, len(shared), want)
	}
}
