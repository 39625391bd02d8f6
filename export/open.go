package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Mapped is a snapshot whose slices of numbers lie in a mapped file: writing to them crashes, and so does reading them
// after Close. Texts are copies.
type Mapped struct {
	*Snapshot
	unmap func() error
}

// Close unmaps the file. A second call does nothing.
func (m *Mapped) Close() error {
	if m.unmap == nil {
		return nil
	}
	unmap := m.unmap
	m.unmap = nil
	return unmap()
}

// OpenSnapshot maps a file that WriteSnapshot wrote. It reads it once, to verify its checksum, and checks the invariants
// of graph and relationships.
func OpenSnapshot(path string) (*Mapped, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	defer f.Close()
	m, err := openSnapshot(f)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", path, err)
	}
	return m, nil
}

func openSnapshot(f *os.File) (*Mapped, error) {
	size, err := regularSize(f)
	if err != nil {
		return nil, err
	}
	data, unmap, err := mapFile(f, size)
	if err != nil {
		return nil, err
	}
	s, err := parseSnapshot(data)
	if err == nil {
		err = s.Validate()
	}
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	return &Mapped{Snapshot: s, unmap: unmap}, nil
}

// parseSnapshot makes a snapshot of the bytes of a file.
func parseSnapshot(data []byte) (s *Snapshot, err error) {
	if err := checkSeal(data); err != nil {
		return nil, err
	}
	// The Arrow reader panics on metadata that contradicts itself. A broken file cannot come here, a forged one can.
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("%w: %v", errNotOurs, r)
		}
	}()
	// The reader's own limits (256 MiB) are for streams that are read into memory; here the file bounds both.
	size := int64(len(data))
	in, err := ipc.NewMappedFileReader(data, ipc.WithBodySizeLimit(size), ipc.WithMetadataSizeLimit(size))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotOurs, err)
	}
	meta := in.Schema().Metadata()
	if v, _ := meta.GetValue(keyVersion); v != snapshotVersion {
		return nil, fmt.Errorf("version %q of the format; this program reads version %s: export the graph again", v, snapshotVersion)
	}
	if in.NumRecords() != 1 {
		return nil, fmt.Errorf("%w: %d record batches, not 1", errNotOurs, in.NumRecords())
	}
	batch, err := in.RecordBatchAt(0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotOurs, err)
	}
	return (&batchReader{batch: batch, meta: meta}).snapshot()
}

// batchReader takes the columns out of a record batch. The first error is kept.
type batchReader struct {
	batch arrow.RecordBatch
	meta  arrow.Metadata
	err   error
}

func (r *batchReader) snapshot() (*Snapshot, error) {
	g, s := &Graph{}, &Snapshot{}
	s.Graph = g
	g.Directed = r.metadata(keyDirected) == "true"
	m, err := strconv.Atoi(r.metadata(keyEdges))
	if err != nil {
		return nil, fmt.Errorf("%w: number of edges: %w", errNotOurs, err)
	}
	g.EdgeCount = m
	if err := json.Unmarshal([]byte(r.metadata(keyDropped)), &s.Dropped); err != nil {
		return nil, fmt.Errorf("%w: dropped counts: %w", errNotOurs, err)
	}
	s.Nodes = ids(r.column(columnID))
	g.Targets = r.ints(columnTargets, &g.Offsets)
	g.Weights = r.floats(columnWeights, g.Offsets)
	g.Edges = r.ints(columnEdges, &g.Offsets)
	if r.has(columnRelTargets) {
		rels := &s.Rels
		rels.Targets = r.ints(columnRelTargets, &rels.Offsets)
		rels.Edges = r.ints(columnRelEdges, &rels.Offsets)
		rels.Back = r.ints(columnRelBack, &rels.Offsets)
		rels.Positions = r.ints(columnRelPositions, &rels.Offsets)
		if r.has(columnRelIDs) {
			rels.IDs = ids(r.list(columnRelIDs, &rels.Offsets))
		}
	}
	return s, r.err
}

func (r *batchReader) metadata(key string) string {
	v, _ := r.meta.GetValue(key)
	return v
}

func (r *batchReader) has(name string) bool { return len(r.batch.Schema().FieldIndices(name)) == 1 }

// column returns a column, or nil when there is none.
func (r *batchReader) column(name string) arrow.Array {
	if !r.has(name) {
		return nil
	}
	return r.batch.Column(r.batch.Schema().FieldIndices(name)[0])
}

// list returns the values of a column of lists, or nil. Its offsets go to offsets, or must equal what stands there.
func (r *batchReader) list(name string, offsets *[]int64) arrow.Array {
	column, ok := r.column(name).(*array.LargeList)
	if !ok {
		return nil
	}
	own := []int64{0}
	if column.Len() > 0 {
		own = column.Offsets()[:column.Len()+1]
	}
	if *offsets == nil {
		*offsets = own
	} else if !slices.Equal(*offsets, own) {
		r.err = fmt.Errorf("%w: the lists of column %q are not as long as the others", errNotOurs, name)
	}
	return column.ListValues()
}

func (r *batchReader) ints(name string, offsets *[]int64) []int32 {
	if values, ok := r.list(name, offsets).(*array.Int32); ok {
		return nonNil(values.Int32Values())
	}
	return nil
}

func (r *batchReader) floats(name string, offsets []int64) []float64 {
	if values, ok := r.list(name, &offsets).(*array.Float64); ok {
		return nonNil(values.Float64Values())
	}
	return nil
}

// nonNil keeps a column of no entries apart from no column.
func nonNil[T any](x []T) []T {
	if x == nil {
		return []T{}
	}
	return x
}

// ids returns ids; the texts are copied, all into one string.
func ids(column arrow.Array) IDs {
	switch c := column.(type) {
	case *array.Int64:
		return IDs{Ints: c.Int64Values()}
	case *array.LargeString:
		var all strings.Builder
		for i := range c.Len() {
			all.WriteString(c.Value(i))
		}
		texts, at := make([]string, c.Len()), 0
		for i := range texts {
			texts[i] = all.String()[at : at+len(c.Value(i))]
			at += len(texts[i])
		}
		return IDs{Texts: texts}
	}
	return IDs{}
}
