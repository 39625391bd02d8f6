package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Output is a file of scores with what the graph's source knows of each entity. Its columns are the id of a node, or
// those of the source and the target of a relationship, then Details, then the scores.
type Output struct {
	// Path of the file; its extension names the format, unless Format does.
	Path string
	// Format is an extension with its dot; "" for that of Path.
	Format   string
	On       connector.Entity
	Snapshot *export.Snapshot
	// Columns are the scores; those of other entities are left out.
	Columns []connector.Column
	// Details may be nil.
	Details *Details
	// Run, Job and the digest of the Graph are in the metadata of .parquet and .arrow, as linchpin.run, linchpin.job and
	// linchpin.graph.
	Run, Job, Graph string
}

// PendingOutput is an output that is complete and safe on disk, under a temporary name.
type PendingOutput struct {
	path  string
	file  *export.PendingFile
	table *outTable // nil for a file that is no table
}

// Missing returns the columns of details that have no value in any row.
func (p *PendingOutput) Missing() []string {
	var out []string
	if p.table == nil {
		return nil
	}
	for i, seen := range p.table.seen {
		if !seen && p.table.rows > 0 {
			out = append(out, p.table.details.Names[i])
		}
	}
	return out
}

// Prepare writes the file under a temporary name in its folder. Call Commit to give it its name, then Discard.
func (o *Output) Prepare(ctx context.Context, progress connector.Progress) (*PendingOutput, error) {
	format, err := o.format()
	if err != nil {
		return nil, err
	}
	t := o.table(format)
	for {
		p, err := export.CreatePending(o.Path)
		if err != nil {
			return nil, WriteError(o.Path, err)
		}
		err = write(ctx, t, p, format, progress)
		if err == nil {
			err = p.Prepare()
		}
		if err == nil {
			return &PendingOutput{path: o.Path, file: p, table: t}, nil
		}
		p.Discard()
		if !errors.Is(err, errWider) {
			return nil, WriteError(o.Path, err)
		}
	}
}

// PrepareFile is Prepare for a file that is no table.
func PrepareFile(path string, write func(io.Writer) error) (*PendingOutput, error) {
	p, err := export.CreatePending(path)
	if err != nil {
		return nil, WriteError(path, err)
	}
	if err = write(p); err == nil {
		err = p.Prepare()
	}
	if err != nil {
		p.Discard()
		return nil, WriteError(path, err)
	}
	return &PendingOutput{path: path, file: p}, nil
}

// Commit gives the file its name.
func (p *PendingOutput) Commit() error {
	if err := p.file.Commit(); err != nil {
		return WriteError(p.path, err)
	}
	return nil
}

// Discard removes the file, unless it was committed.
func (p *PendingOutput) Discard() { p.file.Discard() }

// Stream writes the output to w. A format other than CSV goes through a temporary file, because it may have to begin
// again.
func (o *Output) Stream(ctx context.Context, w io.Writer, progress connector.Progress) error {
	format, err := o.format()
	if err != nil {
		return err
	}
	t := o.table(format)
	if isCSV(format) {
		return streamError(write(ctx, t, w, format, progress))
	}
	f, err := os.CreateTemp("", "linchpin-*"+format)
	if err != nil {
		return streamError(err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	for {
		_, err := f.Seek(0, io.SeekStart)
		if err == nil {
			err = f.Truncate(0)
		}
		if err == nil {
			err = write(ctx, t, f, format, progress)
		}
		if !errors.Is(err, errWider) {
			if err != nil {
				return streamError(err)
			}
			break
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return streamError(err)
	}
	_, err = io.Copy(w, f)
	return streamError(err)
}

func streamError(err error) error {
	if err == nil {
		return nil
	}
	return WriteError("standard output", err)
}

func write(ctx context.Context, t *outTable, to io.Writer, format string, progress connector.Progress) error {
	done := int64(0)
	w := &writer{outTable: t, ctx: ctx, tick: func(rows int) {
		if done += int64(rows); progress != nil {
			progress(done, int64(t.rows))
		}
	}}
	return w.write(to, format)
}

func (o *Output) format() (string, error) {
	if o.Format != "" {
		return o.Format, nil
	}
	return FormatOf(o.Path)
}

func isCSV(format string) bool { return format == ".csv" || format == ".csv.gz" }

// table returns what to write. CSV has no types, so that its details are text from the start.
func (o *Output) table(format string) *outTable {
	names := []string{"id"}
	if o.On == connector.OnRelationships {
		names = []string{"source", "target"}
	}
	t := newTable(o.Path, o.On, o.Snapshot, names...)
	if o.On == connector.OnRelationships {
		t.relationships(&o.Snapshot.Rels)
	}
	if o.Details != nil {
		t.details, t.kinds = o.Details, make([]kind, len(o.Details.Names))
		t.seen = make([]bool, len(t.kinds))
		for i := range t.kinds {
			if isCSV(format) {
				t.kinds[i] = text
			}
		}
	}
	for _, c := range o.Columns {
		if c.On == o.On {
			t.names, t.scores = append(t.names, c.Property), append(t.scores, c.Values)
		}
	}
	t.meta = []meta{{"linchpin.job", o.Job}, {"linchpin.run", o.Run}, {graphKey, o.Graph}}
	return t
}

// CheckPath returns an error when no file could be written at path. It changes nothing that is there.
func CheckPath(path string) error {
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return pathError(path, "there is no folder "+folder, "make it: mkdir -p "+folder)
	case err != nil:
		return WriteError(path, err)
	case !info.IsDir():
		return pathError(path, folder+" is not a folder", "")
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return pathError(path, "it is a folder", "name a file in it")
	case err == nil && !info.Mode().IsRegular():
		return nil // to open a pipe could wait for its reader
	}
	p, err := export.CreatePending(path)
	if err != nil {
		return WriteError(path, err)
	}
	p.Discard()
	return nil
}

// Sweep removes what killed processes have left of a file at path that is only half written: files of that age, which
// nobody writes any more. What cannot be removed stays.
func Sweep(path string, age time.Duration) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		if !ours || len(rest) != len("00000000.tmp") || !strings.HasSuffix(rest, ".tmp") {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > age {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

func pathError(path, why, hint string) error {
	return &connector.Error{Kind: connector.BadData, Msg: fmt.Sprintf("%s: cannot be written: %s", path, why), Hint: hint}
}
