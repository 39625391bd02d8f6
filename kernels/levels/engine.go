// Package levels computes betweenness by hops from up to 128 neighbouring sources at a time, level by level, with one
// lane per source; see levels.cuh and docs/design/batches-by-hops.md.
package levels

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

//go:generate go run ../../internal/kernelgen

// Engine is the engine; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "levels" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, _ bool) bool {
	return !w.Weighted && !w.Chooses() && w.Kind() == kernels.Dependencies && len(w.Ranges) == 0
}

// Parts returns what the engine needs of the graph.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: w.Edges, Transpose: true, Tails: false, Weights: false, Ticks: false}
}

// Prepare fits teams into memory.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	team, least := fitTeams(j.Want, d, j.Deep(), free)
	if team.teams == 0 {
		return nil, &gpu.TooLarge{What: e.Name(), Need: least, Free: free}
	}
	return &batches.Betweenness{
		Takes: device.Plan{
			HostBytes: batches.HostBytes(j.Want), DeviceBytes: team.bytes(j.Want), Blocks: team.teams * team.blocks,
			Note: "",
		},
		Order:  batches.ByHops{Lanes: team.lanes, BallsFrom: order.CountsBalls},
		Search: func(r *batches.Run) batches.Search { return &search{run: r, team: team} },
	}, nil
}
