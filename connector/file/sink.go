package file

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Sink writes scores to files; it implements connector.Sink.
type Sink struct {
	// Nodes takes the columns of nodes: id, then one column a score, one row a node in the order of the graph.
	Nodes string
	// Relationships takes the columns of relationships: src, dst, then one column a score, one row an edge of the input,
	// in the order of the input, and with the direction that it has there.
	Relationships string
}

// Write writes each file whole: under a temporary name, renamed when all of them are complete. A path is needed when
// there are columns for it; without columns its file is not written. Of the options none applies: a file has no earlier
// scores to compare with.
func (s *Sink) Write(ctx context.Context, snap *export.Snapshot, columns []connector.Column, _ connector.WriteOptions,
	progress connector.Progress) (connector.WriteStats, error) {
	var stats connector.WriteStats
	todo, err := s.tables(snap, columns)
	if err != nil {
		return stats, err
	}
	if err := writeTables(ctx, todo, progress); err != nil {
		return stats, err
	}
	for _, t := range todo {
		stats.Written += int64(t.rows) * int64(len(t.scores))
	}
	return stats, nil
}

// WriteGraph writes the relationships of a snapshot as src,dst, with the weight of the edge that each became where
// there are weights, to .csv, .csv.gz or .parquet; to .arrow it writes the snapshot. Only the latter keeps nodes
// without relationships.
func WriteGraph(ctx context.Context, path string, snap *export.Snapshot, progress connector.Progress) error {
	if strings.HasSuffix(strings.ToLower(path), ".arrow") {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := export.WriteSnapshot(path, snap); err != nil {
			return &connector.Error{Kind: connector.BadData, Msg: err.Error()}
		}
		return nil
	}
	switch format, err := SinkFormatOf(path); {
	case err != nil:
		return err
	case format == arrayFormat:
		return &connector.Error{Kind: connector.UnknownName, Msg: path + ": an array holds scores alone, and no edges",
			Hint: "use .csv, .csv.gz, .parquet or .arrow"}
	}
	t := newTable(path, connector.OnRelationships, snap, "src", "dst")
	if snap.Graph.Weights != nil {
		weights := make([]float64, snap.Graph.M())
		for i := range int64(snap.Graph.Arcs()) {
			weights[snap.Graph.Edge(i)] = snap.Graph.Weights[i]
		}
		t.names, t.scores = []string{WeightColumn}, [][]float64{snap.Rels.Spread(weights, nil)}
	}
	t.relationships(&snap.Rels)
	return writeTables(ctx, []*outTable{t}, progress)
}

// writeTables writes every table before it gives any its name.
func writeTables(ctx context.Context, todo []*outTable, progress connector.Progress) error {
	done, expected := int64(0), int64(0)
	for _, t := range todo {
		expected += int64(t.rows)
	}
	tick := func(rows int) {
		if done += int64(rows); progress != nil {
			progress(done, expected)
		}
	}
	var pending []*export.PendingFile
	defer func() {
		for _, p := range pending {
			p.Discard()
		}
	}()
	for _, t := range todo {
		p, err := export.CreatePending(t.path)
		if err != nil {
			return WriteError(t.path, err)
		}
		pending = append(pending, p)
		w := &writer{outTable: t, ctx: ctx, tick: tick}
		format, err := SinkFormatOf(t.path)
		if err != nil {
			return err
		}
		if err := w.write(p, format); err != nil {
			return WriteError(t.path, err)
		}
		if err := p.Prepare(); err != nil {
			return WriteError(t.path, err)
		}
	}
	for i, p := range pending {
		if err := p.Commit(); err != nil {
			return WriteError(todo[i].path, err)
		}
	}
	return nil
}

// tables sorts the columns by file.
func (s *Sink) tables(snap *export.Snapshot, columns []connector.Column) ([]*outTable, error) {
	nodes := newTable(s.Nodes, connector.OnNodes, snap, "id")
	rels := newTable(s.Relationships, connector.OnRelationships, snap, "src", "dst")
	for _, c := range columns {
		t := nodes
		if c.On == connector.OnRelationships {
			t = rels
		}
		if len(c.Values) != t.rows {
			return nil, &connector.Error{Kind: connector.BadData,
				Msg: fmt.Sprintf("%d scores %q for %d %s", len(c.Values), c.Property, t.rows, c.On)}
		}
		if t.path == "" {
			return nil, &connector.Error{Kind: connector.UnknownName,
				Msg: fmt.Sprintf("no file to write %q of %s to", c.Property, c.On)}
		}
		t.names, t.scores = append(t.names, c.Property), append(t.scores, c.Values)
	}
	var todo []*outTable
	if len(nodes.scores) > 0 {
		todo = append(todo, nodes)
	}
	if len(rels.scores) > 0 {
		rels.relationships(&snap.Rels)
		todo = append(todo, rels)
	}
	for _, t := range todo {
		if _, err := SinkFormatOf(t.path); err != nil {
			return nil, err
		}
	}
	if len(todo) == 2 && filepath.Clean(nodes.path) == filepath.Clean(rels.path) {
		return nil, &connector.Error{Kind: connector.UnknownName,
			Msg: fmt.Sprintf("%s cannot take the scores of nodes and of relationships both", nodes.path)}
	}
	return todo, nil
}

// relationships finds the ends of every relationship and its row.
func (t *outTable) relationships(r *export.Relationships) {
	source := make([]int32, r.Len())
	for v := range len(r.Offsets) - 1 {
		for i := r.Offsets[v]; i < r.Offsets[v+1]; i++ {
			source[i] = int32(v)
		}
	}
	t.ends = [][]int32{source, r.Targets}
	if r.Positions != nil {
		t.order = make([]int32, r.Len())
		for i, p := range r.Positions {
			t.order[p] = int32(i)
		}
	}
}

// place returns where row i stands in the columns.
func (t *outTable) place(i int) int {
	if t.order != nil {
		return int(t.order[i])
	}
	return i
}

// formats are the formats of scores, by extension.
var formats = []string{".csv", ".csv.gz", ".parquet", ".arrow"}

// Formats are the names of the formats of scores, for --format.
func Formats() []string {
	out := make([]string, len(formats))
	for i, extension := range formats {
		out[i] = extension[1:]
	}
	return out
}

// FormatOf returns the extension that names the format of a file of scores.
func FormatOf(path string) (format string, err error) {
	name := strings.ToLower(path)
	for _, extension := range formats {
		if strings.HasSuffix(name, extension) {
			return extension, nil
		}
	}
	if strings.HasPrefix(path, "/dev/") {
		return ".csv", nil
	}
	return "", &connector.Error{
		Kind: connector.UnknownName, Msg: fmt.Sprintf("%s: the extension names no format that linchpin writes", path),
		Hint: "use .csv, .csv.gz, .parquet or .arrow",
	}
}

// arrayFormat is an array of NumPy: scores alone, in the order of the rows that another format has.
const arrayFormat = ".npy"

// SinkFormatOf is FormatOf for the files of a Sink, which may be arrays, too.
func SinkFormatOf(path string) (format string, err error) {
	if strings.HasSuffix(strings.ToLower(path), arrayFormat) {
		return arrayFormat, nil
	}
	if format, err = FormatOf(path); err != nil {
		return "", &connector.Error{Kind: connector.UnknownName, Msg: err.Error(),
			Hint: "use .csv, .csv.gz, .parquet, .arrow or .npy"}
	}
	return format, nil
}

// WriteError says that a file could not be written, and why: of an error of package os not the path, which may be a
// temporary one. Errors of this repository, and those of a context, stay as they are.
func WriteError(path string, err error) error {
	if connector.KindOf(err) != 0 || err == context.Canceled || err == context.DeadlineExceeded {
		return err
	}
	return &connector.Error{Kind: connector.BadData, Msg: fmt.Sprintf("%s: cannot be written", path), Err: bareError(err)}
}
