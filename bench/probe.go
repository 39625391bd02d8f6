package bench

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Probe computes on a graph of two nodes to learn where measurements will run. It returns the device, "cpu" for the
// CPU, and the reason for it. Under engine.GPU a missing device is the engine's error.
func Probe(ctx context.Context, e Engine, policy engine.Policy) (device, reason string, err error) {
	tiny := &edgeList{nodes: 2, source: []int32{0}, target: []int32{1}}
	s, err := tiny.snapshot()
	if err != nil {
		return "", "", err
	}
	out, err := e.Compute(ctx, engine.Task{
		Measure: "betweenness", Request: kernels.Request{Nodes: true}, Snapshot: s, Device: policy, Strategy: "auto",
	})
	if err != nil {
		return "", "", err
	}
	return out.Device, out.Reason, nil
}

// OnCPU returns the suite with every case measured on the CPU alone, all threads, once.
func (s Suite) OnCPU() Suite {
	var cases []Case
	seen := map[string]bool{}
	for _, c := range s.Cases {
		c.Strategies = []string{CPU}
		of := measurement{Case: c, suite: s.Name, strategy: CPU}
		if r := of.record(); !seen[r.key()] {
			seen[r.key()] = true
			cases = append(cases, c)
		}
	}
	s.Cases = cases
	return s
}
