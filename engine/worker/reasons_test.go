package worker

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
)

// TestReasons: each error of a device, or of a plan, has its Reason; what no device is to blame for is the task's own.
func TestReasons(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want protocol.Reason
	}{
		{t.Context(), fmt.Errorf("%w: load betweenness on compute capability 5.0: CUDA says NoBinaryForGpu", gpu.ErrArch),
			protocol.NoKernel},
		{t.Context(), fmt.Errorf("%w: take 8 bytes", gpu.ErrMemory), protocol.OutOfMemory},
		{t.Context(), fmt.Errorf("%w: CUDA says IllegalAddress", gpu.ErrLaunch), protocol.LaunchFailed},
		{t.Context(), fmt.Errorf("plan: %w", &gpu.TooLarge{What: "the graph", Need: 2, Free: 1}), protocol.TooLarge},
		{t.Context(), notOnGPU("not here"), protocol.NotOnGPU},
		{t.Context(), errors.New("a weight that is lost"), protocol.BadTask},
		{gone, fmt.Errorf("%w: anything", gpu.ErrLaunch), protocol.Cancelled},
	} {
		if got := reasonOf(c.ctx, c.err); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
}
