package engine

import (
	"context"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
)

// rateBook has the rates of devices that were met, by name and driver.
type rateBook struct {
	mu    sync.Mutex
	rates map[rateKey]*plan.Rates
}

type rateKey struct {
	name   string
	driver int
}

// rates returns the rates of a device: of the table, of a calibration that is kept, or of one that is made now. Where
// that fails they are the table's, scaled to the shape of the device.
func (e *Engine) rates(ctx context.Context, d DeviceInfo) *plan.Rates {
	e.book.mu.Lock()
	defer e.book.mu.Unlock()
	key := rateKey{d.Name, d.Driver}
	if r, ok := e.book.rates[key]; ok {
		return r
	}
	r := plan.Here().ScaledTo(d)
	if c, ok := plan.Cached(d); ok {
		r = r.With(c)
	} else if !plan.Known(d) {
		r = calibrated(ctx, e.device, r, d)
	}
	if ctx.Err() != nil { // a calibration that was interrupted says nothing
		return r
	}
	if e.book.rates == nil {
		e.book.rates = map[rateKey]*plan.Rates{}
	}
	e.book.rates[key] = r
	return r
}

// findDevices finds the devices that a task under a policy would run on. The error carries a Reason.
func (e *Engine) findDevices(ctx context.Context, p Policy, r *Ranking) error {
	all, err := e.device.devices(ctx)
	if err != nil {
		return err
	}
	named := p.Devices(len(all))
	if len(named) == 0 {
		named = []int{0} // one of several is as good as the others
	}
	found := make([]DeviceInfo, 0, len(named))
	for _, index := range named {
		if index >= len(all) {
			return refuse(protocol.NoDevice, "there is no gpu:%d: %d can be seen, from gpu:0", index, len(all))
		}
		found = append(found, all[index])
	}
	r.info, r.devices, r.alike = gpu.Common(found...), len(found), gpu.Alike(found...)
	return nil
}
