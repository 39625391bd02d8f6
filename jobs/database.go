// Package jobs runs jobs: export, plan, compute, check, write; with a record of every run, a lock for each job, and a
// schedule.
package jobs

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// Database is where a job's graph comes from and its scores go, and where runs are recorded.
type Database interface {
	connector.Source
	connector.Sink
	// CheckProperties reports an error of kind NotOurs when a property that the job writes belongs to somebody else,
	// unless force is set, and warnings on anything that makes writing it slow or dangerous.
	CheckProperties(ctx context.Context, o connector.Ownership) (warnings []string, err error)
	// Acquire takes the job's lock or reports an error of kind Locked that says who holds it and since when.
	Acquire(ctx context.Context, job, owner string, lease time.Duration) (connector.Lease, error)
	// Abandoned reports whether the job's lock is held by a process that has certainly ended.
	Abandoned(ctx context.Context, job string) (bool, error)
	// SaveRun creates or replaces the record of a run.
	SaveRun(ctx context.Context, r connector.Run) error
	// Await waits until nobody reads, any more, what the next write replaces; it writes nothing.
	Await(ctx context.Context, o connector.WriteOptions) error
	// Publish makes what Write has written what readers see, and stores the run's record, as one.
	Publish(ctx context.Context, r connector.Run, o connector.WriteOptions) error
	// Tidy removes what the job has written under another mode of publication, and says how many scores that were.
	Tidy(ctx context.Context, o connector.WriteOptions) (removed int64, err error)
	// LastSuccess returns the job's newest run that succeeded, or nil.
	LastSuccess(ctx context.Context, job string) (*connector.Run, error)
	// Publication returns what readers of the job's scores see, and whether a run has begun to write.
	Publication(ctx context.Context, job string) (connector.Publication, error)
	// SelectNodes returns the ids of the nodes of a set, each once.
	SelectNodes(ctx context.Context, s connector.NodeSet) (export.IDs, error)
	// NodeNumbers returns the number that each node has as a property, in the order of their ids; NaN for a node without
	// it. A value that is not a number is an error.
	NodeNumbers(ctx context.Context, ids export.IDs, property string) ([]float64, error)
	// Run returns the record of a run by its id, or an error of kind UnknownName.
	Run(ctx context.Context, id string) (*connector.Run, error)
}

// Engine computes measures; see engine.Engine.
type Engine interface {
	Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error)
	Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error)
	SummarizeDistances(ctx context.Context, t engine.Task) (*kernels.DistanceSummary, *engine.Outcome, error)
	Approximate(ctx context.Context, t engine.Task, a kernels.Accuracy) (*engine.Outcome, *kernels.Estimate, error)
	Adaptive(ctx context.Context, t engine.Task, a adaptive.Sample) (*engine.Outcome, []int32, error)
	Distances(ctx context.Context, t engine.Task,
		row func(source int32, distances []float64) error) (*engine.Outcome, error)
}

// rester is an Engine that keeps a device's worker for the next computation, until it is told that there is none for
// now.
type rester interface{ Rest() }

// Reporter is told how a run goes. Calls come from one goroutine at a time.
type Reporter interface {
	// Begin starts a step.
	Begin(job string, step Step)
	// Progress says how much of the current step is done, of how much (0: not known), in the given unit.
	Progress(done, expected int64, unit string)
	// End closes the current step with one line on what it did.
	End(summary string)
	// Note is something that the user should know.
	Note(text string)
	// Warn is one of the run's warnings: something that a reader of the scores should know.
	Warn(text string)
}

// Forecaster is a Reporter that takes how long the step that has begun was predicted to take.
type Forecaster interface {
	Forecast(d time.Duration)
}
