package worker

import (
	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/engines"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// auto leaves the choice to linchpin; batched is the group of engines that search from many sources at a time.
const (
	auto    = string(choice.Auto)
	batched = string(choice.Batched)
)

// reserve is device memory that plans leave alone.
const reserve = engines.Reserve

// Engines lists the engines that compute on a graph as it is; see engines.All.
func Engines() []device.Engine { return engines.All() }

// taking is the strategy that was asked for.
func (t *task) taking() choice.Strategy { return choice.Strategy(t.strategy) }
