package devicetest

import "github.com/linchpin-graph/linchpin/gpu"

// Shown is a device that describes itself in another way, and refuses launches that this description does not allow.
type Shown struct {
	gpu.OpenDevice
	About gpu.Info
}

// Info returns About.
func (s Shown) Info() gpu.Info { return s.About }

// Launch is that of the device, for shapes that fit About.
func (s Shown) Launch(kernel gpu.Kernel, shape gpu.Shape, args ...any) error {
	if err := shape.Check(s.About); err != nil {
		return err
	}
	return s.OpenDevice.Launch(kernel, shape, args...)
}
