package coordinator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/filehash"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/kernels"
)

// entry is a line of a manifest: a file with the partial result of some shards.
type entry struct {
	Shards []kernels.Shard `json:"shards"`
	File   string          `json:"file"`
	SHA256 string          `json:"sha256"`
	Bytes  int64           `json:"bytes"`
	// Nodes are the names of those that computed the shards.
	Nodes []string `json:"nodes"`
}

// manifest is the record of a run: what is done is what its file says, and nothing else. It is a folder with the file
// and the files that it names. A line is written when the file that it names is on stable storage.
type manifest struct {
	dir     string
	lock    *os.File
	file    *os.File
	entries []entry
}

const manifestName = "manifest"

// errTwo is the error of a folder that another process uses.
var errTwo = errors.New("another process coordinates this run")

// openManifest opens the manifest in a folder, or begins one. Files that it does not name are removed, and so are lines
// whose file is not what they say.
func openManifest(dir string) (*manifest, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	m := &manifest{dir: dir, lock: process.LockFolder(dir)}
	if m.lock == nil && process.LocksFolders {
		return nil, fmt.Errorf("%s: %w", dir, errTwo)
	}
	if err := m.load(); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// load reads the lines, and writes those that hold to a new file. A line that a crash cut off is the last one.
func (m *manifest) load() error {
	text, err := os.ReadFile(m.path(manifestName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for line := range bytes.Lines(text) {
		var e entry
		if json.Unmarshal(line, &e) == nil && m.holds(e) {
			m.entries = append(m.entries, e)
		}
	}
	if err := m.rewrite(m.entries); err != nil {
		return err
	}
	return m.sweep()
}

func (m *manifest) path(name string) string { return filepath.Join(m.dir, filepath.Base(name)) }

// holds reports whether the file of an entry is what the entry says.
func (m *manifest) holds(e entry) bool {
	sum, size, err := filehash.OfFile(m.path(e.File))
	return err == nil && sum == e.SHA256 && size == e.Bytes
}

// rewrite replaces all lines.
func (m *manifest) rewrite(entries []entry) error {
	p, err := export.CreatePrivate(m.path(manifestName))
	if err != nil {
		return err
	}
	defer p.Discard()
	encoder := json.NewEncoder(p)
	for _, e := range entries {
		if err := encoder.Encode(e); err != nil {
			return err
		}
	}
	if err := p.Commit(); err != nil {
		return err
	}
	f, err := os.OpenFile(m.path(manifestName), os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if m.file != nil {
		m.file.Close()
	}
	m.file, m.entries = f, entries
	return nil
}

// sweep removes files that no line names.
func (m *manifest) sweep() error {
	known := map[string]bool{manifestName: true}
	for _, e := range m.entries {
		known[e.File] = true
	}
	all, err := os.ReadDir(m.dir)
	for _, f := range all {
		if !known[f.Name()] && !f.IsDir() {
			err = errors.Join(err, os.Remove(m.path(f.Name())))
		}
	}
	return err
}

// add takes over a file that is on stable storage, under a name of its own, and writes its line. When add returns nil,
// the shards of the file are done, whatever happens next.
func (m *manifest) add(e entry, from string) error {
	if err := os.Rename(from, m.path(e.File)); err != nil {
		return err
	}
	if err := export.SyncFolder(m.dir); err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	before, err := m.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err = m.file.Write(append(line, '\n')); err == nil {
		err = m.file.Sync()
	}
	if err != nil {
		os.Remove(m.path(e.File))
		return errors.Join(err, m.file.Truncate(before)) // half a line would spoil the next one
	}
	m.entries = append(m.entries, e)
	return nil
}

// joined replaces the files of all entries by one.
func (m *manifest) joined(e entry) error {
	old := m.entries
	if err := m.rewrite([]entry{e}); err != nil {
		if export.IsDiskFull(err) {
			os.Remove(m.path(e.File)) // each part that comes tries again
		}
		return err
	}
	for _, gone := range old {
		os.Remove(m.path(gone.File))
	}
	return nil
}

// close leaves the run to another coordinator.
func (m *manifest) close() {
	if m.file != nil {
		m.file.Close()
	}
	if m.lock != nil {
		m.lock.Close()
	}
}

// remove removes all of the run.
func (m *manifest) remove() error {
	err := os.RemoveAll(m.dir)
	m.close()
	return err
}

// uploadName begins the names of files that are being received.
const uploadName = "upload-"

// newUpload begins a file that is being received.
func (m *manifest) newUpload() (*os.File, error) { return os.CreateTemp(m.dir, uploadName+"*") }
