package cuda

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestChunksCoverAllSourcesOnce: whatever the speed, ranges are consecutive, whole units but for the last, and end within
// a second unless one unit takes longer.
func TestChunksCoverAllSourcesOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		total, unit := rapid.IntRange(0, 5000).Draw(r, "sources"), rapid.IntRange(1, 300).Draw(r, "unit")
		perUnit := rapid.IntRange(0, 400).Draw(r, "milliseconds a unit")
		clock, next, last := time.Time{}, 0, 0
		j := &Job{Sources: make([]int32, total), Progress: func(done int) { last = done }}
		err := j.chunks(context.Background(), newFake(t), unit, func(first, count int) error {
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
	j := &Job{Sources: make([]int32, 1000), Progress: func(int) {}}
	err := j.Chunks(ctx, newFake(t), 1, func(int, int) error {
		if calls++; calls == 2 {
			cancel(gone)
		}
		return nil
	})
	if !errors.Is(err, gone) || calls != 2 {
		t.Errorf("%v after %d chunks", err, calls)
	}
	broken := errors.New("broken")
	if err := j.Chunks(t.Context(), newFake(t), 1, func(int, int) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
