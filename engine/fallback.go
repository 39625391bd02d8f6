package engine

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/linchpin-graph/linchpin/engine/protocol"

	"github.com/linchpin-graph/linchpin/kernels"
)

// because says why a task is computed on the CPU.
type because struct {
	reason   string          // one line for a person
	fallback protocol.Reason // what kept it from a device that was allowed; "" when nothing did
	expected bool            // so that a summary does not name it
}

// askedForCPU is the reason under the policy CPU.
func askedForCPU() because { return because{reason: "the CPU was asked for", expected: true} }

// fallback reports whether a task that failed on a device with err goes to the CPU instead, and why. It does under
// Auto, unless the caller gave up or the error carries no Reason: then the task itself is at fault.
func fallback(ctx context.Context, p Policy, err error) (why because, back bool) {
	r, detail := ReasonOf(err)
	if p.Demands() || r == "" || r == protocol.Cancelled || ctx.Err() != nil {
		return because{}, false
	}
	switch {
	case r == protocol.NoWorker && DriverLoaded():
		return because{"the GPU of this machine is not used: " + detail, r, true}, true
	case r == protocol.NoWorker: // who installs no worker expects no GPU
		return because{"no GPU on this machine", "", true}, true
	case r == protocol.NoDriver, r == protocol.NoDevice:
		return because{"no GPU on this machine: " + detail, r, false}, true
	}
	return because{err.Error() + "; computed on the CPU", r, false}, true
}

// DriverLoaded reports whether this machine has an NVIDIA driver that is in use, and so most likely a GPU.
func DriverLoaded() bool {
	_, err := os.Stat("/dev/nvidiactl")
	return err == nil
}

// onCPU begins the outcome of a task on the CPU: the reason, and what the CPU does not do as it was asked.
func onCPU(t Task, why because) *Outcome {
	var left []string
	if p := t.Precision; p != "" && p != kernels.DefaultPrecision && p != kernels.Double {
		left = append(left, fmt.Sprintf("in %s precision, not %s", kernels.Double, p))
	}
	if named(t) {
		left = append(left, fmt.Sprintf("strategy %s is for a GPU", t.Strategy))
	}
	out := &Outcome{Device: "cpu", Fallback: why.fallback,
		Reason: strings.Join(append([]string{why.reason}, left...), "; ")}
	if out.Remark = out.Reason; why.expected {
		out.Remark = strings.Join(left, "; ")
	}
	return out
}

// Where is the device, with its strategy.
func (o *Outcome) Where() string {
	if o.Strategy == "" {
		return o.Device
	}
	return o.Device + ", " + o.Strategy
}

// Reduced says how much of a graph was searched that reductions made smaller; "" for one that was searched as it is.
func (o *Outcome) Reduced() string {
	if o.Scores == nil || o.Scores.Reduction == nil || len(o.Scores.Reduction.Taken) == 0 {
		return ""
	}
	return o.Scores.Reduction.Reason
}

// remarkReduction adds to the remark why a reduction that was asked for was not done.
func (o *Outcome) remarkReduction(asked string) {
	d := o.Scores.Reduction
	if d == nil || len(d.Taken) > 0 || asked == "" || asked == kernels.ReduceAuto {
		return
	}
	o.Remark = strings.TrimPrefix(o.Remark+"; "+d.Reason, "; ")
}
