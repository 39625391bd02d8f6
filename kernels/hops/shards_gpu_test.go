//go:build cuda || emulate

package hops

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// narrow makes a run take batches of fewLanes, of which there are more, as where memory is short.
type narrow struct{ Engine }

func (n narrow) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	p, err := n.Engine.Prepare(j, d, free)
	if err != nil {
		return nil, err
	}
	shaped := p.(*prepared)
	shaped.shape.team.lanes, shaped.order.Lanes = fewLanes, fewLanes
	return shaped, nil
}

// band joins each of so many nodes to some of the next: a deep graph, a third of whose arcs lead back.
func band(t *testing.T, n int, directed bool) *export.Graph {
	random := rand.New(rand.NewPCG(6, 7))
	var links []graphtest.Link
	for v := range int32(n) {
		for range 3 {
			l := graphtest.Link{From: v, To: (v + 1 + random.Int32N(6)) % int32(n), Weight: 1}
			if random.IntN(3) == 0 {
				l.From, l.To = l.To, l.From
			}
			links = append(links, l)
		}
	}
	return graphtest.Links(t, n, directed, false, links)
}

// TestShards: several batches in 1, 2, 3 and 8 shards, of nodes and edges, shallow and deep, directed and not.
func TestShards(t *testing.T) {
	d := devicetest.Shown{OpenDevice: devicetest.Open(t)}
	if d.About = d.OpenDevice.Info(); devicetest.Emulated {
		d.About.SMs = 1 // fewer threads
	}
	n, restore := devicetest.Sized(5000, 300), order.DistancesBalls
	order.DistancesBalls = 0
	defer func() { order.DistancesBalls = restore }()
	for _, directed := range []bool{false, true} {
		shallow := enginetest.Batches(t, directed, false)
		for _, g := range []enginetest.Named{shallow, {Name: "band", Graph: band(t, n, directed)}} {
			for _, name := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
				r := kernels.Request{Nodes: true, Edges: true}
				task := enginetest.Task{Engine: narrow{}, Graph: g.Graph, Measure: name, Request: r}
				enginetest.Agree(t, d, g.At(name, r), task)
			}
			r := kernels.Request{Nodes: true, Params: kernels.Params{Radius: new(int)}}
			*r.Radius = 4
			task := enginetest.Task{Engine: narrow{}, Graph: g.Graph, Measure: "volume", Request: r}
			enginetest.Agree(t, d, g.At("volume", r), task)
		}
	}
}

// compare compares a measure of nodes and edges with the CPU, and three shards with the whole.
func compare(t *testing.T, d gpu.OpenDevice, g enginetest.Named, name string, r kernels.Request) {
	t.Helper()
	m, _ := kernels.Lookup(name)
	r.Reduce = kernels.ReduceOff
	at := g.At(name, r)
	want, err := cpu.Compute(t.Context(), m, g.Graph, r)
	if err != nil {
		t.Fatal(err)
	}
	task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: name, Request: r}
	got, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
			t.Errorf("%s: %s (%s)", at, where, got.Note)
		}
	}
	if got.Totals != want.Totals {
		t.Errorf("%s: totals %+v, want %+v", at, got.Totals, want.Totals)
	}
	task.Shards = 3
	parts, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatalf("%s in shards: %v", at, err)
	}
	nodes := slices.Equal(gpu.Bytes(parts.Nodes), gpu.Bytes(got.Nodes))
	if edges := slices.Equal(gpu.Bytes(parts.Edges), gpu.Bytes(got.Edges)); !nodes || !edges {
		t.Errorf("%s: other bits in shards", at)
	}
}

// TestTurns: shallow graphs with more levels than marks can tell, whose ends are few.
func TestTurns(t *testing.T) {
	d := devicetest.Open(t)
	restore := pairSection
	defer func() { pairSection = restore }()
	random := rand.New(rand.NewPCG(9, 4))
	for i, tail := range []int32{3, 4, 5, 6, 8, 9, 13} {
		pairSection = []int64{restore, 1 << 9}[i%2]
		leaves := int32(devicetest.Sized(2000, 200))
		if tail == 9 {
			leaves = 3500 // teams of one block
		}
		n := leaves + 1 + 3*tail
		var links []graphtest.Link
		for v := int32(1); v <= leaves; v++ {
			links = append(links, graphtest.Link{From: 0, To: v, Weight: 1})
			if tail != 9 {
				links = append(links, graphtest.Link{From: v, To: random.Int32N(leaves + 1), Weight: 1})
			}
		}
		for v := leaves + 1; v < n; v++ {
			before := v - 1
			if (v-leaves-1)%tail == 0 {
				before = random.Int32N(leaves + 1)
			}
			links = append(links, graphtest.Link{From: before, To: v, Weight: 1})
		}
		name := fmt.Sprintf("hub with tails of %d", tail)
		g := enginetest.Named{Name: name, Graph: graphtest.Links(t, int(n), false, false, links)}
		for _, name := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
			m, _ := kernels.Lookup(name)
			compare(t, d, g, name, request(m, i, g))
		}
	}
}

// TestLargeGraphs: sources far apart, sources all along a path, hubs in either direction.
func TestLargeGraphs(t *testing.T) {
	d := devicetest.Open(t)
	var path, star []graphtest.Link
	n := devicetest.Sized(100_000, 300)
	for i := int32(1); i < int32(n); i++ {
		path = append(path, graphtest.Link{From: i - 1, To: i, Weight: 1})
		star = append(star, graphtest.Link{From: 0, To: i, Weight: 1}, graphtest.Link{From: i, To: 1, Weight: 1})
	}
	for i, g := range []enginetest.Named{
		{Name: "path", Graph: graphtest.Links(t, n, false, false, path)},
		{Name: "star", Graph: graphtest.Links(t, n, true, false, star)},
		{Name: "grid", Graph: graphtest.Grid(t, int32(devicetest.Sized(520, 20)), false)},
		enginetest.Generated(t, "R-MAT",
			generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(16, 8), Degree: 48, Seed: 42}),
	} {
		for _, name := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
			m, _ := kernels.Lookup(name)
			r := request(m, i, g)
			r.Sources = kernels.DrawSources(g.Graph.N(), 40, 1)
			compare(t, d, g, name, r)
		}
	}
}

// TestDistances compares summaries of distances with the CPU's, of all sources and of some.
func TestDistances(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(17, 19))
	graphs := append(enginetest.Nasty(t, false), enginetest.Named{Name: "band", Graph: band(t, 300, false)})
	for i := range devicetest.Sized(30, 3) {
		graphs = append(graphs, enginetest.Named{Name: "random", Graph: enginetest.Random(t, random, i, false)})
	}
	for i, g := range graphs {
		var r kernels.Request
		if i%3 == 1 || g.Graph.N() > 500 {
			r.Sources = kernels.DrawSources(g.Graph.N(), min(g.Graph.N(), 150), int64(i))
		}
		for _, shards := range []int{1, 3} {
			summarize(t, d, g, r, shards)
		}
	}
}

func summarize(t *testing.T, d gpu.OpenDevice, g enginetest.Named, r kernels.Request, shards int) {
	t.Helper()
	want := enginetest.DistancesOf(t, g.Graph, r)
	at, farthest, hops := g.At("distances", r), make([]float64, 1), make([]float64, g.Graph.N())
	// A summary is no measure; the task's is one of which nothing is wanted.
	got, err := enginetest.Compute(t.Context(), d, enginetest.Task{
		Engine: narrow{}, Graph: g.Graph, Measure: "betweenness", Request: r, Shards: shards,
		Change: func(j *device.Job) {
			j.Measure, j.Summary, j.Partial = device.Distances, true, &kernels.Partial{}
			j.Farthest, j.Hops = farthest, hops
		},
	})
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	want.SameSummary(t, at, got.Totals, farthest[0], hops)
}
