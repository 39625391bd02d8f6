// Package datasets reads the public graphs that do not ship, and makes those of benchmarks, for benchmarks and long
// tests; see CONTRIBUTING.md.
package datasets

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// folder is as seen from a package two folders below the root, as all are that read graphs.
var folder = flag.String("graphs-in", "../../../shared/data", "folder of the graphs that do not ship")

// Undirected returns a graph with undirected edges, parallel ones included, and without weights; nil where the graph is
// absent.
func Undirected(tb testing.TB, name string) *export.Graph {
	tb.Helper()
	if s := Read(tb, name, export.Group{Orientation: export.Undirected, Parallel: export.Keep}); s != nil {
		return s.Graph
	}
	return nil
}

// Read returns a graph; nil where it is absent. It does not use connector/file, which brings Parquet: tests on a device
// would compile that once more, with cgo, and then again for the emulated device.
func Read(tb testing.TB, name string, group export.Group) *export.Snapshot {
	tb.Helper()
	f, err := os.Open(filepath.Join(*folder, name, "edges.csv.gz"))
	if err != nil {
		return nil
	}
	defer f.Close()
	b := export.NewBuilder(group)
	if err := addRows(b, f, group.Weighted); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	s, err := b.Build()
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return s
}

// addRows adds the rows of a gzipped CSV with a header: source, target and, if weighted, the weight.
func addRows(b *export.Builder, from io.Reader, weighted bool) error {
	unzipped, err := gzip.NewReader(from)
	if err != nil {
		return err
	}
	rows := csv.NewReader(unzipped)
	rows.ReuseRecord = true
	var all export.Rels
	_, err = rows.Read() // the header
	for err == nil {
		var row []string
		if row, err = rows.Read(); err != nil {
			break
		}
		u, errU := b.Intern(row[0])
		v, errV := b.Intern(row[1])
		if err := errors.Join(errU, errV); err != nil {
			return err
		}
		all.Source, all.Target = append(all.Source, u), append(all.Target, v)
		if weighted {
			w, err := strconv.ParseFloat(row[2], 64)
			if err != nil {
				return err
			}
			all.Weights = append(all.Weights, w)
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return b.AddRelationships(all)
}
