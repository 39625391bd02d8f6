package worker

import (
	"github.com/linchpin-graph/linchpin/engine/engines"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// batched is the name of the group of engines that search from many sources at a time.
const batched = engines.Batched

// isBatched reports whether an engine is of that group.
func isBatched(name string) bool { return engines.IsBatched(name) }

// reserve is device memory that plans leave alone.
const reserve = engines.Reserve

// Engines lists the engines that compute on a graph as it is; see engines.All.
func Engines() []device.Engine { return engines.All() }
