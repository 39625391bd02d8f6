package gpu

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/export"
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
	removeStale(os.TempDir())
	dir, err := os.MkdirTemp("", taskFolder)
	if err != nil {
		return nil, err
	}
	return &transfer{dir, lockFolder(dir)}, nil
}

func (f *transfer) remove() {
	os.RemoveAll(f.dir)
	if f.lock != nil {
		f.lock.Close()
	}
}

// removeStale removes the folders of processes that were killed: those nobody locks. A minute lets another process lock
// the one that it has just made.
func removeStale(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), taskFolder) || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if lock := lockFolder(path); lock != nil {
			os.RemoveAll(path)
			lock.Close()
		}
	}
}

func (f *transfer) path(name string) string { return filepath.Join(f.dir, name) }

// order writes what the worker reads and makes room for what it writes. The snapshot on disk is used where there is one.
func (f *transfer) order(t Task) (Order, error) {
	o := Order{
		Kind: OrderCompute, Snapshot: t.Path, Graph: Fingerprint(t.Snapshot.Graph), Scores: f.path("scores"), Measure: t.Measure, Params: t.Request.Params,
		Nodes: t.Request.Nodes, Edges: t.Request.Edges, Scale: t.Request.Scale, Strategy: t.Strategy, Single: t.Precision == Single,
	}
	if o.Strategy == "" {
		o.Strategy = "auto"
	}
	if _, err := os.Stat(o.Snapshot); err != nil {
		o.Snapshot = f.path("graph.arrow")
		if err := export.WriteSnapshot(o.Snapshot, t.Snapshot); err != nil {
			return o, err
		}
	}
	var err error
	if o.Snapshot, err = filepath.Abs(o.Snapshot); err != nil {
		return o, err
	}
	if t.Request.Sources != nil {
		o.Sources = f.path("sources")
		data := make([]byte, 0, 4*len(t.Request.Sources))
		for _, s := range t.Request.Sources {
			data = binary.LittleEndian.AppendUint32(data, uint32(s))
		}
		if err := os.WriteFile(o.Sources, data, 0o600); err != nil {
			return o, err
		}
	}
	if err := os.WriteFile(o.Scores, nil, 0o600); err != nil {
		return o, err
	}
	return o, os.Truncate(o.Scores, ScoreBytes(t.Snapshot.Graph, o))
}

// ScoreBytes is the length of the file of scores that an order asks for.
func ScoreBytes(g *export.Graph, o Order) int64 {
	var count int64
	if o.Nodes {
		count += int64(g.N())
	}
	if o.Edges {
		count += int64(g.M())
	}
	return 8 * count
}

// scores reads what the worker wrote. A file of another length is the worker's fault.
func (f *transfer) scores(t Task, into *kernels.Scores) error {
	file, err := os.Open(f.path("scores"))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	g := t.Snapshot.Graph
	if want := ScoreBytes(g, Order{Nodes: t.Request.Nodes, Edges: t.Request.Edges}); info.Size() != want {
		return refuse(BadScores, "the worker left %d bytes of scores, not %d", info.Size(), want)
	}
	if t.Request.Nodes {
		into.Nodes = make([]float64, g.N())
		if err := binary.Read(file, binary.LittleEndian, into.Nodes); err != nil && err != io.EOF {
			return err
		}
	}
	if t.Request.Edges {
		into.Edges = make([]float64, g.M())
		if err := binary.Read(file, binary.LittleEndian, into.Edges); err != nil && err != io.EOF {
			return err
		}
	}
	return nil
}
