package jobs

import (
	"cmp"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/kernels"
)

// state is the folder where a job's run leaves what the next step, or a resumed run, starts from.
type state struct{ dir string }

// openState makes the job's folder below root.
func openState(root, job string) (state, error) {
	dir := root
	for _, below := range []string{"", "jobs", filepath.Base(job)} {
		dir = filepath.Join(dir, below)
		if err := PrivateFolder(dir); err != nil {
			return state{}, fmt.Errorf("state folder: %w", err)
		}
	}
	state := state{dir}
	state.sweep()
	return state, nil
}

// abandoned is the age from which a file that is only half written has no writer any more: one that lives touches it
// all the time.
const abandoned = time.Hour

// sweep removes what killed processes have left half written. What cannot be removed now is left for the next run.
func (s state) sweep() {
	left, _ := filepath.Glob(filepath.Join(s.dir, "*.tmp")) // the pattern is well formed
	for _, name := range left {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(name)
		}
	}
}

// fresh is the snapshot of a run that has not got the lock yet.
func (s state) fresh(run string) string {
	return filepath.Join(s.dir, "graph-"+filepath.Base(run)+".tmp")
}

func (s state) graph() string  { return filepath.Join(s.dir, "graph.arrow") }
func (s state) cuts() string   { return filepath.Join(s.dir, "cuts.jsonl") }
func (s state) blocks() string { return filepath.Join(s.dir, "blocks.bin") }
func (s state) scores() string { return filepath.Join(s.dir, "scores.gob.gz") }

// computed is what the compute step leaves: the columns to write, the groups whose dendrogram the job asks for, and the
// run that they belong to.
type computed struct {
	Run     connector.Run
	Columns []connector.Column
	Cuts    *kernels.Grouping
}

// saveScores replaces the scores file as a whole. gzip's checksum guards the content.
func (s state) saveScores(c computed) (err error) {
	f, err := os.CreateTemp(s.dir, "scores-*.tmp")
	if err != nil {
		return fmt.Errorf("keep the scores: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	z, err := gzip.NewWriterLevel(f, gzip.NoCompression)
	if err != nil {
		return err
	}
	if err := cmp.Or(gob.NewEncoder(z).Encode(c), z.Close(), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("keep the scores: %w", err)
	}
	return os.Rename(f.Name(), s.scores())
}

func (s state) loadScores() (*computed, error) {
	f, err := os.Open(s.scores())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no computed scores in %s: run without --from write", s.dir)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	var c computed
	z, err := gzip.NewReader(f)
	if err == nil {
		if err = gob.NewDecoder(z).Decode(&c); err == nil {
			_, err = io.Copy(io.Discard, z) // reads to the checksum
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", s.scores(), err)
	}
	return &c, nil
}
