package jobs

import (
	"context"
	"sync"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// places is a number of places that runs or computations take, first come, first served. The number may be changed
// while they are taken: with fewer than are taken, nobody else gets one until enough have been left.
type places struct {
	mu      sync.Mutex
	most    int
	taken   int
	waiting []waiter
}

// waiter waits for some places at once.
type waiter struct {
	count int
	come  chan struct{} // closed when the places are the waiter's
}

func newPlaces(most int) *places { return &places{most: max(most, 1)} }

// take waits for so many places at once, or for all where there are fewer, and returns how many it got. Who comes later
// does not pass. Whoever got places must leave them.
func (p *places) take(ctx context.Context, count int) (got int, err error) {
	p.mu.Lock()
	count = min(count, p.most)
	if p.taken+count <= p.most && len(p.waiting) == 0 {
		p.taken += count
		p.mu.Unlock()
		return count, nil
	}
	mine := make(chan struct{})
	p.waiting = append(p.waiting, waiter{count, mine})
	p.mu.Unlock()
	select {
	case <-mine:
		return count, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w.come == mine {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			p.admit()
			return 0, context.Cause(ctx)
		}
	}
	p.taken -= count // the places came at the same moment: the next ones have them
	p.admit()
	return 0, context.Cause(ctx)
}

func (p *places) leave(count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken -= count
	p.admit()
}

// resize changes the number of places.
func (p *places) resize(most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = max(most, 1)
	p.admit()
}

// admit gives free places to those who wait, in their order. Who waits for more than there are gets all. The mutex is
// held.
func (p *places) admit() {
	for len(p.waiting) > 0 {
		next := p.waiting[0]
		if p.taken > 0 && p.taken+next.count > p.most {
			return
		}
		p.taken += next.count
		close(next.come)
		p.waiting = p.waiting[1:]
	}
}

// Limited is an Engine that lets only so many computations run at the same time: the others wait.
type Limited struct {
	engine   Engine
	cpu, gpu *places
	devices  int
}

// Limit wraps an engine on a machine with so many GPUs. A task that may use a GPU counts against gpu where there is
// one, once for each GPU that shares it, and against cpu otherwise; one that falls back to the CPU keeps its GPU's
// place.
func Limit(e Engine, cpu, gpu, devices int) *Limited {
	return &Limited{engine: e, cpu: newPlaces(cpu), gpu: newPlaces(gpu), devices: devices}
}

// Resize changes the limits. Computations under way go on.
func (l *Limited) Resize(cpu, gpu int) {
	l.cpu.resize(cpu)
	l.gpu.resize(gpu)
}

// Rank implements Engine. It takes no place.
func (l *Limited) Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error) {
	return l.engine.Rank(ctx, t, free)
}

// Shares says who computes a task that asks for nodes.
func (l *Limited) Shares(t engine.Task) string {
	if s, ok := l.engine.(sharer); ok {
		return s.Shares(t)
	}
	return "no nodes: this service has no fleet"
}

// Compute implements Engine.
func (l *Limited) Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error) {
	leave, err := l.enter(ctx, t)
	if err != nil {
		return nil, err
	}
	defer leave()
	return l.engine.Compute(ctx, t)
}

// SummarizeDistances implements Engine.
func (l *Limited) SummarizeDistances(
	ctx context.Context, t engine.Task,
) (*kernels.DistanceSummary, *engine.Outcome, error) {
	leave, err := l.enter(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	return l.engine.SummarizeDistances(ctx, t)
}

// Approximate implements Engine.
func (l *Limited) Approximate(
	ctx context.Context, t engine.Task, a kernels.Accuracy,
) (*engine.Outcome, *kernels.Estimate, error) {
	leave, err := l.enter(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	return l.engine.Approximate(ctx, t, a)
}

// Adaptive implements Engine.
func (l *Limited) Adaptive(ctx context.Context, t engine.Task, a adaptive.Sample) (*engine.Outcome, []int32, error) {
	leave, err := l.enter(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	return l.engine.Adaptive(ctx, t, a)
}

// Distances implements Engine.
func (l *Limited) Distances(
	ctx context.Context, t engine.Task, row func(int32, []float64) error,
) (*engine.Outcome, error) {
	leave, err := l.enter(ctx, t)
	if err != nil {
		return nil, err
	}
	defer leave()
	return l.engine.Distances(ctx, t, row)
}

// enter takes the places of a task. leave gives them back.
func (l *Limited) enter(ctx context.Context, t engine.Task) (leave func(), err error) {
	p, count := l.cpu, 1
	if t.Device != engine.CPU && l.devices > 0 {
		p, count = l.gpu, t.Device.Places(l.devices)
	}
	got, err := p.take(ctx, count)
	if err != nil {
		return nil, err
	}
	return func() { p.leave(got) }, nil
}
