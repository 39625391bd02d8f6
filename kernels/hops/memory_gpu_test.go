//go:build cuda || emulate

package hops

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestMemory: whichever allocation fails, all is freed, and no run takes more than it planned, however little there is.
func TestMemory(t *testing.T) {
	d := devicetest.Open(t)
	radius := 3
	shallow, deep := graphtest.Ring(t, 60, 120), graphtest.Ring(t, 80, 0)
	for _, c := range []struct {
		measure string
		graph   *export.Graph
		edges   bool
	}{
		{"closeness", shallow, true}, {"harmonic", shallow, true}, {"harmonic", deep, true}, {"eccentricity", deep, false},
		{"harmonic", band(t, 80, true), true}, {"volume", shallow, false}, {"volume", band(t, 80, true), false},
	} {
		r := kernels.Request{Nodes: true, Edges: c.edges}
		if c.measure == "volume" {
			r.Radius = &radius
		}
		task := enginetest.Task{Engine: Engine{}, Graph: c.graph, Measure: c.measure, Request: r}
		at := enginetest.Named{Name: "memory", Graph: c.graph}.At(c.measure, r)
		enginetest.AllocationsFail(t, d, at, task)
		enginetest.WithinMemory(t, d, at, task)
	}
	top := enginetest.Task{Engine: Engine{}, Graph: shallow, Measure: "harmonic", Request: topRequest("harmonic", 0, 7)}
	enginetest.AllocationsFail(t, d, "top", top)
	enginetest.WithinMemory(t, d, "top", top)
	enginetest.AllocationsFail(t, d, "distances", enginetest.Task{
		Engine: Engine{}, Graph: shallow, Measure: "betweenness",
		Change: func(j *device.Job) {
			j.Measure, j.Summary, j.Partial = device.Distances, true, &kernels.Partial{}
			j.Farthest, j.Hops = make([]float64, 1), make([]float64, shallow.N())
		},
	})
}
