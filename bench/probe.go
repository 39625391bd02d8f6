package bench

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Probe computes on a graph of two nodes to learn where measurements will run. It returns the device, "cpu" for the CPU,
// and the reason for it. Under gpu.GPU a missing device is the engine's error.
func Probe(ctx context.Context, e Engine, policy gpu.Policy) (device, reason string, err error) {
	tiny := &edgeList{nodes: 2, source: []int32{0}, target: []int32{1}}
	s, err := tiny.snapshot()
	if err != nil {
		return "", "", err
	}
	out, err := e.Compute(ctx, gpu.Task{
		Measure: "betweenness", Request: kernels.Request{Nodes: true}, Snapshot: s, Device: policy, Strategy: "auto",
	})
	if err != nil {
		return "", "", err
	}
	return out.Device, out.Reason, nil
}

// OnCPU returns the suite with every case measured on the CPU alone, all threads.
func (s Suite) OnCPU() Suite {
	cases := make([]Case, len(s.Cases))
	for i, c := range s.Cases {
		c.Strategies = []string{CPU}
		cases[i] = c
	}
	s.Cases = cases
	return s
}
