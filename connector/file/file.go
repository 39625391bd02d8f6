// Package file reads graphs from files and writes scores to files.
//
// Formats of graphs, by extension, each but .npz and .arrow also with .gz after it:
//
//	.csv    source, target and optionally weight, by a header in any order (src, dst; from, to; ...) or without one in
//	        this order; separated by commas, semicolons or tabs; ids are any text, quoted where needed. Also .tsv
//	.txt    two or three columns separated by white space: source, target, weight; lines that start with # or % are
//	        comments
//	.mtx    MatrixMarket coordinate: pattern, integer or real; general or symmetric (one triangle); nodes 1 to n
//	.graph  METIS, undirected: nodes 1 to n, one line of neighbours each
//	.npz    a sparse matrix of SciPy (scipy.sparse.save_npz): coo, csr or csc; nodes 0 to n-1, one edge per stored entry
//	.arrow  a snapshot of package export
//
// Scores go to .csv, .csv.gz, .parquet or .arrow, and those of a Sink to .npy, an array of NumPy without ids.
package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// WeightColumn is the only column that Relationship.Weight can name in a file.
const WeightColumn = "weight"

// Source reads one graph file; it implements connector.Source.
type Source struct {
	// Path is the file, its format told by the extension.
	Path string
	// Header says whether the first line of a .csv or .tsv file names the columns.
	Header Header
	// Note, if not nil, is called with what the reader guessed.
	Note func(text string)

	mapped []*export.Mapped
}

// Header says whether the first line of a file names its columns.
type Header int

// A header is found out from its names, must be there, or must not.
const (
	FindHeader Header = iota
	WithHeader
	WithoutHeader
)

// Export reads the file. The projection must have one relationship: Orientation (may be empty for a snapshot: as
// stored, and for a METIS file: undirected), Parallel, and Weight, which is WeightColumn or empty. Nodes have the ids
// of the file: texts from .csv and .txt, in order of first appearance; integers from .mtx, .graph and .npz.
// Relationships keep the order of the file in Rels.Positions. An empty file is an empty graph.
//
// A snapshot file stays mapped into memory until Close.
func (s *Source) Export(ctx context.Context, p connector.Projection,
	progress connector.Progress) (*export.Snapshot, error) {
	format, zipped, err := formatOf(s.Path)
	if err != nil {
		return nil, err
	}
	if err := checkProjection(s.Path, p); err != nil {
		return nil, err
	}
	if format == ".arrow" {
		return s.exportSnapshot(ctx, p)
	}
	if format == ".npz" {
		return s.exportMatrix(ctx, p, progress)
	}
	in, err := open(ctx, s.Path, zipped)
	if err != nil {
		return nil, err
	}
	defer in.file.Close()
	in.progress = progress
	t := &table{in: in, rel: p.Relationships[0], policy: p.Weights, options: s}
	read := map[string]func(*table) error{".csv": readCSV, ".tsv": readCSV, ".txt": readText, ".mtx": readMatrix,
		".graph": readMETIS}[format]
	if err := read(t); err != nil {
		return nil, err
	}
	return t.build()
}

// exportMatrix reads a sparse matrix of SciPy.
func (s *Source) exportMatrix(
	ctx context.Context, p connector.Projection, progress connector.Progress,
) (*export.Snapshot, error) {
	if _, err := checkRegular(s.Path); err != nil {
		return nil, err
	}
	t := &table{in: &input{path: s.Path, ctx: ctx, progress: progress}, rel: p.Relationships[0], policy: p.Weights,
		entries: true}
	if err := readNPZ(t, s.Path); err != nil {
		return nil, err
	}
	return t.build()
}

// Close unmaps the snapshot files that Export mapped; the snapshots must not be used afterwards.
func (s *Source) Close() error {
	var errs []error
	for _, m := range s.mapped {
		errs = append(errs, m.Close())
	}
	s.mapped = nil
	return errors.Join(errs...)
}

// formatOf returns the extension that names the format, and whether .gz follows it.
func formatOf(path string) (format string, zipped bool, err error) {
	name := strings.ToLower(path)
	name, zipped = strings.CutSuffix(name, ".gz")
	for _, f := range []string{".csv", ".tsv", ".txt", ".mtx", ".graph", ".npz", ".arrow"} {
		if strings.HasSuffix(name, f) && (f != ".npz" && f != ".arrow" || !zipped) {
			return f, zipped, nil
		}
	}
	return "", false, &connector.Error{
		Kind: connector.UnknownName, Msg: fmt.Sprintf("%s: the extension names no format that linchpin reads", path),
		Hint: "use .csv, .tsv, .txt, .mtx or .graph (each also with .gz), or .npz or .arrow",
	}
}

func checkProjection(path string, p connector.Projection) error {
	fail := func(format string, args ...any) error {
		return &connector.Error{Kind: connector.UnknownName, Msg: path + ": " + fmt.Sprintf(format, args...)}
	}
	switch {
	case len(p.Labels) > 0 || p.NodeQuery != "":
		return fail("a file has no labels and answers no node query: all its nodes are in the graph")
	case len(p.Relationships) != 1 || p.Relationships[0].Type != "":
		return fail("a file has one kind of relationship, without a type")
	}
	if w := p.Relationships[0].Weight; w != "" && w != WeightColumn {
		return fail("no column %q: weights stand in the column %q", w, WeightColumn)
	}
	return nil
}

// checkRegular refuses what is not a file with data: a missing file, a folder, a pipe.
func checkRegular(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &connector.Error{Kind: connector.BadData, Msg: fmt.Sprintf("%s: cannot be read", path),
			Err: bareError(err)}
	}
	if !info.Mode().IsRegular() {
		what := "not a regular file"
		if info.IsDir() {
			what = "a folder, not a file"
		}
		return nil, &connector.Error{Kind: connector.BadData, Msg: fmt.Sprintf("%s: %s", path, what)}
	}
	return info, nil
}
