package protocol

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

// Missing says that no device could take the task, rather than that one failed at it.
func (r Reason) Missing() bool {
	switch r {
	case NoWorker, BrokenWorker, BadWorker, NoDriver, NoDevice, NoKernel, NotOnGPU:
		return true
	}
	return false
}
