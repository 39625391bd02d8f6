package file

import (
	"bufio"
	"context"
	"io"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// frameRows is the number of rows that are written at once: a row group of Parquet, a record batch of Arrow.
const frameRows = 1 << 17

// encoder writes a table in one format.
type encoder interface {
	// begin takes the names and kinds of the columns, without rows.
	begin(columns []vector) error
	write(rows int, columns []vector) error
	end() error
}

// writer writes one table of scores.
type writer struct {
	*outTable
	ctx  context.Context
	tick func(rows int) // told how many more rows are written
}

// write writes the table in a format. After errWider the caller begins the file again.
func (w *writer) write(to io.Writer, format string) error {
	if format == arrayFormat {
		return w.writeNPY(to)
	}
	bare, zipped := strings.CutSuffix(format, ".gz")
	if zipped {
		z, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
		if err != nil {
			return err
		}
		if err := w.encode(newEncoder(bare, z, w.meta)); err != nil {
			return err
		}
		return z.Close()
	}
	return w.encode(newEncoder(bare, to, w.meta))
}

func newEncoder(format string, to io.Writer, about []meta) encoder {
	switch format {
	case ".parquet":
		return &parquetEncoder{to: to, meta: about}
	case ".arrow":
		return &arrowEncoder{to: to, meta: about}
	}
	return &csvEncoder{to: bufio.NewWriterSize(to, 1<<16)}
}

// encode writes all rows, frame by frame. A table without rows has its columns all the same.
func (w *writer) encode(e encoder) error {
	for lo := 0; lo < max(w.rows, 1); lo += frameRows {
		hi := min(lo+frameRows, w.rows)
		columns, err := w.frame(w.ctx, lo, hi, lo == 0)
		if err != nil {
			return err
		}
		if lo == 0 {
			if err := e.begin(w.header()); err != nil {
				return err
			}
		}
		if hi > lo {
			if err := e.write(hi-lo, columns); err != nil {
				return err
			}
		}
		if w.tick(hi - lo); w.ctx.Err() != nil {
			return w.ctx.Err()
		}
	}
	return e.end()
}

// csvEncoder writes comma-separated values with a header line. A missing value is an empty field; an empty text has
// quotes.
type csvEncoder struct {
	to  *bufio.Writer
	buf []byte
	// parts are the rows of a frame, as so many processors wrote them.
	parts [][]byte
}

// csvRows is how many rows a processor writes at a time.
const csvRows = 1 << 13

func (e *csvEncoder) begin(columns []vector) error {
	e.buf = e.buf[:0]
	for i, c := range columns {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.buf = AppendField(e.buf, c.name)
	}
	_, err := e.to.Write(append(e.buf, '\n'))
	return err
}

func (e *csvEncoder) write(rows int, columns []vector) error {
	count := (rows + csvRows - 1) / csvRows
	for len(e.parts) < count {
		e.parts = append(e.parts, nil)
	}
	inparts.On(runtime.GOMAXPROCS(0), 1, count, func(_, first, last int) {
		for i := first; i < last; i++ {
			e.parts[i] = appendRows(e.parts[i][:0], columns, i*csvRows, min((i+1)*csvRows, rows))
		}
	})
	for _, part := range e.parts[:count] {
		if _, err := e.to.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// appendRows appends some rows.
func appendRows(buf []byte, columns []vector, first, last int) []byte {
	for row := first; row < last; row++ {
		for i := range columns {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = appendCell(buf, &columns[i], row)
		}
		buf = append(buf, '\n')
	}
	return buf
}

func (e *csvEncoder) end() error { return e.to.Flush() }

func appendCell(buf []byte, c *vector, row int) []byte {
	if c.isMissing(row) {
		return buf
	}
	switch c.kind {
	case boolean:
		return strconv.AppendBool(buf, c.bools[row])
	case integer:
		return strconv.AppendInt(buf, c.ints[row], 10)
	case number:
		return strconv.AppendFloat(buf, c.floats[row], 'g', -1, 64)
	}
	return AppendField(buf, c.texts[row])
}

// AppendField appends a text, quoted where readers of CSV, Source among them, need it.
func AppendField(buf []byte, text string) []byte {
	if !needsQuotes(text) {
		return append(buf, text...)
	}
	buf = append(buf, '"')
	buf = append(buf, strings.ReplaceAll(text, `"`, `""`)...)
	return append(buf, '"')
}

func needsQuotes(text string) bool {
	if text == "" || isBlank(text[0]) || isBlank(text[len(text)-1]) {
		return true
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == ',' || c == '"' || c == '\n' || c == '\r':
			return true
		case c >= utf8.RuneSelf && i == 0 && strings.HasPrefix(text, "\ufeff"):
			return true // not to be taken for a byte order mark
		}
	}
	return false
}
