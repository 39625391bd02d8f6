package engine

import (
	"context"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// rateBook has the rates of devices that were met, by name and driver.
type rateBook struct {
	mu    sync.Mutex
	rates map[rateKey]plan.Rates
}

type rateKey struct {
	name   string
	driver int
}

// rates returns the rates of a device: of the table, of a calibration that is kept, or of one that is made now. Where
// that fails they are the table's, scaled to the shape of the device.
func (e *Engine) rates(ctx context.Context, d DeviceInfo) plan.Rates {
	e.book.mu.Lock()
	defer e.book.mu.Unlock()
	key := rateKey{d.Name, d.Driver}
	if r, ok := e.book.rates[key]; ok {
		return r
	}
	r := plan.H200().ScaledTo(d)
	if c, ok := plan.Cached(d); ok {
		r = r.With(c)
	} else if !plan.Known(d) {
		r = calibrated(ctx, e.device, r, d)
	}
	if e.book.rates == nil {
		e.book.rates = map[rateKey]plan.Rates{}
	}
	e.book.rates[key] = r
	return r
}

// deviceFor returns the device that a task under a policy would run on. The error carries a Reason.
func (e *Engine) deviceFor(ctx context.Context, p Policy) (DeviceInfo, error) {
	all, err := e.device.devices(ctx)
	if err != nil {
		return DeviceInfo{}, err
	}
	index, _ := p.Index()
	if index >= len(all) {
		return DeviceInfo{}, refuse(protocol.NoDevice, "there is no gpu:%d: %d can be seen, from gpu:0", index, len(all))
	}
	return all[index], nil
}
