package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Runner runs jobs against one database.
type Runner struct {
	Database Database
	Engine   Engine
	Reporter Reporter
	// State is the folder for what steps leave on disk.
	State string
	// Host and Version stand in run records and locks.
	Host, Version string
	// Now returns the time; time.Now outside tests.
	Now func() time.Time
	// Memory returns the bytes of memory that a run may use.
	Memory func() (int64, error)
}

// Options of one run.
type Options struct {
	// Recompute runs even when neither graph nor settings changed.
	Recompute bool
	// DryRun does everything but lock, record and write.
	DryRun bool
	// IgnoreLimits lets a graph pass that is over the job's limits. They become warnings.
	IgnoreLimits bool
	// Force takes over properties that no job owns, or another one.
	Force bool
	// From is the first step to do; the steps before it must have left their results on disk.
	From Step
	// Graph is the snapshot file to start from, instead of the one that an earlier run left on this host.
	Graph string
	// Device overrides the job's own policy; "" leaves it.
	Device engine.Policy
	// Sample overrides the number of sources; 0 leaves it, -1 means all.
	Sample int
	// Wait is how long to wait for another process's run of the job; 0 ends this one with an error of kind Locked at once.
	Wait time.Duration
	// Origin says what asked for the run.
	Origin Origin
	// Outputs are files to write in addition to the job's own.
	Outputs []OutputRequest
	// NoWrite writes nothing to the database, neither scores nor lock nor record: only the outputs.
	NoWrite bool
	// Recording, if not nil, is called each time before the run saves its record.
	Recording func(ctx context.Context)
}

// Origin says what asked for a run. It stands in the run's record; the zero value is the command line.
type Origin struct {
	// ID of the run; "" makes one up.
	ID      string
	Trigger Trigger
	// Due is when the schedule wanted the run.
	Due time.Time
	// Lag is how late the scheduler noticed that the run was due.
	Lag     time.Duration
	Attempt int
	Note    string
	// Request and By are those of the run's record: the id of the requests in the database, and who asks.
	Request, By string
}

// Result is what became of a run.
type Result struct {
	Run connector.Run `json:"run"`
	// Unchanged says that there was nothing to do.
	Unchanged bool `json:"unchanged"`
	DryRun    bool `json:"dryRun"`
	// Columns are the scores, aligned with Snapshot; nil when unchanged.
	Columns  []connector.Column `json:"-"`
	Snapshot *export.Snapshot   `json:"-"`
}

// ErrUnfinished marks a run that failed after it had begun to write.
var ErrUnfinished = errors.New("write begun, not finished")

// lease is how long a lock outlives a process that vanished; it is renewed at a third of that.
const lease = 45 * time.Second

// closing is how long a cancelled run may take to record that and to give up its lock, when the link is fast. A busy
// server needs more than a second; who does not want to wait interrupts once more.
const closing = 5 * time.Second

// Run runs the job once. The result is never nil; its Run says how far it came, also after an error.
func (r *Runner) Run(ctx context.Context, job config.Job, o Options) (*Result, error) {
	r1 := &run{Runner: r, job: job, options: o, projection: Projection(job.Graph)}
	r1.record = connector.Run{
		ID: cmp.Or(o.Origin.ID, newRunID(r.Now())), Job: job.Name, Status: connector.Running, Started: r.Now().UTC(),
		Config: configDigest(job), Seconds: map[string]float64{}, Host: r.Host, Version: r.Version,
		Trigger: string(o.Origin.Trigger), Due: o.Origin.Due, Attempt: int64(o.Origin.Attempt), Note: o.Origin.Note,
		Request: o.Origin.Request, AskedBy: o.Origin.By,
	}
	if o.Sample != 0 {
		r1.job.Compute.Sample = config.Sample{Sources: max(o.Sample, 0)}
		r1.record.Config = configDigest(r1.job)
	}
	r1.steps = Steps{Of: job.Name, Reporter: r.Reporter, Now: r.Now, Seconds: r1.record.Seconds}
	if r1.writes() {
		r1.record.NodeProperties, r1.record.RelationshipProperties = Properties(job)
	}
	ctx = connector.WithMeta(ctx, connector.Meta{Job: job.Name, Run: r1.record.ID})
	err := r1.limited(ctx)
	r1.close(ctx, err)
	result := &Result{
		Run: r1.record, Unchanged: r1.unchanged, DryRun: o.DryRun, Columns: r1.columns, Snapshot: r1.snapshot,
	}
	if err != nil && r1.record.Status == connector.Unfinished {
		err = fmt.Errorf("%w: %w", ErrUnfinished, err)
	}
	return result, err
}

// run is one run under way.
type run struct {
	*Runner
	job        config.Job
	options    Options
	projection connector.Projection
	state      state
	record     connector.Run
	lease      connector.Lease
	clock      *time.Timer   // ends the run when its timeout is over
	exchange   time.Duration // that the last transaction on the lock or the record took
	snapshot   *export.Snapshot
	fresh      string // its file until the run has the lock; "" for none
	steps      Steps
	passes     []pass             // what to compute; plan makes it
	reuse      *reuse.Store       // what earlier runs found; nil for none
	chosen     map[string]*chosen // which pairs of nodes count, by choice
	columns    []connector.Column
	unchanged  bool
	before     connector.Publication // when the export began
	outputs    []output
	pending    []*file.PendingOutput // by output; nil for a stream
	array      *file.DistanceArray   // of all pairs; nil for none
	cuts       *kernels.Grouping     // whose dendrogram the job asks for; nil for none
	readOnly   bool                  // the user turned out not to have the right to write
	traversed  float64               // edges that searches went over
}

// guarded is do for a process that goes on: a panic becomes an error, so that the lock is given up and the run
// recorded.
func (r *run) guarded(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return r.do(ctx)
}

// PanicError is a bug that ended a run.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("a bug in linchpin ended the run: %v", e.Value)
}

func (r *run) do(ctx context.Context) error {
	var err error
	if r.state, err = openState(r.State, r.job.Name); err != nil {
		return err
	}
	defer r.discardOutputs()
	defer r.dropGraph()
	if err := r.findOutputs(); err != nil {
		return err
	}
	if err := r.checkProperties(ctx); err != nil {
		return err
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	if r.unchanged {
		return r.inherit(ctx)
	}
	return r.locked(ctx, func(ctx context.Context, waited bool) error {
		if err := r.catchUp(ctx, waited); err != nil || r.unchanged {
			return err
		}
		if err := r.keepGraph(); err != nil {
			return err
		}
		if err := r.judge(ctx); err != nil {
			return err
		}
		if err := r.begin(ctx); err != nil {
			return err
		}
		if r.options.From == Write {
			if err := r.resumeScores(); err != nil {
				return err
			}
		} else {
			if err := r.step(ctx, Plan, r.plan); err != nil {
				return err
			}
			if err := r.step(ctx, Compute, r.compute); err != nil {
				return err
			}
		}
		if r.options.DryRun {
			return nil
		}
		return r.deliver(ctx)
	})
}

// deliver brings the scores to where they belong. Files are complete before the database is touched, so that a full
// disk changes nothing there, and take their names when the scores are published.
func (r *run) deliver(ctx context.Context) error {
	if len(r.outputs) > 0 {
		if err := r.step(ctx, Output, r.writeOutputs); err != nil {
			return err
		}
	}
	if r.writes() {
		if err := r.step(ctx, Write, r.write); err != nil {
			return err
		}
	}
	r.summarize(ctx)
	if err := r.succeed(ctx); err != nil {
		return err
	}
	r.dropCuts(r.record.Groupings)
	return nil
}

// writes reports whether the scores go to the database, unless this is a dry run.
func (r *run) writes() bool {
	return !r.options.NoWrite && r.job.Write.Mode != config.NoMode
}

// records reports whether the run has a lock and a record in the database.
func (r *run) records() bool { return !r.options.DryRun && !r.options.NoWrite && !r.readOnly }

// prepare exports the graph and finds out whether there is anything to do.
func (r *run) prepare(ctx context.Context) error {
	var err error
	if r.before, err = r.published(ctx); err != nil {
		return err
	}
	if err := r.step(ctx, Export, r.export); err != nil {
		return err
	}
	if err := r.choosePairs(ctx); err != nil {
		return fmt.Errorf("%s: %w", Export, err)
	}
	r.unchanged, err = r.isUnchanged(ctx)
	return err
}

// catchUp prepares again when another run of the job has written since the export: its graph may be the newer one, and
// there may be nothing left to do. The lock is held by now, so that this cannot happen again.
func (r *run) catchUp(ctx context.Context, waited bool) error {
	if !r.records() {
		return nil
	}
	if now, err := r.published(ctx); err != nil || now == r.before && !waited {
		return err
	}
	return r.prepare(ctx)
}

// begin records that the run is under way, in the step that takes longest: there is no record of its own for each.
func (r *run) begin(ctx context.Context) error {
	if !r.records() {
		return nil
	}
	r.record.Step = string(Compute)
	return r.save(ctx)
}

// succeed publishes the scores and records the success, in one transaction. Until then the run counts as unfinished.
func (r *run) succeed(ctx context.Context) error {
	if !r.writes() {
		if err := r.succeedOutside(ctx); err != nil {
			return err
		}
		r.keepScores()
		return nil
	}
	r.record.Status, r.record.Step, r.record.Finished = connector.Succeeded, "done", r.Now().UTC()
	if err := r.Database.Publish(ctx, r.record, r.writeOptions()); err != nil {
		r.record.Status, r.record.Step = connector.Unfinished, string(Write)
		return fmt.Errorf("publish the scores: %w", err)
	}
	r.keepScores()
	if err := r.commitOutputs(ctx); err != nil {
		return fmt.Errorf("the scores are published, but not all outputs are written: %w", err)
	}
	switch removed, err := r.Database.Tidy(ctx, r.writeOptions()); {
	case err != nil:
		r.Reporter.Note(fmt.Sprintf("scores of the job's earlier write.mode are still there, the next run removes them: %v",
			err))
	case removed > 0:
		r.Reporter.Note(fmt.Sprintf("%d scores of the job's earlier write.mode removed", removed))
	}
	return nil
}

// step does one step, and notes in the record that the run came to it.
func (r *run) step(ctx context.Context, s Step, do func(context.Context) (string, error)) error {
	r.record.Step = string(s)
	if err := r.steps.Do(ctx, s, do); err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	return nil
}

func (r *run) checkProperties(ctx context.Context) error {
	if r.options.NoWrite {
		return nil
	}
	o := Ownership(r.job)
	o.Force = r.options.Force
	warnings, err := r.Database.CheckProperties(ctx, o)
	for _, w := range warnings {
		r.Reporter.Note(w)
	}
	return err
}

// isUnchanged reports whether the scores in the database are those of the same graph and the same settings: those of
// the published run, with none begun after it. Whose clock says what does not matter. A run that was rolled back since
// counts as the published one: running it again would bring back what somebody has withdrawn.
func (r *run) isUnchanged(ctx context.Context) (bool, error) {
	if r.options.Recompute || r.options.DryRun || r.options.From == Compute || r.options.From == Write ||
		r.options.NoWrite || len(r.options.Outputs) > 0 || !distancesExist(r.job) {
		return false, nil
	}
	if r.job.Write.Mode == config.NoMode {
		return r.outputsAre(func(w writtenOutput) bool { return w.Graph == r.record.Graph && w.Config == r.record.Config })
	}
	p, err := r.Database.Publication(ctx, r.job.Name)
	id := cmp.Or(p.Withdrawn, p.Run)
	if err != nil || id == "" || p.Writing != "" {
		return false, err
	}
	last, err := r.Database.Run(ctx, id)
	if connector.KindOf(err) == connector.UnknownName {
		return false, nil // somebody has removed its record
	}
	if err != nil {
		return false, err
	}
	if last.Graph != r.record.Graph || last.Config != r.record.Config {
		return false, nil
	}
	unchanged, err := r.outputsAre(func(w writtenOutput) bool { return w.Run == id })
	if unchanged {
		r.dropCuts(last.Groupings) // it was killed before it did
	}
	return unchanged, err
}

// locked calls do while holding the job's lock, and tells it whether the lock had to be waited for. When the lock is
// lost the context ends.
func (r *run) locked(ctx context.Context, do func(ctx context.Context, waited bool) error) error {
	if !r.records() {
		return do(ctx, false)
	}
	waited, err := r.acquire(ctx)
	if errors.Is(err, connector.ErrMayNotWrite) && r.job.Write.Mode == config.NoMode {
		r.readOnly = true
		r.Reporter.Note("the database may only be read: the run has neither lock nor record there")
		return do(ctx, false)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go keep(ctx, r.lease, cancel)
	return do(ctx, waited)
}

// inherit takes over the lock of a process that is gone, so that close releases it and nobody waits for its lease.
func (r *run) inherit(ctx context.Context) error {
	abandoned, err := r.Database.Abandoned(ctx, r.job.Name)
	if err != nil || !abandoned {
		return err
	}
	if err := r.take(ctx); err != nil && connector.KindOf(err) != connector.Locked {
		r.Reporter.Note(fmt.Sprintf("the lock of a process that is gone could not be released: %v", err))
	}
	return nil
}

// waitEvery is the time between two looks at a lock that is waited for.
const waitEvery = time.Second

// acquire takes the job's lock, as soon as it is free if that may be waited for.
func (r *run) acquire(ctx context.Context) (waited bool, err error) {
	deadline := time.Now().Add(r.options.Wait)
	for {
		if err = r.take(ctx); err == nil {
			if waited {
				r.clock.Reset(r.limit())
			}
			return waited, nil
		}
		if connector.KindOf(err) != connector.Locked || time.Until(deadline) <= 0 {
			return waited, err
		}
		if !waited {
			r.clock.Stop()
			r.Reporter.Note("waits: " + err.Error())
		}
		waited = true
		select {
		case <-ctx.Done():
			return waited, ctx.Err()
		case <-time.After(min(waitEvery, time.Until(deadline))):
		}
	}
}

// take takes the job's lock if it is free.
func (r *run) take(ctx context.Context) error {
	start := time.Now()
	held, err := r.Database.Acquire(ctx, r.job.Name, Owner(r.Host, "run "+r.record.ID), lease)
	if err != nil {
		return err // not a nil pointer in an interface
	}
	r.lease, r.exchange = held, time.Since(start)
	return nil
}

// Owner says who holds a lock: the host, the process, and what it does.
func Owner(host, what string) string {
	return fmt.Sprintf("%s (process %d), %s", host, os.Getpid(), what)
}

// keep renews the lease until the context ends; a lease that could not be renewed in time ends the context.
func keep(ctx context.Context, held connector.Lease, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(lease / 3)
	defer tick.Stop()
	failures := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		once, end := context.WithTimeout(ctx, lease/3) // a server that says nothing does not renew
		err := held.Renew(once)
		end()
		if failures++; err == nil {
			failures = 0
		} else if failures == 2 || connector.KindOf(err) == connector.Locked {
			cancel(fmt.Errorf("the lock on the job was lost: %w", err))
			return
		}
	}
}

func (r *run) save(ctx context.Context) error {
	if r.options.Recording != nil {
		r.options.Recording(ctx)
	}
	start := time.Now()
	if err := r.Database.SaveRun(ctx, r.record); err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	r.exchange = time.Since(start)
	return nil
}

// close settles how the run ended, records it, and gives up the lock, even when ctx is cancelled. A run that changed
// nothing and wrote no record before leaves none.
func (r *run) close(ctx context.Context, err error) {
	if err != nil {
		r.fail(err)
	}
	if !r.records() || r.unchanged && r.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.closing(ctx, err))
	defer cancel()
	if err != nil && (r.lease != nil || worthRecording(err)) {
		if saveErr := r.save(ctx); saveErr != nil {
			r.Reporter.Note(fmt.Sprintf("the run could not be recorded: %v", saveErr))
		}
	}
	if r.lease != nil {
		if releaseErr := r.lease.Release(ctx); releaseErr != nil {
			r.Reporter.Note(fmt.Sprintf("the lock could not be given up and ends by itself within %s: %v", lease, releaseErr))
		}
	}
}

// closing is how long close may take: on a fast link five seconds when the user waits or the server does not answer,
// and as long as the lock lasts by itself otherwise.
func (r *run) closing(ctx context.Context, err error) time.Duration {
	kind := connector.KindOf(err)
	if ctx.Err() == nil && kind != connector.Lost && kind != connector.Unreachable {
		return lease
	}
	return min(max(closing, 6*r.exchange), lease/3) // recording takes one such transaction, giving up the lock two
}

func (r *run) fail(err error) {
	r.record.Finished = r.Now().UTC()
	r.record.Error = strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted")
	r.record.Hint = HintOf(err)
	switch {
	case r.record.Status == connector.Unfinished:
	case errors.Is(err, context.Canceled):
		r.record.Status = connector.Cancelled
	default:
		r.record.Status = connector.Failed
	}
}

// worthRecording says whether a run that ended like this leaves a record: not when it never started because of a
// mistake in the settings, of a lock, or of a server that was never reached.
func worthRecording(err error) bool {
	switch connector.KindOf(err) {
	case connector.UnknownName, connector.NotOurs, connector.Locked, connector.Unreachable, connector.Empty,
		connector.BadQuery:
		return false
	}
	return true
}
