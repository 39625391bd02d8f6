package client

import (
	"os"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// gone says why the event pipe ended.
func (p *process) gone() error {
	select {
	case <-p.ended:
	case <-time.After(3 * p.limits.Leave):
		return Refuse(protocol.Protocol, "the worker closed its event pipe and goes on running")
	}
	return exitReason(p.command.ProcessState, p.output.String())
}

// exitReason sorts the ways in which a worker ends before its last event. 127 is the dynamic linker's; 1 with these
// words is gorgonia.org/cu's, which ends the process when CUDA does not initialise.
func exitReason(state *os.ProcessState, output string) error {
	last := lastLine(output)
	_, linker, _ := strings.Cut(last, "shared libraries: ")
	switch {
	case state.ExitCode() == 127 && strings.HasPrefix(linker, "libcuda."):
		return Refuse(protocol.NoDriver, "there is no NVIDIA driver (%s)", linker)
	case state.ExitCode() == 127 && strings.Contains(last, "undefined symbol: cu"):
		return Refuse(protocol.NoDriver, "the NVIDIA driver is too old (%s)", last)
	case state.ExitCode() == 127:
		return Refuse(protocol.BrokenWorker, "the worker does not start: %s", last)
	case state.ExitCode() == 1 && strings.Contains(output, "Error in initialization"):
		_, cause, _ := strings.Cut(output, "for details on: ")
		return Refuse(protocol.NoDevice, "the NVIDIA driver shows no usable device (%s)", lastLine(cause))
	}
	if cause := causeOf(output); cause != "" {
		return Refuse(protocol.Crashed, "the worker ended with %v: %s", state, cause)
	}
	return Refuse(protocol.Crashed, "the worker ended with %v", state)
}

// causeOf finds the line that says most: what a Go program panicked with, or else the last one.
func causeOf(output string) string {
	for text := range strings.Lines(output) {
		if strings.HasPrefix(text, "panic:") || strings.HasPrefix(text, "fatal error:") {
			return strings.TrimSpace(text)
		}
	}
	return lastLine(output)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
