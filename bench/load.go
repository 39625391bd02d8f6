package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
)

// Loader finds graphs: in its cache, in the data folder, or by making them.
type Loader struct {
	// Data holds NAME.csv.gz, as Pack writes them, or NAME/edges.csv.gz.
	Data string
	// Cache keeps snapshots from one call to the next; a worker maps them from there.
	Cache string
}

// Load returns the graph and the path of its snapshot in the cache.
func (l *Loader) Load(ctx context.Context, g Graph) (*export.Snapshot, string, error) {
	path := l.path(g)
	if m, err := export.OpenSnapshot(path); err == nil {
		return m.Snapshot, path, nil // mapped until the process ends
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, "", fmt.Errorf("%w; remove it, and it is made again", err)
	}
	s, err := l.make(ctx, g)
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(l.Cache, 0o755); err != nil {
		return nil, "", err
	}
	return s, path, export.WriteSnapshot(path, s)
}

// find returns the file that a graph of the data folder is read from, and whether it is packed.
func (l *Loader) find(g Graph) (path string, packed bool, err error) {
	if l.Data == "" {
		return "", false, fmt.Errorf("graph %s is read from a file; name its folder with --data", g.Name)
	}
	path = filepath.Join(l.Data, g.Base+".csv.gz")
	if _, err := os.Stat(path); err == nil {
		return path, true, nil
	}
	path = filepath.Join(l.Data, g.Base, "edges.csv.gz")
	if _, err := os.Stat(path); err != nil {
		return "", false, fmt.Errorf("graph %s: neither %s.csv.gz nor %s is in the data folder", g.Name, g.Base,
			filepath.Join(g.Base, "edges.csv.gz"))
	}
	return path, false, nil
}

// Check reports a graph that Load could neither read nor make.
func (l *Loader) Check(g Graph) error {
	if _, err := os.Stat(l.path(g)); err == nil || g.Recipe != nil {
		return nil
	}
	_, _, err := l.find(g)
	return err
}

func (l *Loader) path(g Graph) string { return filepath.Join(l.Cache, g.Name+".arrow") }

func (l *Loader) make(ctx context.Context, g Graph) (*export.Snapshot, error) {
	var s *export.Snapshot
	var err error
	if g.Recipe != nil {
		s, err = generate.Graph(ctx, *g.Recipe)
	} else if s, err = l.read(ctx, g); err == nil {
		s, err = simpleEdges(s.Graph).snapshot()
	}
	if err != nil {
		return nil, err
	}
	if kind, ok := g.Weights.seeded(); ok {
		return generate.WithWeights(s, kind, seed), nil
	}
	return s, nil
}

// read reads a graph of the data folder, undirected; packed files keep their numbering.
func (l *Loader) read(ctx context.Context, g Graph) (*export.Snapshot, error) {
	path, packed, err := l.find(g)
	if err != nil {
		return nil, err
	}
	s, err := readFile(ctx, path, g.Weights == OwnWeights)
	if err != nil || !packed {
		return s, err
	}
	return renumber(s)
}

func readFile(ctx context.Context, path string, weighted bool) (*export.Snapshot, error) {
	r := connector.Relationship{Orientation: export.Undirected, Parallel: export.Min}
	if weighted {
		r.Weight = file.WeightColumn
	}
	source := &file.Source{Path: path}
	return source.Export(ctx, connector.Projection{Relationships: []connector.Relationship{r}}, nil)
}

// renumber gives every node the index that its id says; the ids of a packed file are the numbers 0 to n-1.
func renumber(s *export.Snapshot) (*export.Snapshot, error) {
	n := s.Graph.N()
	to, seen := make([]int32, n), make([]bool, n)
	for v := range n {
		number, err := strconv.Atoi(s.Nodes.String(v))
		if err != nil || number < 0 || number >= n || seen[number] {
			return nil, fmt.Errorf("node %q: a packed file numbers its nodes 0 to %d, each once", s.Nodes.String(v), n-1)
		}
		to[v], seen[number] = int32(number), true
	}
	edges := simpleEdges(s.Graph)
	for i := range edges.source {
		edges.source[i], edges.target[i] = to[edges.source[i]], to[edges.target[i]]
	}
	return edges.snapshot()
}
