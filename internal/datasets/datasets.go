// Package datasets reads the public graphs that do not ship, and makes those of benchmarks, for benchmarks and long
// tests; see CONTRIBUTING.md.
package datasets

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
)

// folder is as seen from a package two folders below the root, as all are that read graphs.
var folder = flag.String("graphs-in", "../../../shared/data", "folder of the graphs that do not ship")

// Undirected returns a graph with undirected edges, parallel ones included, and without weights; nil where the graph is
// absent.
func Undirected(tb testing.TB, name string) *export.Graph {
	tb.Helper()
	path := filepath.Join(*folder, name, "edges.csv.gz")
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	projection := connector.Projection{Relationships: []connector.Relationship{{Parallel: export.Keep,
		Orientation: export.Undirected}}}
	s, err := (&file.Source{Path: path}).Export(tb.Context(), projection, func(int64, int64) {})
	if err != nil {
		tb.Fatal(err)
	}
	return s.Graph
}
