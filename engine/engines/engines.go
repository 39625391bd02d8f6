// Package engines lists the engines that compute on a device, and says how much memory they take. linchpin plans with
// them, and the worker runs them.
package engines

import (
	"github.com/linchpin-graph/linchpin/kernels/cuts"
	"github.com/linchpin-graph/linchpin/kernels/deep"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/hops"
	"github.com/linchpin-graph/linchpin/kernels/levels"
	"github.com/linchpin-graph/linchpin/kernels/pull"
	"github.com/linchpin-graph/linchpin/kernels/small"
	"github.com/linchpin-graph/linchpin/kernels/traversal"
	"github.com/linchpin-graph/linchpin/kernels/triangles"
	"github.com/linchpin-graph/linchpin/kernels/volume"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// All lists the engines that compute on a graph as it is, those that auto prefers first. Engines of kernels/chains are
// made for what reductions leave of one graph.
func All() []device.Engine {
	all := []device.Engine{small.Engine{}, deep.Engine{}, levels.Engine{}, hops.Engine{}, weighted.Engine{}, pull.Engine{},
		triangles.Engine{}, cuts.Engine{}}
	all = append(all, volume.Engines()...)
	return append(all, traversal.Engines()...)
}
