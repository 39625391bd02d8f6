// Package gpu decides where a measure is computed: on a device, through a worker process, or on the CPU, and says why.
package gpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Policy says which device a computation may use.
type Policy string

// Auto takes a device and falls back to the CPU; GPU fails when there is none; CPU never asks.
const (
	Auto Policy = "auto"
	GPU  Policy = "gpu"
	CPU  Policy = "cpu"
)

// Task is one computation.
type Task struct {
	// Measure is a name in the table of kernels.
	Measure string
	Request kernels.Request
	// Snapshot is the graph in memory; Path is the same on disk, for a worker to map ("" when there is none yet).
	Snapshot *export.Snapshot
	Path     string
	Device   Policy
	// Strategy is a name of the measure's table, or "auto".
	Strategy string
	// Precision is "double" (the default) or "single".
	Precision string
}

// Outcome is the result of a Task, with how it came about.
type Outcome struct {
	Scores *kernels.Scores
	// Device is "cpu" or the name of the device; Strategy the one taken; Reason one line on why.
	Device, Strategy, Reason string
	// Seconds of preprocessing and of all computing, which includes preprocessing.
	Preprocess, Compute float64
	// PeakDevice is the most device memory taken, in bytes.
	PeakDevice int64
}

// Engine computes tasks.
type Engine struct{}

// NewEngine returns an engine.
func NewEngine() *Engine { return &Engine{} }

// Compute runs the task where its policy allows.
func (e *Engine) Compute(ctx context.Context, t Task) (*Outcome, error) {
	return nil, nil
}
