package jobs

import (
	"context"
	"sync"

	"github.com/linchpin-graph/linchpin/engine"
)

// places is a number of places that runs or computations take, first come, first served. The number may be changed
// while they are taken: with fewer than are taken, nobody else gets one until enough have been left.
type places struct {
	mu      sync.Mutex
	most    int
	taken   int
	waiting []chan struct{} // closed when the place is the waiter's
}

func newPlaces(most int) *places { return &places{most: max(most, 1)} }

// take waits for a place. Whoever got one must leave it.
func (p *places) take(ctx context.Context) error {
	p.mu.Lock()
	if p.taken < p.most && len(p.waiting) == 0 {
		p.taken++
		p.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	p.waiting = append(p.waiting, mine)
	p.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w == mine {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			return context.Cause(ctx)
		}
	}
	p.taken-- // the place came at the same moment: the next one has it
	p.admit()
	return context.Cause(ctx)
}

func (p *places) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	p.admit()
}

// resize changes the number of places.
func (p *places) resize(most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = max(most, 1)
	p.admit()
}

// admit gives free places to those who wait. The mutex is held.
func (p *places) admit() {
	for p.taken < p.most && len(p.waiting) > 0 {
		p.taken++
		close(p.waiting[0])
		p.waiting = p.waiting[1:]
	}
}

// Limited is an Engine that lets only so many computations run at the same time: the others wait.
type Limited struct {
	engine   Engine
	cpu, gpu *places
	hasGPU   bool
}

// Limit wraps an engine. A task that may use a GPU counts against gpu where there is one, and against cpu otherwise; one
// that falls back to the CPU keeps its GPU's place.
func Limit(e Engine, cpu, gpu int, hasGPU bool) *Limited {
	return &Limited{engine: e, cpu: newPlaces(cpu), gpu: newPlaces(gpu), hasGPU: hasGPU}
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
	p := l.cpu
	if t.Device != engine.CPU && l.hasGPU {
		p = l.gpu
	}
	if err := p.take(ctx); err != nil {
		return nil, err
	}
	defer p.leave()
	return l.engine.Compute(ctx, t)
}
