package worker

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestJobRemembersItsGraph: what is kept about one graph is not said of another.
func TestJobRemembersItsGraph(t *testing.T) {
	road, random := graphtest.Ring(t, 5000, 0), graphtest.Ring(t, 5000, 20000)
	j := &Job{Host: road}
	for _, g := range []*export.Graph{road, road, random, road} {
		if j.Host = g; j.deep() != (g == road) {
			t.Errorf("a ring with %d edges: deep %t", g.M(), j.deep())
		}
	}
}

// TestTeamsFitWhatIsPlanned: whatever memory there is, Run fits the same teams into what Plan says as Plan did.
func TestTeamsFitWhatIsPlanned(t *testing.T) {
	d, byWeights := gpu.Info{SMs: 132, SharedBlock: 1 << 17}, kernels.Params{Weighted: true}
	for _, c := range []struct {
		measure string
		want    Want
	}{
		{"betweenness", Want{Nodes: true, Sources: 1}},
		{"betweenness", Want{Nodes: true, Edges: true}},
		{"betweenness", Want{Edges: true, Single: true, Sources: 5000}},
		{"closeness", Want{Nodes: true, Sources: 1}},
		{"closeness", Want{Nodes: true, Edges: true}},
		{"harmonic", Want{Edges: true, Sources: 5000}},
		{"volume", Want{Nodes: true}},
		{distances, Want{Summary: true}},
		{"betweenness", Want{Params: byWeights, Nodes: true, Edges: true}},
		{"stress", Want{Params: byWeights, Edges: true, Sources: 5000}},
		{"harmonic", Want{Params: byWeights, Nodes: true}},
		{distances, Want{Params: byWeights, Summary: true}},
		{distances, Want{Params: byWeights, Sources: 5000}},
	} {
		for _, size := range []kernels.Size{{Nodes: 1}, {Nodes: 5000, Edges: 90_000}, {Nodes: 1 << 20, Edges: 3 << 20}, {Nodes: 1 << 20, Edges: 44 << 20, Directed: true}} {
			w := c.want
			if w.Measure = c.measure; w.Sources == 0 {
				w.Sources = int(size.Nodes)
			}
			for free := int64(1 << 20); free < 1<<38; free *= 2 {
				teamsFit(t, size, w, d, free)
			}
		}
	}
}

func teamsFit(t *testing.T, size kernels.Size, w Want, d gpu.Info, free int64) {
	t.Helper()
	plan, err := batched{}.Plan(size, w, d, free)
	if err != nil {
		return
	}
	if plan.DeviceBytes > free {
		t.Fatalf("%v, %v: planned %d bytes of %d", size, w, plan.DeviceBytes, free)
	}
	if w.Weighted {
		planned, _ := fitWeightedTeams(size, w, d, free)
		if run, least := fitWeightedTeams(size, w, d, plan.DeviceBytes); run != planned || run.blocks < 1 || run.blocks*run.teams > d.SMs*weightedBatchesPerSM {
			t.Errorf("%v, %v, %d bytes free: planned %+v, runs %+v (least %d)", size, w, free, planned, run, least)
		}
		return
	}
	for _, deep := range []bool{false, true} {
		at := fmt.Sprintf("%v, %v, %d bytes free, deep %t", size, w, free, deep)
		if !w.masksOnly() {
			planned, _ := fitTeams(size, w, d, deep, free)
			if run, least := fitTeams(size, w, d, deep, plan.DeviceBytes); run != planned {
				t.Errorf("%s: planned %+v, runs %+v (least %d)", at, planned, run, least)
			}
			continue
		}
		planned, _ := fitHopTeams(size, w, d, deep, free)
		run, least := fitHopTeams(size, w, d, deep, plan.DeviceBytes)
		if run != planned || run.blocks < 1 || run.blocks*run.teams > d.SMs*hopsPerSM {
			t.Errorf("%s: planned %+v, runs %+v (least %d)", at, planned, run, least)
		}
	}
}

func TestBatchedSaysWhatItNeeds(t *testing.T) {
	for _, measure := range []string{"betweenness", "closeness"} {
		_, err := batched{}.Plan(kernels.Size{Nodes: 1 << 20, Edges: 1 << 22}, Want{Measure: measure, Nodes: true, Sources: 10}, gpu.Info{SMs: 132}, 1<<20)
		if _, ok := err.(*gpu.TooLarge); !ok {
			t.Errorf("%s: error %v, want one of a plan that is too large", measure, err)
		}
	}
}

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
		{"a road", "betweenness", road, "auto", all, "batched"},
		{"a random graph", "betweenness", random, "auto", all, "work-efficient"},
		{"a larger random graph", "betweenness", large, "auto", all, "batched"},
		{"ten sources of a larger random graph", "betweenness", large, "auto", few, "work-efficient"},
		{"450 sources of a larger random graph", "betweenness", large, "auto", spread, "work-efficient"},
		{"a third of a larger random graph", "betweenness", large, "auto", third, "batched"},
		{"a third of a road", "betweenness", road, "auto", third, "work-efficient"},
		{"ten sources of a broad band", "betweenness", broad, "auto", few, "work-efficient-warp-4"},
		{"450 sources of a broad band", "betweenness", broad, "auto", spread, "work-efficient"},
		{"a band", "betweenness", strip, "auto", all, "batched"},
		{"a sample of a band", "betweenness", strip, "auto", far, "work-efficient"},
		{"neighbours in a band", "betweenness", strip, "auto", all, "batched"},
		{"closeness of a road", "closeness", road, "auto", order.All(road), "batched"},
		{"closeness of a sample of a road", "closeness", road, "auto", all, "work-efficient"},
		{"harmonic centrality of a sample of a band", "harmonic", strip, "auto", far, "work-efficient"},
		{"one batch of a band", "betweenness", strip, "auto", near, "work-efficient"},
		{"harmonic centrality of one batch of a broad band", "harmonic", broad, "auto", near, "batched"},
	} {
		d := gpu.Info{SMs: 1}
		if strings.Contains(c.name, "one batch") {
			d.SMs = 132
		}
		j := &Job{Want: Want{Measure: c.measure, Nodes: true, Sources: len(c.sources), Size: sizeOf(c.graph)}, Host: c.graph, Sources: c.sources}
		s, _, err := find(suited(Strategies(), c.strategy, j, d), c.strategy, j.Want, false, d)
		if err != nil || s.Name() != c.want {
			t.Errorf("%s: %v (%v), want %s", c.name, s, err, c.want)
		}
	}
}

// TestAWaveTakesASecond: on large graphs teams grow, so that fewer batches run at a time.
func TestAWaveTakesASecond(t *testing.T) {
	d := gpu.Info{SMs: 132}
	w := Want{Measure: "betweenness", Nodes: true, Single: true, Sources: 1 << 20}
	for _, c := range []struct {
		size kernels.Size
		deep bool
		most int64
	}{
		{kernels.Size{Nodes: 1 << 20, Edges: 44 << 20}, false, shallowWave},
		{kernels.Size{Nodes: 1 << 20, Edges: 3 << 20}, true, deepWave},
		{kernels.Size{Nodes: 1 << 20, Edges: 7 << 20}, true, deepWave},
	} {
		shape := wantTeams(c.size, w, d, c.deep)
		if wave := int64(shape.teams) * shape.lanes * arcs(c.size); wave > c.most || wave < c.most/8 {
			t.Errorf("%v, deep %t: %+v make waves of %d lanes times arcs, bound %d", c.size, c.deep, shape, wave, c.most)
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

// TestAutoTakesTheNextThatFits: with too little memory for batches, auto searches one by one; with none for that, it says
// what the best would need.
func TestAutoTakesTheNextThatFits(t *testing.T) {
	g := graphtest.Ring(t, 9000, 30000)
	for free, want := range map[int64]string{1 << 30: "batched", reserve + 3<<20: "work-efficient", reserve + 1<<20: ""} {
		d := newFake(t)
		d.About.Free = free
		w := &work{graph: g, host: Host{Strategies: Strategies()}}
		w.order.Strategy, w.order.Measure = "auto", "betweenness"
		w.job = Job{Want: Want{Measure: "betweenness", Nodes: true, Sources: g.N()}, Host: g, Sources: order.All(g)}
		_, err := w.prepare(d)
		var tooLarge *gpu.TooLarge
		switch {
		case want == "" && !(errors.As(err, &tooLarge) && tooLarge.What == "batched"):
			t.Errorf("%d bytes: %v, want what batched needs", free, err)
		case want != "" && (err != nil || w.strategy.Name() != want):
			t.Errorf("%d bytes: %v, %v; want %s", free, w.strategy, err, want)
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
		{random, 2, "volume-bitmap"}, {random, 6, "batched"}, {road, 6, "volume-bitmap"}, {road, 3000, "batched"},
	} {
		w := Want{Measure: "volume", Params: kernels.Params{Radius: &c.radius}, Nodes: true, Sources: c.graph.N()}
		j := &Job{Want: w, Host: c.graph, Sources: order.All(c.graph)}
		s, why, err := find(suited(Strategies(), "auto", j, gpu.Info{SMs: 1}), "auto", w, false, gpu.Info{SMs: 1})
		if err != nil || s.Name() != c.want {
			t.Errorf("radius %d of %d edges: %v (%s, %v), want %s", c.radius, c.graph.M(), s, why, err, c.want)
		}
	}
}

// TestHubsAreBounded: no more than mostHubs rows are longer than what a block handles together.
func TestHubsAreBounded(t *testing.T) {
	for _, c := range []struct {
		name string
		rows int
		want int64
	}{{"few long rows", mostHubs, hubDegree}, {"many long rows", mostHubs + 100, hubDegree + 100}} {
		r := relabelled{begins: []uint32{0}}
		for i := range c.rows {
			r.begins = append(r.begins, r.begins[i]+uint32(hubDegree+1+i))
		}
		if got := r.hub(); got != c.want {
			t.Errorf("%s: from %d on, want %d", c.name, got, c.want)
		}
	}
	if got := (relabelled{begins: []uint32{0, 5}}).hub(); got != hubDegree {
		t.Errorf("short rows: from %d on", got)
	}
}

// TestWidthOfBuckets: by what the graph is like, what is computed and from how many nodes.
func TestWidthOfBuckets(t *testing.T) {
	road, even, hubs := graphtest.Band(t, 5000, 3), graphtest.Ring(t, 5000, 20000), graphtest.Stars(t, 5000)
	for _, c := range []struct {
		name    string
		graph   *export.Graph
		measure string
		sources int
		bounded bool
		want    float64
	}{
		{"counts on a road", road, "betweenness", 5000, false, deepBucketArcs / 6},
		{"distances on a road", road, "closeness", 5000, false, bucketArcs},
		{"counts among rows alike", even, "betweenness", 5000, false, evenBucketArcs},
		{"distances among rows alike", even, "closeness", 5000, false, levelsBucketArcs},
		{"counts among hubs", hubs, "betweenness", 5000, false, bucketArcs},
		{"counts with bounds", hubs, "betweenness", 5000, true, boundedBucketArcs},
		{"counts with bounds from a sample", hubs, "betweenness", 500, true, bucketArcs},
		{"distances with bounds from a sample", hubs, "closeness", 500, true, boundedBucketArcs},
	} {
		r := &weightedRun{bounded: c.bounded}
		r.job = &Job{Want: Want{Measure: c.measure}, Host: c.graph, Graph: &Graph{N: int64(c.graph.N()), Arcs: int64(c.graph.Arcs())}, Sources: order.All(c.graph)[:c.sources]}
		if got := r.bucketWidth(); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
		if r.job.Bucket = 3; r.bucketWidth() != 3 {
			t.Errorf("%s: not the width that was asked for", c.name)
		}
	}
}
