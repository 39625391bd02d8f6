package devicetest

import (
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Slow is a device whose first Left answers take so long that the first chunks of sources stay small.
type Slow struct {
	gpu.Device
	Left int
}

func (d *Slow) Sync() error {
	if d.Left--; d.Left >= 0 {
		time.Sleep(100 * time.Millisecond)
	}
	return d.Device.Sync()
}
