package engine

import (
	"context"
	"errors"
	"fmt"
)

// Reason says in one word why a task did not run on a device.
type Reason string

// Nothing here can run the task on a device.
const (
	NoWorker     Reason = "no-worker"          // there is no linchpin-worker to start
	BrokenWorker Reason = "broken-worker"      // there is one, and it does not start
	BadWorker    Reason = "version-of-worker"  // the worker speaks another version of the protocol
	NoDriver     Reason = "no-driver"          // libcuda is not installed
	NoDevice     Reason = "no-device"          // the driver shows no usable device
	NoKernel     Reason = "no-kernel-for-arch" // the device is too old for the compiled kernels
	NotOnGPU     Reason = "not-on-gpu"         // no device code for this measure, or not for this graph
	TooLarge     Reason = "too-large"          // the plan needs more memory than the device has free
)

// A device was there, and the task failed on it.
const (
	OutOfMemory  Reason = "out-of-memory"
	LaunchFailed Reason = "launch-failed"
	TimedOut     Reason = "timed-out"
	Cancelled    Reason = "cancelled"
	Protocol     Reason = "protocol" // the worker said something that it must not
	Crashed      Reason = "crashed"
	BadScores    Reason = "bad-scores" // of the wrong number, or not finite
	BadSnapshot  Reason = "bad-snapshot"
	// BadTask says that nothing could compute this; it never comes out of Compute, its detail does.
	BadTask Reason = "bad-task"
)

// reasons lists every Reason; a worker may name no other.
func reasons() []Reason {
	return []Reason{
		NoWorker, BrokenWorker, BadWorker, NoDriver, NoDevice, NoKernel, NotOnGPU, TooLarge,
		OutOfMemory, LaunchFailed, TimedOut, Cancelled, Protocol, Crashed, BadScores, BadSnapshot, BadTask,
	}
}

// missing says that no device could take the task, rather than that one failed at it.
func (r Reason) missing() bool {
	switch r {
	case NoWorker, BrokenWorker, BadWorker, NoDriver, NoDevice, NoKernel, NotOnGPU:
		return true
	}
	return false
}

// words begin the line for a person that the detail ends.
func (r Reason) words() string {
	switch {
	case r == NotOnGPU:
		return "not possible on a GPU"
	case r == TooLarge:
		return "too large for the GPU"
	case r.missing():
		return "no GPU"
	}
	return "the GPU failed"
}

// Unavailable is returned under the policy GPU when nothing here can run the task on a device.
type Unavailable struct {
	Reason Reason
	// Detail is one line for a person.
	Detail string
}

func (e *Unavailable) Error() string { return e.Reason.words() + ": " + e.Detail }

// Failed is returned under the policy GPU when a device took the task and failed at it.
type Failed struct {
	Reason Reason
	// Detail is one line for a person.
	Detail string
}

func (e *Failed) Error() string {
	if e.Reason == Cancelled {
		return e.Detail
	}
	return e.Reason.words() + ": " + e.Detail
}

// Unwrap makes a cancelled task a cancelled context.
func (e *Failed) Unwrap() error {
	if e.Reason == Cancelled {
		return context.Canceled
	}
	return nil
}

// refuse makes the error of a reason.
func refuse(r Reason, format string, args ...any) error {
	detail := fmt.Sprintf(format, args...)
	if r.missing() {
		return &Unavailable{r, detail}
	}
	return &Failed{r, detail}
}

// ReasonOf returns the reason that err carries, and its detail; "" when it carries none.
func ReasonOf(err error) (Reason, string) {
	var missing *Unavailable
	var failed *Failed
	switch {
	case errors.As(err, &missing):
		return missing.Reason, missing.Detail
	case errors.As(err, &failed):
		return failed.Reason, failed.Detail
	}
	return "", ""
}
