//go:build cuda || emulate

package traversal

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// eachMeasure calls test for every measure that the engine computes, by hops and by weights.
func eachMeasure(e device.Engine, test func(m kernels.Measure, weighted bool)) {
	for _, m := range kernels.Measures() {
		for _, weighted := range []bool{false, true} {
			if e.Accepts(device.Want{Measure: m.Name, Params: kernels.Params{Weighted: weighted}}, true) {
				test(m, weighted)
			}
		}
	}
}

// request asks for graph number i in one way or another.
func request(m kernels.Measure, i int, g enginetest.Named, weighted bool) kernels.Request {
	r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: i%5 != 0, Edges: m.Edge != "" && (i%3 != 0 || i%5 == 0)}
	if !r.Edges {
		r.Nodes = true
	}
	if i%4 == 1 && m.Kind == kernels.Dependencies {
		r.Endpoints = true
	}
	if i%5 == 4 && g.Graph.N() > 3 {
		r.Sources = kernels.DrawSources(g.Graph.N(), g.Graph.N()/2, int64(i))
	}
	if m.Check(r) != nil { // not for a sample, say
		r.Sources = nil
	}
	return r
}

// agree is enginetest.Agree, unless lengths are exact in 128 bits only.
func agree(t *testing.T, d gpu.Device, g enginetest.Named, task enginetest.Task) {
	t.Helper()
	_, err := enginetest.Compute(t.Context(), d, task)
	if unsuited := (*device.Unsuited)(nil); task.Request.Weighted && errors.As(err, &unsuited) {
		return
	}
	enginetest.Agree(t, d, task.Engine.Name()+", "+g.At(task.Measure, task.Request), task)
	if t.Failed() {
		t.FailNow()
	}
}

// TestAgrees compares all strategies on a few graphs with the CPU, and shards with the whole.
func TestAgrees(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(21, 1))
	i := 0
	for _, e := range Engines() {
		eachMeasure(e, func(m kernels.Measure, weighted bool) {
			nasty := enginetest.Nasty(t, weighted)
			graphs := []enginetest.Named{nasty[i%len(nasty)], {Name: "random", Graph: enginetest.Random(t, random, i, weighted)}}
			for _, g := range graphs {
				agree(t, d, g, enginetest.Task{Engine: e, Graph: g.Graph, Measure: m.Name, Request: request(m, i, g, weighted), Single: i%2 == 0})
				i++
			}
		})
	}
}

// memoryFor is the device memory that a task of an engine takes with so many blocks.
func memoryFor(task enginetest.Task, d gpu.Info, blocks int) int64 {
	g, r := task.Graph, task.Request
	sources := len(r.Sources)
	if r.Sources == nil {
		sources = g.N()
	}
	w := device.Want{
		Measure: task.Measure, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: sources, Single: task.Single,
		Size: device.SizeOf(g),
	}
	e := task.Engine.(Engine)
	l := layout{engine: e, want: w, shape: e.wantShape(w, d)}
	l.shape.blocks = blocks
	return l.bytes()
}

// TestShards cuts sources into shards, with so little memory that there are few blocks, and several atoms.
func TestShards(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(21, 2))
	for i, e := range Engines() {
		eachMeasure(e, func(m kernels.Measure, weighted bool) {
			var links []graphtest.Link
			for range 100 {
				v := random.Int32N(70)
				links = append(links, graphtest.Link{From: v, To: random.Int32N(70), Weight: enginetest.Weights(random, i%2, v)})
			}
			g := enginetest.Named{Name: "many atoms", Graph: graphtest.Links(t, 70, i%3 == 0, weighted, links)}
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: m.Edge != ""}
			task := enginetest.Task{Engine: e, Graph: g.Graph, Measure: m.Name, Request: r, Single: i%2 == 0}
			task.Free = memoryFor(task, d.Info(), 2)
			agree(t, d, g, task)
		})
	}
}

// TestShardsOfSamples: each shard takes the method that the first sources of all decide on.
func TestShardsOfSamples(t *testing.T) {
	d := devicetest.Open(t)
	g := enginetest.Batches(t, false, false)
	for _, m := range []string{"betweenness", "closeness", "stress"} {
		r := kernels.Request{Nodes: true}
		agree(t, d, g, enginetest.Task{Engine: named(t, "sampling"), Graph: g.Graph, Measure: m, Request: r})
	}
}

// named is the strategy of a name.
func named(t *testing.T, name string) device.Engine {
	t.Helper()
	for _, e := range Engines() {
		if e.Name() == name {
			return e
		}
	}
	t.Fatalf("no strategy %s", name)
	return nil
}
