package worker

import (
	"github.com/linchpin-graph/linchpin/kernels/deep"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/hops"
	"github.com/linchpin-graph/linchpin/kernels/levels"
	"github.com/linchpin-graph/linchpin/kernels/small"
	"github.com/linchpin-graph/linchpin/kernels/traversal"
	"github.com/linchpin-graph/linchpin/kernels/volume"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// Engines lists the engines that compute on a graph as it is, those that auto prefers first. Engines of kernels/chains are made
// for what reductions leave of one graph.
func Engines() []device.Engine {
	all := []device.Engine{small.Engine{}, deep.Engine{}, levels.Engine{}, hops.Engine{}, weighted.Engine{}}
	all = append(all, volume.Engines()...)
	return append(all, traversal.Engines()...)
}
