package file

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowEncoder writes an Arrow IPC file: bool, int64, float64 and utf8, a record batch per frame.
type arrowEncoder struct {
	to     io.Writer
	meta   []meta
	schema *arrow.Schema
	out    *ipc.FileWriter
}

func (e *arrowEncoder) begin(columns []vector) error {
	var fields []arrow.Field
	for _, c := range columns {
		fields = append(fields, arrow.Field{Name: c.name, Type: arrowType(c.kind), Nullable: c.missing != nil})
	}
	var keys, values []string
	for _, m := range e.meta {
		keys, values = append(keys, m.key), append(values, m.value)
	}
	about := arrow.NewMetadata(keys, values)
	e.schema = arrow.NewSchema(fields, &about)
	var err error
	e.out, err = ipc.NewFileWriter(e.to, ipc.WithSchema(e.schema))
	return err
}

func arrowType(k kind) arrow.DataType {
	switch k {
	case boolean:
		return arrow.FixedWidthTypes.Boolean
	case integer:
		return arrow.PrimitiveTypes.Int64
	case number:
		return arrow.PrimitiveTypes.Float64
	}
	return arrow.BinaryTypes.String
}

func (e *arrowEncoder) write(rows int, columns []vector) error {
	all := make([]arrow.Array, len(columns))
	for i := range columns {
		all[i] = arrowArray(&columns[i])
	}
	batch := array.NewRecordBatch(e.schema, all, int64(rows))
	defer batch.Release()
	return e.out.Write(batch)
}

func (e *arrowEncoder) end() error { return e.out.Close() }

func arrowArray(v *vector) arrow.Array {
	var valid []bool
	for _, missing := range v.missing {
		valid = append(valid, !missing)
	}
	switch v.kind {
	case boolean:
		b := array.NewBooleanBuilder(memory.DefaultAllocator)
		b.AppendValues(v.bools, valid)
		return b.NewArray()
	case integer:
		b := array.NewInt64Builder(memory.DefaultAllocator)
		b.AppendValues(v.ints, valid)
		return b.NewArray()
	case number:
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		b.AppendValues(v.floats, valid)
		return b.NewArray()
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(v.texts, valid)
	return b.NewArray()
}
