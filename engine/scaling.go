package engine

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/scale"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Scaling predicts a task on up to most devices of the kind at hand. Without one, table is true, and it is the device
// of the table of rates. It computes nothing, but may calibrate a device that it has not met before.
func (e *Engine) Scaling(ctx context.Context, t Task, most int) (s *scale.Scaling, table bool, err error) {
	m, err := checkTask(t)
	if err != nil {
		return nil, false, err
	}
	d, found := scale.H200(), &Ranking{}
	if table = e.findDevices(ctx, GPU, found) != nil; !table {
		d = scale.Device{Info: found.info, Rates: e.rates(ctx, found.info)}
	}
	f := plan.Of(t.Snapshot.Graph, m, t.Request, kernels.IsSingle(t.Precision))
	r := &Ranking{choice: choice.Choose(f, plan.Machine{Rates: d.Rates, GPU: true}), info: d.Info}
	s, err = scale.Predict(scale.Asked{
		Features: f, Device: d, Strategy: choice.Strategy(t.Strategy), Need: r.need(m, t),
	}, most)
	return s, table, err
}
