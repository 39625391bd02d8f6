package engine

import "github.com/linchpin-graph/linchpin/kernels"

// profiled says whether a profile can be made of a task: kernels that count are for one kind.
func profiled(m kernels.Measure, t Task) bool {
	r := t.Request
	return m.Kind == kernels.Dependencies && t.Strategy == "batched" && kernels.IsSingle(t.Precision) && r.Nodes &&
		!r.Edges && r.Reduce == kernels.ReduceOff
}
