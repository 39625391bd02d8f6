package file

import (
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetEncoder writes Parquet: BOOLEAN, INT64, DOUBLE and UTF-8 text, a row group per frame. Only columns of details
// may have nulls.
type parquetEncoder struct {
	to   io.Writer
	meta []meta
	out  *file.Writer
}

func (e *parquetEncoder) begin(columns []vector) error {
	var fields schema.FieldList
	properties := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Snappy)}
	for _, c := range columns {
		if c.kind == number { // scores are seldom equal, and a dictionary takes most of the time
			properties = append(properties, parquet.WithDictionaryFor(c.name, false))
		}
		field, err := parquetField(c)
		if err != nil {
			return err
		}
		fields = append(fields, field)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	about := metadata.NewKeyValueMetadata()
	for _, m := range e.meta {
		if err := about.Append(m.key, m.value); err != nil {
			return err
		}
	}
	// The file writer closes what it writes to; ours is closed by the caller.
	e.out = file.NewParquetWriter(struct{ io.Writer }{e.to}, root,
		file.WithWriterProps(parquet.NewWriterProperties(properties...)), file.WithWriteMetadata(about))
	return nil
}

func parquetField(c vector) (schema.Node, error) {
	repetition := parquet.Repetitions.Required
	if c.missing != nil {
		repetition = parquet.Repetitions.Optional
	}
	switch c.kind {
	case boolean:
		return schema.NewBooleanNode(c.name, repetition, -1), nil
	case integer:
		return schema.NewInt64Node(c.name, repetition, -1), nil
	case number:
		return schema.NewFloat64Node(c.name, repetition, -1), nil
	}
	return schema.NewPrimitiveNodeLogical(c.name, repetition, schema.StringLogicalType{}, parquet.Types.ByteArray, 0, -1)
}

func (e *parquetEncoder) write(_ int, columns []vector) error {
	group, err := e.out.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for i := range columns {
		col, err := group.NextColumn()
		if err != nil {
			return err
		}
		if err := writeVector(col, &columns[i]); err != nil {
			return err
		}
		if err := col.Close(); err != nil {
			return err
		}
	}
	return group.Close()
}

func (e *parquetEncoder) end() error { return e.out.Close() }

// writeVector writes a column of a row group: the values of the rows that have one, and which those are.
func writeVector(col file.ColumnChunkWriter, v *vector) error {
	var levels []int16
	for _, missing := range v.missing {
		level := int16(1)
		if missing {
			level = 0
		}
		levels = append(levels, level)
	}
	var err error
	switch c := col.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = c.WriteBatch(present(v, v.bools), levels, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = c.WriteBatch(present(v, v.ints), levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = c.WriteBatch(present(v, v.floats), levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		var texts []parquet.ByteArray
		for _, s := range present(v, v.texts) {
			texts = append(texts, parquet.ByteArray(s))
		}
		_, err = c.WriteBatch(texts, levels, nil)
	}
	return err
}

// present returns the values of the rows that have one.
func present[T any](v *vector, values []T) []T {
	if v.missing == nil {
		return values
	}
	out := make([]T, 0, len(values))
	for i, x := range values {
		if !v.missing[i] {
			out = append(out, x)
		}
	}
	return out
}
