package client

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	own "github.com/linchpin-graph/linchpin/internal/process"
)

// Folder is a folder of the files that a task and its worker share, locked while the task runs.
type Folder struct {
	dir  string
	lock *os.File
}

// taskFolder is how the names of these folders begin.
const taskFolder = "linchpin-task-"

// NewFolder makes one.
func NewFolder() (*Folder, error) {
	dir, err := os.MkdirTemp("", taskFolder)
	if err != nil {
		return nil, err
	}
	return &Folder{dir, own.LockFolder(dir)}, nil
}

// Remove removes the folder with its files.
func (f *Folder) Remove() {
	os.RemoveAll(f.dir)
	if f.lock != nil {
		f.lock.Close()
	}
}

// young is the age under which a folder may be one that another process has just made and not locked yet.
const young = time.Minute

// removeStale removes the folders of processes that were killed: those nobody locks, unless they are young.
func removeStale(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), taskFolder) || time.Since(info.ModTime()) < young {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if lock := own.LockFolder(path); lock != nil {
			os.RemoveAll(path)
			lock.Close()
		}
	}
}

// Path is that of a file of this name.
func (f *Folder) Path(name string) string { return filepath.Join(f.dir, name) }

// Nodes writes node indices to a file of this name and returns its path.
func (f *Folder) Nodes(name string, nodes []int32) (string, error) {
	return f.Path(name), protocol.WriteNodes(f.Path(name), nodes)
}

// Shares writes shares of sources, or masses of nodes, to a file of this name and returns its path.
func (f *Folder) Shares(name string, shares []float64) (string, error) {
	return f.Path(name), protocol.WriteShares(f.Path(name), shares)
}

// Scores makes a file of scores of this length, for a worker to fill.
func (f *Folder) Scores(bytes int64) (string, error) {
	path := f.Path("scores")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return "", err
	}
	return path, os.Truncate(path, bytes)
}

// ReadScores reads the file that Scores made. One of another length is the worker's fault.
func (f *Folder) ReadScores(bytes int64) ([]float64, error) {
	file, err := os.Open(f.Path("scores"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != bytes {
		return nil, Refuse(protocol.BadScores, "the worker left %d bytes of scores, not %d", info.Size(), bytes)
	}
	values := make([]float64, bytes/8)
	if err := binary.Read(file, binary.LittleEndian, values); err != nil && err != io.EOF {
		return nil, err
	}
	return values, nil
}

// Tidy removes the files that killed processes left, unless that was tried as little ago as would leave them.
func (c *Client) Tidy() {
	c.mu.Lock()
	due := time.Since(c.tidied) >= young
	if due {
		c.tidied = time.Now()
	}
	c.mu.Unlock()
	if due {
		removeStale(os.TempDir())
	}
}
