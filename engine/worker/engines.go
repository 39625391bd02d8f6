package worker

import (
	"github.com/linchpin-graph/linchpin/engine/engines"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// reserve is device memory that plans leave alone.
const reserve = engines.Reserve

// Engines lists the engines that compute on a graph as it is; see engines.All.
func Engines() []device.Engine { return engines.All() }
