package file

import (
	"compress/gzip"
	"context"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// writer writes one table of scores.
type writer struct {
	*outTable
	ctx  context.Context
	tick func(rows int) // told how many more rows are written
}

// write writes the table in the format that its path names.
func (w *writer) write(to io.Writer) error {
	format, zipped, err := outFormat(w.path)
	if err != nil {
		return err
	}
	if format == ".parquet" {
		return w.writeParquet(to)
	}
	if format == ".npy" {
		return w.writeNPY(to)
	}
	if !zipped {
		return w.writeCSV(to)
	}
	z, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if err := w.writeCSV(z); err != nil {
		return err
	}
	return z.Close()
}

// idColumns are the names of the columns before the scores.
func (t *outTable) idColumns() []string {
	if t.ends == nil {
		return []string{"id"}
	}
	return []string{"src", "dst"}
}

func (w *writer) writeCSV(to io.Writer) error {
	buf := make([]byte, 0, 1<<17)
	for i, name := range append(w.idColumns(), w.names...) {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = AppendField(buf, name)
	}
	buf = append(buf, '\n')
	since := 0
	for i := range w.rows {
		buf = w.appendRow(buf, w.place(i), i)
		since++
		if len(buf) >= 1<<16 {
			if _, err := to.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
			if w.tick(since); w.ctx.Err() != nil {
				return w.ctx.Err()
			}
			since = 0
		}
	}
	if _, err := to.Write(buf); err != nil {
		return err
	}
	w.tick(since)
	return w.ctx.Err()
}

// appendRow appends the row that stands at place in the columns.
func (w *writer) appendRow(buf []byte, place, row int) []byte {
	if w.ends == nil {
		buf = w.appendID(buf, row)
	}
	for i, end := range w.ends {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = w.appendID(buf, int(end[place]))
	}
	for _, scores := range w.scores {
		buf = append(buf, ',')
		buf = strconv.AppendFloat(buf, scores[place], 'g', -1, 64)
	}
	return append(buf, '\n')
}

func (w *writer) appendID(buf []byte, node int) []byte {
	if w.ids.Texts != nil {
		return AppendField(buf, w.ids.Texts[node])
	}
	return strconv.AppendInt(buf, w.ids.Ints[node], 10)
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
