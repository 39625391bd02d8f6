// Package deep computes betweenness by hops on deep undirected graphs from up to 128 neighbouring sources at a time:
// all distances first, then each node once for all lanes; see deep.cuh and docs/design/batches-by-hops.md.
package deep

import (
	"fmt"

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
func (Engine) Name() string { return "deep" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, directed bool) bool {
	return !w.Weighted && !directed && !w.Chooses() && w.Kind() == kernels.Dependencies && len(w.Ranges) == 0
}

// Parts returns what the engine needs of the graph.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: w.Edges, Transpose: true, Tails: false, Weights: false, Ticks: false}
}

// Suits reports whether the engine does the job's graph: an undirected and deep one, not too deep for distances of 16
// bits, without rows that a warp takes long for.
func (e Engine) Suits(j *device.Job) bool { return e.unsuited(j) == nil }

func (Engine) unsuited(j *device.Job) error {
	g := j.Host
	switch {
	case g.Directed:
		return &device.Unsuited{Why: "the graph is directed"}
	case !j.Deep():
		return &device.Unsuited{Why: "the graph is shallow"}
	case 2*j.Depth().Levels > deepestLevel:
		return &device.Unsuited{Why: fmt.Sprintf("a path may have more than %d hops", deepestLevel)}
	}
	for v := range int32(g.N()) {
		if g.Degree(v) > deepestRow {
			return &device.Unsuited{Why: fmt.Sprintf("a node has more than %d arcs", deepestRow)}
		}
	}
	return nil
}

// Prepare fits blocks into memory. The error is *device.Unsuited for a graph that Suits refuses. Sources that do not
// lie close to others are left by the shard with index 0.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	if err := e.unsuited(j); err != nil {
		return nil, err
	}
	team, least := fitTeams(j.Want, d, free)
	if team.teams == 0 {
		return nil, &gpu.TooLarge{What: e.Name(), Need: least, Free: free}
	}
	return &batches.Betweenness{
		Takes: device.Plan{
			HostBytes: batches.HostBytes(j.Want), DeviceBytes: team.bytes(j.Want), Blocks: team.teams,
			Note: "",
		},
		Order:  batches.ByHops{Lanes: order.SingleLanes, Close: int(lanesOf(j.Single))},
		Search: func(r *batches.Run) batches.Search { return &search{run: r, team: team} },
	}, nil
}
