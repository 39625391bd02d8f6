package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// treesAlone is the engine for graphs of which trees leave nothing: folding them has all that is wanted.
type treesAlone struct{}

func (treesAlone) Name() string                         { return kernels.Chains }
func (treesAlone) Accepts(w device.Want, _ bool) bool   { return w.Folds() }
func (treesAlone) Parts(device.Want, bool) device.Parts { return device.Parts{} }

// Sources returns the number of searches.
func (treesAlone) Sources() int { return 0 }

// Prepare counts what leads back to the whole graph.
func (treesAlone) Prepare(j *device.Job, _ gpu.Info, _ int64) (device.Prepared, error) {
	return treesPrepared{device.Plan{HostBytes: 128 * (j.Size.Nodes + j.Size.Edges), Blocks: 1, DeviceBytes: 0, Note: ""}},
		nil
}

type treesPrepared struct{ plan device.Plan }

// Plan returns what the run takes.
func (p treesPrepared) Plan() device.Plan { return p.plan }

// Run searches nothing.
func (treesPrepared) Run(context.Context, gpu.Device, *device.Job) (device.Result, error) {
	return device.Result{}, nil
}
