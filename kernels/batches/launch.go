package batches

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// Launch runs a kernel whose teams take one batch after another, until none is left.
type Launch struct {
	Kernel gpu.Kernel
	Shape  gpu.Shape
	Teams  int
	// Lanes is the number of sources of a batch.
	Lanes int
	// Shared is the memory of the teams of several blocks, of TeamBytes each, or 0.
	Shared gpu.Ptr
	// Arguments makes the kernel's arguments. sources and failed are int32 per source, control is a Control of
	// kernels/batches/team.cuh.
	Arguments func(sources, failed, control gpu.Ptr) gpu.Ptr
	// Progress is told how many of the sources are done.
	Progress func(done int)
}

// TeamBytes bounds what the blocks of a team share: Team of kernels/levels/levels.cuh, BatchedTeam of
// kernels/weighted/weighted.cuh.
const TeamBytes = 2048

// controlBytes is the size of a Control.
const controlBytes = 16

// Run searches from the sources, given by their new numbers, and returns those that failed.
func (l Launch) Run(c *device.Calls, sources []int32) []int32 {
	if c.Err != nil || len(sources) == 0 {
		return nil
	}
	count := len(sources)
	on, failed, control := device.Upload(c, sources), c.Zeros(4*int64(count)), c.Zeros(controlBytes)
	args := l.Arguments(on, failed, control)
	run := func(first, count int) error {
		if l.Shared != 0 {
			if err := c.Device.Memset(l.Shared, 0, int64(l.Teams)*TeamBytes); err != nil {
				return err
			}
		}
		if err := c.Device.Memset(control, 0, 4); err != nil { // batches that the launch hands out
			return err
		}
		return c.Device.Launch(l.Kernel, l.Shape, args, int64(first), int64(first+count))
	}
	switch {
	case c.Err != nil:
	case c.Device.Info().Display: // its driver ends long launches
		c.Err = device.Chunks(c, count, l.Lanes*l.Teams, l.Progress, run)
	default:
		c.Err = device.Whole(c, count, control, l.Progress, run)
	}
	which := c.Failures(failed, count)
	for i, k := range which {
		which[i] = sources[k]
	}
	for _, p := range []gpu.Ptr{args, control, failed, on} {
		c.Free(p)
	}
	return which
}
