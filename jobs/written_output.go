package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// writtenOutput is what is known of a file that a run has written, by which a later run tells whether it is still
// there.
type writtenOutput struct {
	Path     string    `json:"path"`
	Run      string    `json:"run"`
	Graph    string    `json:"graph"`
	Config   string    `json:"config"`
	Settings string    `json:"settings"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

func (s state) outputs() string { return filepath.Join(s.dir, "outputs.json") }

// loadOutputs returns the job's files by outputKey. A list that cannot be read is an empty one: the files are written
// again.
func (s state) loadOutputs() map[string]writtenOutput {
	all := map[string]writtenOutput{}
	data, err := os.ReadFile(s.outputs())
	if err == nil && json.Unmarshal(data, &all) != nil {
		return map[string]writtenOutput{}
	}
	return all
}

func (s state) saveOutputs(all map[string]writtenOutput) error {
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	p, err := export.CreatePrivate(s.outputs())
	if err != nil {
		return err
	}
	defer p.Discard()
	if _, err := p.Write(append(data, '\n')); err != nil {
		return err
	}
	return p.Commit()
}

// outputKey names an output in the list of files, whatever {run} and {date} stand for.
func (o output) key() string { return string(o.of) + " " + o.File }

// settings identifies what a file has besides the scores.
func (o output) settings() string {
	b, err := json.Marshal([]any{o.of, o.Properties})
	if err != nil {
		return "" // not reached: both marshal
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))[:32]
}

// rememberOutputs lists the job's own files.
func (r *run) rememberOutputs() error {
	if len(r.job.Files()) == 0 || r.options.NoWrite && r.job.Write.Mode != config.NoMode {
		return nil
	}
	all := map[string]writtenOutput{}
	for _, o := range r.outputs {
		if !o.own {
			continue
		}
		w := writtenOutput{Path: o.path, Run: r.record.ID, Graph: r.record.Graph, Config: r.record.Config,
			Settings: o.settings()}
		info, err := os.Stat(o.path)
		if err != nil {
			return err
		}
		w.Size, w.Modified = info.Size(), info.ModTime()
		all[o.key()] = w
	}
	return r.state.saveOutputs(all)
}

// outputsAre reports whether all files of the job are there as a run has left them, and that run is one that good
// accepts.
func (r *run) outputsAre(good func(writtenOutput) bool) (bool, error) {
	all := r.state.loadOutputs()
	for _, o := range r.outputs {
		w, ok := all[o.key()]
		if !ok || w.Settings != o.settings() || !good(w) {
			return false, nil
		}
		info, err := os.Stat(w.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil:
			return false, err
		case info.Mode().IsRegular() && (info.Size() != w.Size || !info.ModTime().Equal(w.Modified)):
			return false, nil
		}
	}
	return true, nil
}

// published returns what readers of the job's scores see: in the database, or in its files. A run that writes nothing
// to the database has no use for it.
func (r *run) published(ctx context.Context) (connector.Publication, error) {
	switch {
	case r.options.NoWrite:
		return connector.Publication{}, nil
	case r.job.Write.Mode != config.NoMode:
		return r.Database.Publication(ctx, r.job.Name)
	}
	p := connector.Publication{Mode: connector.NoMode}
	all := r.state.loadOutputs()
	for _, o := range r.outputs {
		p.Run = all[o.key()].Run
	}
	return p, nil
}
