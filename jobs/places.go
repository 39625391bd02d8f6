package jobs

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Limited is an Engine that lets only so many computations run at the same time: the others wait.
type Limited struct {
	engine   Engine
	cpu, gpu chan struct{}
	hasGPU   bool
}

// Limit wraps an engine. A task that may use a GPU counts against gpu where there is one, and against cpu otherwise; one
// that falls back to the CPU keeps its GPU's place.
func Limit(e Engine, cpu, gpu int, hasGPU bool) *Limited {
	return &Limited{engine: e, cpu: make(chan struct{}, max(cpu, 1)), gpu: make(chan struct{}, max(gpu, 1)), hasGPU: hasGPU}
}

// Compute implements Engine.
func (l *Limited) Compute(ctx context.Context, t gpu.Task) (*gpu.Outcome, error) {
	places := l.cpu
	if t.Device != gpu.CPU && l.hasGPU {
		places = l.gpu
	}
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-places }()
	return l.engine.Compute(ctx, t)
}
