package file

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// graphKey is the key of a file's metadata that holds the digest of the graph.
const graphKey = "linchpin.graph"

// nextRow returns the fields of the next row of a CSV; nil at its end.
func nextRow(c *csvReader) ([][]byte, error) {
	fields, _, err := c.next()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return fields, err
}

// arrow reads the record batches of an Arrow IPC file.
func (r *scoresReader) arrow(ctx context.Context) error {
	f, err := os.Open(r.path)
	if err != nil {
		return r.errorf("cannot be read: %v", bareError(err))
	}
	defer f.Close()
	in, err := ipc.NewFileReader(f)
	if err != nil {
		return r.errorf("not an Arrow file: %v", err)
	}
	defer in.Close()
	var names []string
	for _, field := range in.Schema().Fields() {
		names = append(names, field.Name)
	}
	if err := r.choose(names); err != nil {
		return err
	}
	meta := in.Schema().Metadata()
	r.out.Graph, _ = meta.GetValue(graphKey)
	for i := range in.NumRecords() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		batch, err := in.RecordBatch(i)
		if err != nil {
			return r.errorf("%v", err)
		}
		if err := r.batch(batch); err != nil {
			return err
		}
	}
	return nil
}

func (r *scoresReader) batch(batch arrow.RecordBatch) error {
	score, ok := batch.Column(r.value).(*array.Float64)
	if !ok {
		return r.errorf("column %s has no numbers in floating point", r.out.Property)
	}
	for i := range score.Len() {
		if score.IsNull(i) {
			continue
		}
		for k, c := range r.idColumns {
			switch column := batch.Column(c).(type) {
			case *array.Int64:
				r.ids[k].addInt(column.Value(i))
			case *array.String:
				r.ids[k].addText(column.Value(i))
			default:
				return r.errorf("column %s has neither integers nor texts", batch.ColumnName(c))
			}
		}
		if err := r.add(score.Value(i), len(r.out.Values)+1); err != nil {
			return err
		}
	}
	return nil
}

// parquet reads the row groups of a Parquet file.
func (r *scoresReader) parquet(ctx context.Context) error {
	in, err := file.OpenParquetFile(r.path, false)
	if err != nil {
		return r.errorf("not a Parquet file: %v", err)
	}
	defer in.Close()
	schema := in.MetaData().Schema
	var names []string
	for i := range schema.NumColumns() {
		names = append(names, schema.Column(i).Name())
	}
	if err := r.choose(names); err != nil {
		return err
	}
	if digest := in.MetaData().KeyValueMetadata().FindValue(graphKey); digest != nil {
		r.out.Graph = *digest
	}
	for g := range in.NumRowGroups() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.rowGroup(in.RowGroup(g)); err != nil {
			return err
		}
	}
	return nil
}

func (r *scoresReader) rowGroup(group *file.RowGroupReader) error {
	rows := group.NumRows()
	column, err := group.Column(r.value)
	if err != nil {
		return r.errorf("%v", err)
	}
	numbers, ok := column.(*file.Float64ColumnChunkReader)
	if !ok {
		return r.errorf("column %s has no numbers in floating point", r.out.Property)
	}
	scores, err := readColumn(rows, numbers.ReadBatch)
	if err != nil {
		return r.errorf("column %s: %v", r.out.Property, err)
	}
	for k, c := range r.idColumns {
		if err := r.parquetIDs(group, k, c, rows); err != nil {
			return r.errorf("column %d: %v", c+1, err)
		}
	}
	for _, x := range scores {
		if err := r.add(x, len(r.out.Values)+1); err != nil {
			return err
		}
	}
	return nil
}

// parquetIDs reads a column of ids.
func (r *scoresReader) parquetIDs(group *file.RowGroupReader, k, c int, rows int64) error {
	column, err := group.Column(c)
	if err != nil {
		return err
	}
	switch column := column.(type) {
	case *file.Int64ColumnChunkReader:
		ids, err := readColumn(rows, column.ReadBatch)
		for _, id := range ids {
			r.ids[k].addInt(id)
		}
		return err
	case *file.ByteArrayColumnChunkReader:
		ids, err := readColumn(rows, column.ReadBatch)
		for _, id := range ids {
			r.ids[k].addText(string(id))
		}
		return err
	}
	return errors.New("neither integers nor texts")
}

// readColumn reads the values of a column, one for each row.
func readColumn[T any](rows int64, read func(int64, []T, []int16, []int16) (int64, int, error)) ([]T, error) {
	values, levels := make([]T, rows), make([]int16, rows)
	for at := int64(0); at < rows; {
		total, n, err := read(rows-at, values[at:], levels, nil)
		switch {
		case err != nil:
			return nil, err
		case int64(n) < total || n == 0:
			return nil, errors.New("a row has no value")
		}
		at += int64(n)
	}
	return values, nil
}
