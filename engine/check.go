package engine

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// checkOnCPU verifies scores of the CPU. Scores are checked once, right after they are made, as what was done: sums in
// float32 are compared less closely than others.
func checkOnCPU(m kernels.Measure, t Task, s *kernels.Scores) error {
	if err := check.Scores(m, t.Snapshot.Graph, t.Request, s); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	return nil
}

// checkOfDevice is checkOnCPU for scores of a device. If they cannot be right, the error is one of the device, so that
// auto computes in another way.
func checkOfDevice(m kernels.Measure, t Task, s *kernels.Scores) error {
	s.Single = s.Single && kernels.IsSingle(t.Precision)
	if err := check.Scores(m, t.Snapshot.Graph, t.Request, s); err != nil {
		return refuse(protocol.BadScores, "the device's scores cannot be right: %v", err)
	}
	return nil
}
