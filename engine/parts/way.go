package parts

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/internal/filehash"
)

// CPU is the Device of a Way on the CPU.
const CPU = "cpu"

// Way is how a task is computed. All parts of a run are computed in the same way, so that their sums are of the same
// numbers.
type Way struct {
	// Device is CPU, or the name of the kind of GPU.
	Device string `json:"device"`
	// Strategy is the one that the GPU took, and Number that of the way among those that its worker lists.
	Strategy string `json:"strategy,omitempty"`
	Number   int    `json:"way,omitempty"`
	// Single reports whether sums are in single precision.
	Single bool `json:"single,omitempty"`
	// Plain reports whether kernels.Partial.Finish makes the scores, because the graph was searched as it is. Other ways
	// need their device, or the CPU, to undo what they did to the graph.
	Plain bool `json:"plain,omitempty"`
	// Blocks is the number of thread blocks, if that shows in the last bits. It follows from the memory that is free on
	// the GPU.
	Blocks int `json:"blocks,omitempty"`
	// Worker is a digest of the program that ran on the GPU.
	Worker string `json:"worker,omitempty"`
}

// OnGPU reports whether a GPU computes.
func (w Way) OnGPU() bool { return w.Device != CPU }

// bits is a way without what changes the last bits of sums alone.
func (w Way) bits() Way {
	if w.OnGPU() {
		w.Device, w.Worker, w.Blocks = "", "", 0
	}
	return w
}

// Check reports in which other way than this one sums were computed that are to be joined with it. Any kind of GPU will
// do if Device is "".
func (w Way) Check(other Way) error {
	switch {
	case w.bits() != other.bits():
		return refuse("use a machine like those of the parts; or compute all parts again, and name a --strategy",
			"the parts were computed by %s, and this machine computes by %s", w.how(), other.how())
	case w.Device != "" && w != other:
		return refuse("use a machine like those of the parts, or add --mixed, and the scores are "+promise(w)+
			", but may differ in their last digits", "the parts were computed on %s, and this machine has %s", w.name(),
			other.name())
	}
	return nil
}

// Place is the device, with its strategy.
func (w Way) Place() string {
	if w.Strategy == "" {
		return w.Device
	}
	return w.Device + ", " + w.Strategy
}

// name names who computed.
func (w Way) name() string {
	switch {
	case !w.OnGPU():
		return "the CPU"
	case w.Blocks > 0:
		return fmt.Sprintf("%s (linchpin-worker %s, %d thread blocks)", w.Device, w.Worker, w.Blocks)
	}
	return fmt.Sprintf("%s (linchpin-worker %s)", w.Device, w.Worker)
}

// how names the way on a GPU.
func (w Way) how() string {
	text := fmt.Sprintf("strategy %s (way %d)", w.Strategy, w.Number)
	if w.Single {
		text += " in single precision"
	}
	return text
}

// DigestOf returns a short digest of a program's file.
func DigestOf(path string) (string, error) {
	hash, _, err := filehash.OfFile(path)
	if err != nil {
		return "", err
	}
	return hash[:12], nil
}
