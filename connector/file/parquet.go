package file

import (
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetRows is the number of rows of a row group.
const parquetRows = 1 << 17

// writeParquet writes ids as INT64 or UTF-8 text and scores as DOUBLE, no column with nulls.
func (w *writer) writeParquet(to io.Writer) error {
	root, err := w.parquetSchema()
	if err != nil {
		return err
	}
	// The file writer closes what it writes to; ours is closed by the caller.
	out := file.NewParquetWriter(struct{ io.Writer }{to}, root,
		file.WithWriterProps(parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy))))
	for lo := 0; lo < w.rows; lo += parquetRows {
		hi := min(lo+parquetRows, w.rows)
		group, err := out.AppendRowGroupChecked()
		if err != nil {
			return err
		}
		if err := w.writeRowGroup(group, lo, hi); err != nil {
			return err
		}
		if w.tick(hi - lo); w.ctx.Err() != nil {
			return w.ctx.Err()
		}
	}
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	return out.Close()
}

func (w *writer) parquetSchema() (*schema.GroupNode, error) {
	var fields schema.FieldList
	for _, name := range w.idColumns() {
		if w.ids.Texts == nil {
			fields = append(fields, schema.NewInt64Node(name, parquet.Repetitions.Required, -1))
			continue
		}
		text, err := schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required, schema.StringLogicalType{},
			parquet.Types.ByteArray, 0, -1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, text)
	}
	for _, name := range w.names {
		fields = append(fields, schema.NewFloat64Node(name, parquet.Repetitions.Required, -1))
	}
	return schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
}

// writeRowGroup writes rows lo to hi, column by column.
func (w *writer) writeRowGroup(group file.SerialRowGroupWriter, lo, hi int) error {
	for c := range w.idColumns() {
		if err := w.writeColumn(group, func(col file.ColumnChunkWriter) error {
			return w.writeIDs(col, c, lo,
				hi)
		}); err != nil {
			return err
		}
	}
	values := make([]float64, hi-lo)
	for _, scores := range w.scores {
		for i := range values {
			values[i] = scores[w.place(lo+i)]
		}
		err := w.writeColumn(group, func(col file.ColumnChunkWriter) error {
			_, err := col.(*file.Float64ColumnChunkWriter).WriteBatch(values, nil, nil)
			return err
		})
		if err != nil {
			return err
		}
	}
	return group.Close()
}

func (w *writer) writeColumn(group file.SerialRowGroupWriter, write func(file.ColumnChunkWriter) error) error {
	col, err := group.NextColumn()
	if err != nil {
		return err
	}
	if err := write(col); err != nil {
		return err
	}
	return col.Close()
}

// writeIDs writes the ids of column c.
func (w *writer) writeIDs(col file.ColumnChunkWriter, c, lo, hi int) error {
	var ints []int64
	var texts []parquet.ByteArray
	for i := lo; i < hi; i++ {
		node := i
		if w.ends != nil {
			node = int(w.ends[c][w.place(i)])
		}
		if w.ids.Texts == nil {
			ints = append(ints, w.ids.Ints[node])
		} else {
			texts = append(texts, parquet.ByteArray(w.ids.Texts[node]))
		}
	}
	var err error
	if w.ids.Texts == nil {
		_, err = col.(*file.Int64ColumnChunkWriter).WriteBatch(ints, nil, nil)
	} else {
		_, err = col.(*file.ByteArrayColumnChunkWriter).WriteBatch(texts, nil, nil)
	}
	return err
}
