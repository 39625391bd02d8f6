package worker

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

func TestAutoTakesWhatSuits(t *testing.T) {
	road, random, large, strip, broad := graphtest.Ring(t, 9000, 0), graphtest.Ring(t, 5000, 20000), graphtest.Ring(t, 9000, 30000), graphtest.Band(t, 9000, 3), graphtest.Band(t, 9000, 20)
	all, few, far, near := make([]int32, 5000), make([]int32, 10), make([]int32, 100), make([]int32, 100)
	spread, third := make([]int32, 450), make([]int32, 3000)
	for i := range all {
		all[i] = int32(i)
	}
	for i := range few {
		few[i] = int32(500 * i)
	}
	for i := range spread {
		spread[i] = int32(20 * i)
	}
	for i := range third {
		third[i] = int32(3 * i)
	}
	for i := range far {
		far[i], near[i] = int32(50*i), int32(2000+i)
	}
	for _, c := range []struct {
		name, measure string
		graph         *export.Graph
		strategy      string
		sources       []int32
		want          string
	}{
		{"a road", "betweenness", road, "auto", all, "deep"},
		{"a random graph", "betweenness", random, "auto", all, "work-efficient"},
		{"a larger random graph", "betweenness", large, "auto", all, "levels"},
		{"ten sources of a larger random graph", "betweenness", large, "auto", few, "work-efficient"},
		{"450 sources of a larger random graph", "betweenness", large, "auto", spread, "work-efficient"},
		{"a third of a larger random graph", "betweenness", large, "auto", third, "levels"},
		{"a third of a road", "betweenness", road, "auto", third, "work-efficient"},
		{"ten sources of a broad band", "betweenness", broad, "auto", few, "work-efficient-warp-4"},
		{"450 sources of a broad band", "betweenness", broad, "auto", spread, "work-efficient"},
		{"a band", "betweenness", strip, "auto", all, "deep"},
		{"a sample of a band", "betweenness", strip, "auto", far, "work-efficient"},
		{"neighbours in a band", "betweenness", strip, "auto", all, "deep"},
		{"closeness of a road", "closeness", road, "auto", order.All(road), "hops"},
		{"closeness of a sample of a road", "closeness", road, "auto", all, "work-efficient"},
		{"harmonic centrality of a sample of a band", "harmonic", strip, "auto", far, "work-efficient"},
		{"one batch of a band", "betweenness", strip, "auto", near, "work-efficient"},
		{"harmonic centrality of one batch of a broad band", "harmonic", broad, "auto", near, "hops"},
	} {
		d := gpu.Info{SMs: 1}
		if strings.Contains(c.name, "one batch") {
			d.SMs = 132
		}
		task := ordered(t, c.graph, protocol.Order{Measure: c.measure, Nodes: true, Strategy: c.strategy})
		j := task.job
		j.Sources, j.Request.Sources, j.All, j.Want.Sources = c.sources, c.sources, false, len(c.sources)
		engines, _, err := task.choose(&j, d)
		if err != nil || engines[0].Name() != c.want {
			t.Errorf("%s: %v (%v), want %s", c.name, engines, err, c.want)
		}
	}
}

// TestAutoTakesTheNextThatFits: with too little memory for batches, auto searches one by one; with none for that, it says
// what the best would need.
func TestAutoTakesTheNextThatFits(t *testing.T) {
	g := graphtest.Ring(t, 9000, 30000)
	for free, want := range map[int64]string{1 << 30: "levels", reserve + 3<<20: "work-efficient", reserve + 1<<20: ""} {
		d := newFake(t)
		d.About.Free = free
		task := ordered(t, g, protocol.Order{Measure: "betweenness", Nodes: true, Strategy: "auto"})
		planned, stop := "", errors.New("planned")
		_, err := task.compute(t.Context(), d, 1, func(p protocol.Planned) error {
			planned = p.Strategy
			return stop
		})
		var tooLarge *gpu.TooLarge
		switch {
		case want == "" && !(errors.As(err, &tooLarge) && tooLarge.What == "levels"):
			t.Errorf("%d bytes: %v, want what levels needs", free, err)
		case want != "" && (err != stop || planned != want):
			t.Errorf("%d bytes: %s, %v; want %s", free, planned, err, want)
		}
	}
}

// TestAutoBatchesLargeBalls: volumes are batched where a ball holds much of the graph.
func TestAutoBatchesLargeBalls(t *testing.T) {
	random, road := graphtest.Ring(t, 5000, 20000), graphtest.Ring(t, 5000, 0)
	for _, c := range []struct {
		graph  *export.Graph
		radius int
		want   string
	}{
		{random, 2, "volume-bitmap"}, {random, 6, "hops"}, {road, 6, "volume-bitmap"}, {road, 3000, "hops"},
	} {
		task := ordered(t, c.graph, protocol.Order{
			Measure: "volume", Params: kernels.Params{Radius: &c.radius}, Nodes: true, Strategy: "auto",
		})
		engines, why, err := task.choose(&task.job, gpu.Info{SMs: 1})
		if err != nil || engines[0].Name() != c.want {
			t.Errorf("radius %d of %d edges: %v (%s, %v), want %s", c.radius, c.graph.M(), engines, why, err, c.want)
		}
	}
}

func TestProgressGoesOnwards(t *testing.T) {
	var told []int
	report := onwards(func(done int) { told = append(told, done) })
	for _, done := range []int{3, 7, 7, 5, 6, 9} {
		report(done)
	}
	if !slices.Equal(told, []int{3, 7, 9}) {
		t.Errorf("told %v", told)
	}
}
