package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

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
	s.Keys = ids(r.column(columnKey)).Texts
	g.Targets = r.ints(columnTargets, &g.Offsets)
	g.Weights = r.floats(columnWeights, g.Offsets)
	g.Rests = r.floats(columnRests, g.Offsets)
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
