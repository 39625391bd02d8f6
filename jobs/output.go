package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
)

// OutputRequest asks for a file of scores in addition to those of the job.
type OutputRequest struct {
	config.Output
	// Format is an extension, such as ".csv"; "" for that of File.
	Format string
	// To takes the scores instead of a file.
	To io.Writer
}

// Describer is a Database that knows what entities carry.
type Describer interface {
	// Describe returns for each id a row of a node's labels, or a relationship's type, and of the details. Values are
	// nil, bool, int64, float64 or string. The row of an entity that is gone is nil.
	Describe(ctx context.Context, on connector.Entity, ids export.IDs, details []connector.Detail) ([][]any, error)
}

// output is one file of a run.
type output struct {
	OutputRequest
	of   connector.Entity
	path string
	own  bool // of the job's settings
}

// findOutputs finds out which files the run writes, and whether they can be written.
func (r *run) findOutputs() error {
	for _, o := range r.job.Files() {
		r.addOutput(OutputRequest{Output: o}, o.Of, true)
	}
	for _, o := range r.options.Outputs {
		for _, of := range o.Targets(&r.job) {
			r.addOutput(o, of, false)
		}
	}
	for _, o := range r.outputs {
		if o.To == nil {
			if err := file.CheckPath(o.path); err != nil {
				return err
			}
			file.Sweep(o.path, abandoned)
		}
	}
	return nil
}

func (r *run) addOutput(o OutputRequest, of string, own bool) {
	path := o.Path(r.job.Name, of, r.record.ID, r.record.Started)
	r.outputs = append(r.outputs, output{o, connector.Entity(of), path, own})
}

// OutputPaths returns the files that a run of the job would write now.
func OutputPaths(j config.Job, now time.Time) []string {
	var out []string
	for _, o := range j.Files() {
		out = append(out, o.Path(j.Name, o.Of, newRunID(now), now))
	}
	return out
}

// distancesExist reports whether the file of distances is there, or none is asked for.
func distancesExist(j config.Job) bool {
	if j.Distances == nil || j.Distances.File == "" {
		return true
	}
	_, err := os.Stat(j.Distances.File)
	return !errors.Is(err, fs.ErrNotExist)
}

// outputsExist reports whether no file of the job is missing. Those with {run} in their names are not looked for.
func outputsExist(j config.Job, now time.Time) bool {
	if !distancesExist(j) {
		return false
	}
	for _, o := range j.Files() {
		_, err := os.Stat(o.Path(j.Name, o.Of, "", now))
		if errors.Is(err, fs.ErrNotExist) && !strings.Contains(o.File, "{run}") {
			return false
		}
	}
	return true
}

// writeOutputs writes the files under temporary names. What goes to a stream waits until the scores are published.
func (r *run) writeOutputs(ctx context.Context) (string, error) {
	for _, o := range r.outputs {
		if o.To != nil {
			r.pending = append(r.pending, nil)
			continue
		}
		p, err := r.prepareOutput(ctx, o)
		if err != nil {
			return "", err
		}
		r.pending = append(r.pending, p)
		r.record.Outputs = append(r.record.Outputs, o.path)
		for _, name := range p.Missing() {
			r.warn(fmt.Sprintf("%s: no row has a value in the column %s", o.path, name))
		}
	}
	return cmp.Or(strings.Join(r.record.Outputs, ", "), "to standard output"), nil
}

func (r *run) prepareOutput(ctx context.Context, o output) (*file.PendingOutput, error) {
	if o.of == config.OfDendrogram {
		return r.prepareDendrogram(o.path)
	}
	return r.fileOf(o).Prepare(ctx, r.rowsOf(o))
}

func (r *run) rowsOf(o output) connector.Progress {
	return func(done, expected int64) { r.Reporter.Progress(done, expected, "rows of "+string(o.of)) }
}

// fileOf returns what to write.
func (r *run) fileOf(o output) *file.Output {
	return &file.Output{
		Path: o.path, Format: o.Format, On: o.of, Snapshot: r.snapshot, Columns: r.columns, Details: r.details(o),
		Run: r.record.ID, Job: r.job.Name, Graph: r.record.Graph,
	}
}

// details are the columns that the database knows: labels or type, and properties.
func (r *run) details(o output) *file.Details {
	d, ok := r.Database.(Describer)
	if !ok {
		return nil
	}
	names, wanted := []string{"labels"}, []connector.Detail{}
	if o.of == connector.OnRelationships {
		names[0] = "type"
	}
	for _, p := range o.Properties {
		names, wanted = append(names, p.Column()), append(wanted, connector.Detail{End: p.Of, Property: p.Property})
	}
	return detailsFrom(d, o.of, names, wanted)
}

// detailsFrom reads details from the database.
func detailsFrom(d Describer, of connector.Entity, names []string, wanted []connector.Detail) *file.Details {
	return &file.Details{Names: names, Read: func(ctx context.Context, ids export.IDs) ([][]any, error) {
		return d.Describe(ctx, of, ids, wanted)
	}}
}

// succeedOutside ends a run that writes no scores to the database.
func (r *run) succeedOutside(ctx context.Context) error {
	if r.lease != nil {
		if err := r.lease.Renew(ctx); err != nil { // another run may have taken over: its files are the newer ones
			return err
		}
	}
	if err := r.commitOutputs(ctx); err != nil {
		return err
	}
	r.record.Status, r.record.Step, r.record.Finished = connector.Succeeded, "done", r.Now().UTC()
	if !r.records() {
		return nil
	}
	return r.save(ctx)
}

// commitOutputs gives the files their names, and writes the streams.
func (r *run) commitOutputs(ctx context.Context) error {
	for i, o := range r.outputs {
		if o.To != nil {
			if err := r.fileOf(o).Stream(ctx, o.To, r.rowsOf(o)); err != nil {
				return err
			}
			continue
		}
		if err := r.pending[i].Commit(); err != nil {
			return err
		}
	}
	if r.array != nil {
		if err := r.array.Commit(); err != nil {
			return err
		}
	}
	return r.rememberOutputs()
}

// discardOutputs removes the files of a run that failed. Those from before it stay, and so do rows of distances.
func (r *run) discardOutputs() {
	for _, p := range r.pending {
		if p != nil {
			p.Discard()
		}
	}
	if r.array != nil {
		r.array.Close()
	}
}
