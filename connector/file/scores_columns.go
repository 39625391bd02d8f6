package file

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
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
			r.out.Empty++
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
	scores, has, err := readColumn(rows, column, numbers.ReadBatch)
	if err != nil {
		return r.errorf("column %s: %v", r.out.Property, err)
	}
	for k, c := range r.idColumns {
		if err := r.parquetIDs(group, k, c, has); err != nil {
			return r.errorf("column %d: %v", c+1, err)
		}
	}
	r.out.Empty += len(has) - len(scores)
	for _, x := range scores {
		if err := r.add(x, len(r.out.Values)+1); err != nil {
			return err
		}
	}
	return nil
}

// parquetIDs reads the ids of the rows that have a score.
func (r *scoresReader) parquetIDs(group *file.RowGroupReader, k, c int, scored []bool) error {
	column, err := group.Column(c)
	if err != nil {
		return err
	}
	switch column := column.(type) {
	case *file.Int64ColumnChunkReader:
		return eachID(column, scored, column.ReadBatch, r.ids[k].addInt)
	case *file.ByteArrayColumnChunkReader:
		return eachID(column, scored, column.ReadBatch, func(id parquet.ByteArray) { r.ids[k].addText(string(id)) })
	}
	return errors.New("neither integers nor texts")
}

// eachID calls add with the id of each row that has a score.
func eachID[T any](column file.ColumnChunkReader, scored []bool, read readBatch[T], add func(T)) error {
	ids, _, err := readColumn(int64(len(scored)), column, read)
	if err != nil {
		return err
	}
	if len(ids) < len(scored) {
		return errors.New("a row has no id")
	}
	for i, id := range ids {
		if scored[i] {
			add(id)
		}
	}
	return nil
}

// readBatch reads up to so many rows: their values, and the definition level of each row.
type readBatch[T any] func(rows int64, values []T, levels, repeats []int16) (total int64, read int, err error)

// readColumn reads the values of a column, and which of so many rows have one.
func readColumn[T any](
	rows int64, column file.ColumnChunkReader, read readBatch[T],
) (values []T, has []bool, err error) {
	full := column.Descriptor().MaxDefinitionLevel()
	values, has = make([]T, rows), make([]bool, rows)
	levels, count := make([]int16, rows), 0
	for at := int64(0); at < rows; {
		total, n, err := read(rows-at, values[count:], levels, nil)
		switch {
		case err != nil:
			return nil, nil, err
		case total == 0:
			return nil, nil, errors.New("it has fewer rows than the file")
		}
		for i := range total {
			has[at+i] = full == 0 || levels[i] == full
		}
		at, count = at+total, count+n
	}
	return values[:count], has, nil
}
