//go:build cuda || emulate

package enginetest

import (
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// WithMasses gives a job the masses; it is for Task.Change.
func WithMasses(measure string, masses []float64) func(j *device.Job) {
	return func(j *device.Job) {
		j.Masses = masses
		m, _ := kernels.Lookup(measure)
		b := kernels.BoundsOf(j.Host, j.Request, 0)
		b.Mass = 0
		for _, mass := range masses {
			b.Mass += mass
		}
		j.Partial = kernels.NewPartial(m, j.Host.N(), j.Host.M(), j.Request, b)
	}
}
