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
	path := filepath.Join(l.Cache, g.Name+".arrow")
	if m, err := export.OpenSnapshot(path); err == nil {
		return m.Snapshot, path, nil // mapped until the process ends
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, "", fmt.Errorf("%w; remove it, and it is made again", err)
	}
	s, err := l.make(ctx, g)
	if err != nil {
		return nil, "", fmt.Errorf("graph %s: %w", g.Name, err)
	}
	if err := os.MkdirAll(l.Cache, 0o755); err != nil {
		return nil, "", err
	}
	return s, path, export.WriteSnapshot(path, s)
}

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
	switch g.Weights {
	case IntWeights:
		return generate.WithWeights(s, generate.IntegerWeights, seed), nil
	case RealWeights:
		return generate.WithWeights(s, generate.RealWeights, seed), nil
	}
	return s, nil
}

// read reads a graph of the data folder, undirected; packed files keep their numbering.
func (l *Loader) read(ctx context.Context, g Graph) (*export.Snapshot, error) {
	if l.Data == "" {
		return nil, errors.New("it is read from a file; name its folder with --data")
	}
	packed := filepath.Join(l.Data, g.Base+".csv.gz")
	if _, err := os.Stat(packed); err == nil {
		s, err := readFile(ctx, packed, g.Weights == OwnWeights)
		if err != nil {
			return nil, err
		}
		return renumber(s)
	}
	raw := filepath.Join(l.Data, g.Base, "edges.csv.gz")
	if _, err := os.Stat(raw); err != nil {
		return nil, fmt.Errorf("neither %s.csv.gz nor %s is in the data folder", g.Base, filepath.Join(g.Base, "edges.csv.gz"))
	}
	return readFile(ctx, raw, g.Weights == OwnWeights)
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
