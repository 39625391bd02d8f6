package device

import (
	"context"
	"runtime"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// chunkGoal is how long one chunk of sources should take: cancel and progress come between chunks, and within a second.
const chunkGoal = 200 * time.Millisecond

// Chunks calls run for consecutive ranges of count things, waits for the device after each, reports progress, and stops
// with the context's cause once that is done. A range is a multiple of unit, except for the last, so that an engine
// that gives thing i to block i mod unit sums in the same order however the things were cut.
func Chunks(c *Calls, count, unit int, progress func(done int), run func(first, count int) error) error {
	return chunks(c, count, unit, progress, run, time.Now)
}

func chunks(
	c *Calls, count, unit int, progress func(int), run func(first, count int) error, now func() time.Time,
) error {
	unit = max(unit, 1)
	units := 1
	for first := 0; first < count; {
		if c.Ctx.Err() != nil {
			return context.Cause(c.Ctx)
		}
		some := min(units*unit, count-first)
		start := now()
		if err := run(first, some); err != nil {
			return err
		}
		if err := c.Device.Sync(); err != nil {
			return err
		}
		units = nextUnits(units, now().Sub(start))
		first += some
		progress(first)
	}
	return nil
}

// attention is how long Whole looks at a launch without sleeping: a sleep of any length takes over a millisecond where
// nothing else runs. Patience is how long it leaves the device alone after that, at least and at most.
const (
	attention     = 32 * time.Millisecond
	leastPatience = 20 * time.Microsecond
	mostPatience  = 20 * time.Millisecond
)

// Whole calls run once for all of count sources, and waits for the device. Meanwhile it reports progress, which the
// kernels count in uint32 number 2 at control. Once the context is done it stores 1 in number 1, so that they stop, and
// returns the context's cause when they have: see Control in kernels/batches/team.cuh.
func Whole(c *Calls, count int, control gpu.Ptr, progress func(done int), run func(first, count int) error) error {
	if c.Ctx.Err() != nil {
		return context.Cause(c.Ctx)
	}
	if err := run(0, count); err != nil {
		return err
	}
	stopped, err := watch(c, control, progress)
	if err != nil {
		return err
	}
	if err := c.Device.Sync(); err != nil {
		return err
	}
	if stopped {
		return context.Cause(c.Ctx)
	}
	progress(count)
	return nil
}

// watch waits until the device is idle, and tells the kernels to stop once the context is done.
func watch(c *Calls, control gpu.Ptr, progress func(done int)) (stopped bool, err error) {
	var done [1]uint32
	start, wait := time.Now(), leastPatience
	for reported := start; ; {
		running, err := c.Device.Running()
		if err != nil || !running {
			return stopped, err
		}
		switch {
		case c.Ctx.Err() != nil && !stopped:
			stopped = true
			err = c.Device.Poke(control.At(4), gpu.Bytes([]uint32{1}))
		case time.Since(reported) > chunkGoal/4:
			reported = time.Now()
			if err = c.Device.Peek(gpu.Bytes(done[:]), control.At(8)); err == nil {
				progress(int(done[0]))
			}
		}
		if err != nil {
			return stopped, err
		}
		if time.Since(start) < attention {
			runtime.Gosched()
			continue
		}
		time.Sleep(wait)
		wait = min(wait+wait/4, mostPatience)
	}
}

// nextUnits adapts the size of the next chunk to the time that the last one took: at most 4 times as many, at least 1.
func nextUnits(units int, took time.Duration) int {
	if took <= chunkGoal/4 {
		return min(units*4, 1<<20)
	}
	return max(1, int(float64(units)*float64(chunkGoal)/float64(took)))
}
