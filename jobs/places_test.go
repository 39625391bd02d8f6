package jobs

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
)

// countingEngine notes how many GPUs are in use at the same time, of which a policy takes so many.
type countingEngine struct {
	Engine // for what tests of places do not call

	mu         sync.Mutex
	used, most int
	alone      bool // a computation on all GPUs had company
	work       func()
}

func (e *countingEngine) Compute(_ context.Context, t engine.Task) (*engine.Outcome, error) {
	const devices = 2
	count := t.Device.Places(devices)
	e.mu.Lock()
	if e.alone = e.alone && (count < devices || e.used == 0); e.used+count > e.most {
		e.most = e.used + count
	}
	e.used += count
	e.mu.Unlock()
	e.work()
	e.mu.Lock()
	e.used -= count
	e.mu.Unlock()
	return &engine.Outcome{}, nil
}

// TestRunsOnAllDevicesRunAlone: with serve.gpu: 2 on a machine with two GPUs, a run that takes both waits until both
// are free, those that take one share, and nobody waits for ever.
func TestRunsOnAllDevicesRunAlone(t *testing.T) {
	e := &countingEngine{alone: true, work: func() { time.Sleep(time.Millisecond) }}
	l := Limit(e, 1, 2, 2)
	var runs sync.WaitGroup
	for i := range 60 {
		p := engine.GPU
		if i%3 == 0 {
			p = []engine.Policy{"gpu:all", "auto:0,1", "gpu:1,0"}[i/3%3]
		}
		runs.Go(func() {
			if _, err := l.Compute(t.Context(), engine.Task{Device: p}); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	if e.most != 2 || !e.alone {
		t.Errorf("%d GPUs were in use at the same time; alone %t", e.most, e.alone)
	}
}

// TestOnePlaceIsEnough: with serve.gpu: 1 a run that takes both GPUs takes the one place.
func TestOnePlaceIsEnough(t *testing.T) {
	e := &countingEngine{work: func() {}}
	for _, devices := range []int{0, 1, 2} {
		if _, err := Limit(e, 1, 1, devices).Compute(t.Context(), engine.Task{Device: "gpu:all"}); err != nil {
			t.Errorf("%d devices: %v", devices, err)
		}
	}
}

// TestPlacesAreLeft: whoever gives up, and whenever the number changes, all places are free in the end.
func TestPlacesAreLeft(t *testing.T) {
	p := newPlaces(3)
	var takers sync.WaitGroup
	for i := range 200 {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		takers.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(3000))*time.Microsecond)
			defer cancel()
			got, err := p.take(ctx, 1+r.IntN(4))
			if err != nil {
				return
			}
			time.Sleep(time.Duration(r.IntN(500)) * time.Microsecond)
			p.leave(got)
		})
		if i%20 == 0 {
			p.resize(1 + r.IntN(4))
		}
	}
	takers.Wait()
	if p.taken != 0 || len(p.waiting) != 0 {
		t.Errorf("%d places are taken, %d wait", p.taken, len(p.waiting))
	}
	p.resize(2)
	if got, err := p.take(t.Context(), 5); err != nil || got != 2 {
		t.Errorf("%d places, %v", got, err)
	}
}
