package engine

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	own "github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/kernels"
)

// transfer is a folder of the files that a task and its worker share, locked while the task runs.
type transfer struct {
	dir  string
	lock *os.File
}

// taskFolder is how the names of these folders begin.
const taskFolder = "linchpin-task-"

func newTransfer() (*transfer, error) {
	dir, err := os.MkdirTemp("", taskFolder)
	if err != nil {
		return nil, err
	}
	return &transfer{dir, own.LockFolder(dir)}, nil
}

func (f *transfer) remove() {
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

func (f *transfer) path(name string) string { return filepath.Join(f.dir, name) }

// order writes what the worker reads, makes room for what it writes, and fills in the rest of the order. The snapshot on
// disk is used where there is one. wanted is for Order.Wanted.
func (f *transfer) order(t Task, o *protocol.Order, wanted []int32) error {
	g, r := t.Snapshot.Graph, t.Request
	o.Snapshot, o.Graph, o.Scores = t.Path, protocol.Fingerprint(g), f.path("scores")
	o.Params, o.Scale, o.Strategy, o.Single = r.Params, r.Scale, t.Strategy, kernels.IsSingle(t.Precision)
	o.Reduce, o.Bucket, o.Profile = r.Reduce, t.Bucket, t.Profile
	t.Ranking.handOn(o)
	if o.Strategy == "" {
		o.Strategy = "auto"
	}
	if _, err := os.Stat(o.Snapshot); err != nil {
		o.Snapshot = f.path("graph.arrow")
		if err := export.ShowSnapshot(o.Snapshot, t.Snapshot); err != nil {
			return err
		}
	}
	var err error
	if o.Snapshot, err = filepath.Abs(o.Snapshot); err != nil {
		return err
	}
	if r.Sources != nil {
		if o.Sources, err = f.nodes("sources", r.Sources); err != nil {
			return err
		}
	}
	if wanted != nil {
		if o.Wanted, err = f.nodes("wanted", wanted); err != nil {
			return err
		}
	}
	if err := os.WriteFile(o.Scores, nil, 0o600); err != nil {
		return err
	}
	return os.Truncate(o.Scores, protocol.ScoreBytes(g, *o, r.SourceCount(g.N())))
}

// nodes writes node indices to a file of this name and returns its path.
func (f *transfer) nodes(name string, nodes []int32) (string, error) {
	data := make([]byte, 0, 4*len(nodes))
	for _, v := range nodes {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return f.path(name), os.WriteFile(f.path(name), data, 0o600)
}

// values reads what the worker wrote. A file of another length is the worker's fault.
func (f *transfer) values(t Task, o protocol.Order) ([]float64, error) {
	file, err := os.Open(o.Scores)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	g := t.Snapshot.Graph
	want := protocol.ScoreBytes(g, o, t.Request.SourceCount(g.N()))
	if info.Size() != want {
		return nil, refuse(protocol.BadScores, "the worker left %d bytes of scores, not %d", info.Size(), want)
	}
	values := make([]float64, want/8)
	if err := binary.Read(file, binary.LittleEndian, values); err != nil && err != io.EOF {
		return nil, err
	}
	return values, nil
}
