//go:build cuda || emulate

package traversal

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// mesh is a random graph of few arcs per node, in two parts, with parallel edges, loops and nodes without edges. It has
// as many nodes as a device gives numbers for.
func mesh(t *testing.T, d gpu.Info, directed bool) enginetest.Named {
	n := int32(renumberRounds*d.SMs*device.ResidentThreads/smallThreads + 12)
	random := rand.New(rand.NewPCG(21, 5))
	var links []graphtest.Link
	for v := range n - 4 {
		for range 5 {
			to := min(max(0, v+random.Int32N(9)-4), n-5)
			if (v < n/4) == (to < n/4) {
				links = append(links, graphtest.Link{From: v, To: to, Weight: 1})
			}
		}
	}
	return enginetest.Named{Name: "mesh", Graph: graphtest.Links(t, int(n), directed, false, links)}
}

// TestRenumbered: nodes in other numbers have the same scores, bit by bit.
func TestRenumbered(t *testing.T) {
	d := devicetest.Open(t)
	for _, isDirected := range []bool{false, true} {
		for _, name := range []string{"work-efficient", "work-efficient-warp-4"} {
			g := mesh(t, d.Info(), isDirected)
			plain := named(t, name).(Engine)
			plain.renumbersFrom = 0
			other := plain
			other.renumbersFrom = 1
			task := enginetest.Task{Engine: plain, Graph: g.Graph, Measure: "betweenness",
				Request: kernels.Request{Nodes: true, Edges: true}}
			want, err := enginetest.Compute(t.Context(), d, task)
			if err != nil {
				t.Fatal(err)
			}
			task.Engine, task.Change = other, func(j *device.Job) {
				if !other.layout(j.Want, j.Host, false, d.Info()).renumbered {
					t.Error("nodes keep their numbers")
				}
			}
			got, err := enginetest.Compute(t.Context(), d, task)
			if err != nil || !enginetest.SameBits(got, want) || got.Totals != want.Totals {
				t.Errorf("%s, directed %v: other scores in other numbers, %v", name, isDirected, err)
			}
			planned(t, d, task)
			agree(t, d, g, task)
		}
	}
}

// littleShared is a device whose blocks have little shared memory: so many bytes in addition to what kernels take in
// any case.
type littleShared struct {
	gpu.Device
	bytes int
}

func (d littleShared) Info() gpu.Info {
	info := d.Device.Info()
	info.SharedBlock = device.StaticShared + d.bytes
	return info
}

// TestRenumberedOutsideOfSharedMemory: what is noted of nodes while they get numbers need not fit into shared memory.
func TestRenumberedOutsideOfSharedMemory(t *testing.T) {
	d := littleShared{devicetest.Open(t), 0}
	e := named(t, "work-efficient").(Engine)
	e.renumbersFrom = 1
	g := mesh(t, d.Info(), false)
	agree(t, d, g, enginetest.Task{Engine: e, Graph: g.Graph, Measure: "betweenness",
		Request: kernels.Request{Nodes: true}})
}

// TestEveryAllocationOfNumbersFails is TestEveryAllocationFails for nodes in other numbers.
func TestEveryAllocationOfNumbersFails(t *testing.T) {
	d := devicetest.Open(t)
	e := named(t, "work-efficient").(Engine)
	e.renumbersFrom = 1
	everyAllocationFails(t, d, enginetest.Task{
		Engine: e, Graph: mesh(t, d.Info(), true).Graph, Measure: "betweenness",
		Request: kernels.Request{Nodes: true, Edges: true},
	})
}
