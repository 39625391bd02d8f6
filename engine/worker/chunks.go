package worker

import (
	"context"
	"runtime"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// chunkGoal is how long one chunk of sources should take: cancel and progress come between chunks, and within a second.
const chunkGoal = 200 * time.Millisecond

// Chunks calls run for consecutive ranges of the job's sources, waits for the device after each, reports progress, and
// stops with the context's cause once that is done. A range is a multiple of unit sources, but for the last, so that a
// strategy that gives source i to block i mod unit sums in the same order however the sources were cut.
func (j *Job) Chunks(ctx context.Context, d gpu.Device, unit int, run func(first, count int) error) error {
	return j.chunks(ctx, d, unit, run, time.Now)
}

func (j *Job) chunks(ctx context.Context, d gpu.Device, unit int, run func(first, count int) error, now func() time.Time) error {
	unit = max(unit, 1)
	units := 1
	for first := 0; first < len(j.Sources); {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		count := min(units*unit, len(j.Sources)-first)
		start := now()
		if err := run(first, count); err != nil {
			return err
		}
		if err := d.Sync(); err != nil {
			return err
		}
		units = nextUnits(units, now().Sub(start))
		first += count
		j.Progress(first)
	}
	return nil
}

// attention is how long Whole looks at a launch without sleeping: a sleep of any length takes over a millisecond where nothing else runs.
// Patience is how long it leaves the device alone after that, at least and at most.
const (
	attention     = 32 * time.Millisecond
	leastPatience = 20 * time.Microsecond
	mostPatience  = 20 * time.Millisecond
)

// Whole calls run once for all of the job's sources, and waits for the device. Meanwhile it reports progress, which the kernels
// count in uint32 number 2 at control, and once the context is done it stores 1 in number 1, for them to stop, and returns its cause
// when they have: see Control in kernels/batches/team.cuh.
func (j *Job) Whole(ctx context.Context, d gpu.Device, control gpu.Ptr, run func(first, count int) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := run(0, len(j.Sources)); err != nil {
		return err
	}
	var done [1]uint32
	stopped := false
	start, wait := time.Now(), leastPatience
	for reported := start; ; {
		running, err := d.Running()
		if err != nil {
			return err
		}
		if !running {
			break
		}
		switch {
		case ctx.Err() != nil && !stopped:
			stopped = true
			err = d.Poke(control.At(4), gpu.Bytes([]uint32{1}))
		case time.Since(reported) > chunkGoal/4:
			reported = time.Now()
			if err = d.Peek(gpu.Bytes(done[:]), control.At(8)); err == nil {
				j.Progress(int(done[0]))
			}
		}
		if err != nil {
			return err
		}
		if time.Since(start) < attention {
			runtime.Gosched()
			continue
		}
		time.Sleep(wait)
		wait = min(wait+wait/4, mostPatience)
	}
	if err := d.Sync(); err != nil {
		return err
	}
	if stopped {
		return context.Cause(ctx)
	}
	j.Progress(len(j.Sources))
	return nil
}

// nextUnits adapts the size of the next chunk to the time that the last one took: at most 4 times as many, at least 1.
func nextUnits(units int, took time.Duration) int {
	if took <= chunkGoal/4 {
		return min(units*4, 1<<20)
	}
	return max(1, int(float64(units)*float64(chunkGoal)/float64(took)))
}
