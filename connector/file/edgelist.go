package file

import (
	"bytes"
	"io"
)

// readCSV reads an edge list, with a header or without one.
func readCSV(t *table) error {
	c := &csvReader{in: t.in}
	if err := c.findSeparator(); err != nil {
		return err
	}
	fields, row, err := c.next()
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	at, err := c.columns(fields, row, t.options.Header)
	if err != nil {
		return err
	}
	if at.note != "" && t.options.Note != nil {
		t.options.Note(at.note)
	}
	t.begin(false)
	if t.weighted() && at.weight < 0 && t.rel.DefaultWeight == nil {
		return t.noWeights()
	}
	if at.edge {
		if err := c.addRow(t, at, fields, row); err != nil {
			return err
		}
	}
	for {
		fields, row, err := c.next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := c.addRow(t, at, fields, row); err != nil {
			return err
		}
	}
}

// addRow adds the edge of a row.
func (c *csvReader) addRow(t *table, at csvColumns, fields [][]byte, row []byte) error {
	if len(fields) != at.count {
		first := "the header has"
		if at.edge {
			first = "the first line has"
		}
		return t.in.lineErrorf(row, "%d columns where %s %d", len(fields), first, at.count)
	}
	if at.header != nil && bytes.Equal(row, at.header) {
		return t.in.lineErrorf(row, "the header stands here again; remove it, or quote the names if these are ids")
	}
	var weight []byte
	if at.weight >= 0 {
		weight = bytes.TrimSpace(fields[at.weight])
	}
	for _, i := range []int{at.src, at.dst} {
		if c.padded(i) {
			return t.in.lineErrorf(row, "the id %s begins or ends with a blank; remove it, or quote the id if it belongs to it",
				quoted(fields[i]))
		}
	}
	return t.addTexts(fields[at.src], fields[at.dst], weight, row)
}

// addTexts adds an edge between nodes named by texts.
func (t *table) addTexts(src, dst, weight, row []byte) error {
	if len(src) == 0 || len(dst) == 0 {
		return t.in.lineErrorf(row, "an id is empty")
	}
	u, err := t.builder.InternBytes(src)
	if err != nil {
		return t.in.errorf("%s", err)
	}
	v, err := t.builder.InternBytes(dst)
	if err != nil {
		return t.in.errorf("%s", err)
	}
	if t.weighted() {
		return t.addWeighted(u, v, weight, row)
	}
	return t.add(u, v)
}
