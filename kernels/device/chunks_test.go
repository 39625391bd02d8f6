package device

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
)

// TestChunksCoverAllSourcesOnce: whatever the speed, ranges are consecutive, whole units but for the last, and end
// within a second unless one unit takes longer.
func TestChunksCoverAllSourcesOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		total, unit := rapid.IntRange(0, 5000).Draw(r, "sources"), rapid.IntRange(1, 300).Draw(r, "unit")
		perUnit := rapid.IntRange(0, 400).Draw(r, "milliseconds a unit")
		clock, next, last := time.Time{}, 0, 0
		c := &Calls{Ctx: context.Background(), Device: devicetest.NewFake(t)}
		err := chunks(c, total, unit, func(done int) { last = done }, func(first, count int) error {
			if first != next || count < 1 || count%unit != 0 && first+count != total {
				r.Fatalf("range %d+%d after %d of %d, unit %d", first, count, next, total, unit)
			}
			next += count
			units := (count + unit - 1) / unit
			took := time.Duration(units*perUnit) * time.Millisecond
			if units > 1 && took > time.Second {
				r.Fatalf("%d units took %v", units, took)
			}
			clock = clock.Add(took)
			return nil
		}, func() time.Time { return clock })
		if err != nil || next != total || last != total {
			r.Fatalf("%v: %d of %d done, %d reported", err, next, total, last)
		}
	})
}

func TestChunksStop(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	calls := 0
	d := devicetest.NewFake(t)
	err := Chunks(&Calls{Ctx: ctx, Device: d}, 1000, 1, func(int) {}, func(int, int) error {
		if calls++; calls == 2 {
			cancel(gone)
		}
		return nil
	})
	if !errors.Is(err, gone) || calls != 2 {
		t.Errorf("%v after %d chunks", err, calls)
	}
	broken := errors.New("broken")
	fails := func(int, int) error { return broken }
	if err := Chunks(&Calls{Ctx: t.Context(), Device: d}, 1000, 1, func(int) {}, fails); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// TestWholeReportsAndStops: while one launch does all sources, what it counts is reported, and when the context is done
// it is told.
func TestWholeReportsAndStops(t *testing.T) {
	d := devicetest.NewFake(t)
	control, err := gpu.Zeros[uint32](d, 4)
	if err != nil {
		t.Fatal(err)
	}
	var reports []int
	report := func(done int) { reports = append(reports, done) }
	launches := 0
	launch := func(first, count int) error {
		if launches++; first != 0 || count != 100 {
			t.Errorf("launched for %d+%d", first, count)
		}
		d.Looks = 3
		return nil
	}
	d.Look = func(left int) {
		if err := d.CopyIn(control.At(8), gpu.Bytes([]uint32{uint32(30 * (3 - left))})); err != nil {
			t.Error(err)
		}
		time.Sleep(chunkGoal / 3)
	}
	if err := Whole(&Calls{Ctx: t.Context(), Device: d}, 100, control, report, launch); err != nil || launches != 1 ||
		!slices.Equal(reports, []int{30, 60, 90, 100}) {
		t.Errorf("%v, %d launches, reports %v", err, launches, reports)
	}
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	d.Look = func(left int) {
		if left == 2 {
			cancel(gone)
		}
	}
	reports = nil
	var told [4]uint32
	if err := Whole(&Calls{Ctx: ctx, Device: d}, 100, control, report, launch); !errors.Is(err, gone) || len(reports) > 0 {
		t.Errorf("%v, reports %v", err, reports)
	}
	if err := gpu.Download(d, told[:], control); err != nil || told[1] != 1 {
		t.Errorf("%v, control %v", err, told)
	}
	if err := Whole(&Calls{Ctx: ctx, Device: d}, 100, control, report, launch); !errors.Is(err, gone) || launches != 2 {
		t.Errorf("%v after %d launches", err, launches)
	}
	if err := d.Free(control); err != nil {
		t.Error(err)
	}
}

// TestWholeIsAttentive: a short launch is looked at over and over; with sleeps of growing length, so many looks would
// take 17 seconds.
func TestWholeIsAttentive(t *testing.T) {
	d := devicetest.NewFake(t)
	control, err := gpu.Zeros[uint32](d, 4)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	err = Whole(&Calls{Ctx: t.Context(), Device: d}, 1, control, func(int) {}, func(int, int) error {
		d.Looks = 900
		return nil
	})
	if took := time.Since(start); err != nil || took > 2*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	if err := d.Free(control); err != nil {
		t.Error(err)
	}
}
