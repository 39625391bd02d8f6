package file

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// csvReader reads rows of comma-separated values as RFC 4180 has them: a field is quoted whole or not at all, a quote
// in a quoted field is doubled, and line ends in it are part of the value, byte for byte (encoding/csv would change
// CR LF in them).
type csvReader struct {
	in     *input
	fields [][]byte
	long   []byte // a row that spans lines
	values []byte // unquoted values
}

// next returns the fields of the next row that is not blank, and the row as it stands in the file.
func (c *csvReader) next() (fields [][]byte, row []byte, err error) {
	for {
		line, err := c.in.next()
		if err != nil {
			return nil, nil, err
		}
		row = trimEnd(line)
		if len(row) == 0 {
			continue
		}
		if bytes.IndexByte(row, '"') < 0 {
			c.split(row)
			return c.fields, row, nil
		}
		return c.quotedRow(line)
	}
}

// split cuts a row without quotes.
func (c *csvReader) split(row []byte) {
	c.fields = c.fields[:0]
	for {
		i := bytes.IndexByte(row, ',')
		if i < 0 {
			c.fields = append(c.fields, row)
			return
		}
		c.fields = append(c.fields, row[:i])
		row = row[i+1:]
	}
}

// quotedRow reads a row that has quotes, with as many further lines as belong to it.
func (c *csvReader) quotedRow(line []byte) ([][]byte, []byte, error) {
	start := c.in.line
	row := trimEnd(line)
	what := c.splitQuoted(row)
	if what == openQuote {
		c.long = append(c.long[:0], line...)
		for quotes := bytes.Count(line, []byte{'"'}); quotes%2 == 1; {
			more, err := c.in.next()
			if err == io.EOF {
				break
			} else if err != nil {
				return nil, nil, err
			}
			if len(c.long)+len(more) > maxLine {
				return nil, nil, c.in.errorAt(start, c.long, "the quoted text that begins here is longer than %d bytes", maxLine)
			}
			c.long = append(c.long, more...)
			quotes += bytes.Count(more, []byte{'"'})
		}
		row = trimEnd(c.long)
		what = c.splitQuoted(row)
	}
	c.in.at = start
	if what != "" {
		return nil, nil, c.in.lineErrorf(row, "%s", what)
	}
	return c.fields, row, nil
}

const openQuote = `a quote is opened and not closed`

// splitQuoted cuts a row with quotes; it returns what is wrong with it, or "".
func (c *csvReader) splitQuoted(row []byte) string {
	c.fields, c.values = c.fields[:0], c.values[:0]
	for {
		var value []byte
		if len(row) > 0 && row[0] == '"' {
			start := len(c.values)
			row = row[1:]
			for {
				i := bytes.IndexByte(row, '"')
				if i < 0 {
					return openQuote
				}
				c.values = append(c.values, row[:i]...)
				row = row[i+1:]
				if len(row) == 0 || row[0] != '"' {
					break
				}
				c.values = append(c.values, '"')
				row = row[1:]
			}
			// A later append may move c.values; what was cut from the old one stays as it was.
			value = c.values[start:len(c.values):len(c.values)]
			if len(row) > 0 && row[0] != ',' {
				return "text follows the closing quote of a field"
			}
		} else {
			i := bytes.IndexByte(row, ',')
			if i < 0 {
				i = len(row)
			}
			value, row = row[:i], row[i:]
			if bytes.IndexByte(value, '"') >= 0 {
				return "a quote inside a field that is not quoted"
			}
		}
		c.fields = append(c.fields, value)
		if len(row) == 0 {
			return ""
		}
		row = row[1:]
	}
}

// csvColumns are the places of the columns; weight is -1 when there is none.
type csvColumns struct{ src, dst, weight, count int }

// header reads the names of the columns.
func (c *csvReader) header() (csvColumns, error) {
	at := csvColumns{src: -1, dst: -1, weight: -1}
	fields, row, err := c.next()
	if err != nil {
		return at, err
	}
	at.count = len(fields)
	var unknown []string
	for i, name := range fields {
		place := map[string]*int{"src": &at.src, "dst": &at.dst, WeightColumn: &at.weight}[string(name)]
		switch {
		case place == nil:
			unknown = append(unknown, quoted(name))
		case *place >= 0:
			return at, c.headerError(row, fmt.Sprintf("the header names the column %s twice", quoted(name)))
		default:
			*place = i
		}
	}
	if len(unknown) > 0 {
		return at, c.headerError(row, "the header has columns that are not known: "+strings.Join(unknown[:min(len(unknown), 8)], ", "))
	}
	if at.src < 0 || at.dst < 0 {
		return at, c.headerError(row, "the header does not name both src and dst")
	}
	return at, nil
}

func (c *csvReader) headerError(row []byte, what string) error {
	return &connector.Error{
		Kind: connector.BadData,
		Msg:  fmt.Sprintf("%s: line %d: %s (it is src,dst or src,dst,weight): %s", c.in.path, c.in.at, what, quoted(row)),
	}
}

// readCSV reads an edge list with a header.
func readCSV(t *table) error {
	c := &csvReader{in: t.in}
	at, err := c.header()
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	t.begin(false)
	if t.weighted() && at.weight < 0 && t.rel.DefaultWeight == nil {
		return t.noWeights()
	}
	for {
		fields, row, err := c.next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if len(fields) != at.count {
			return t.in.lineErrorf(row, "%d columns where the header has %d", len(fields), at.count)
		}
		var weight []byte
		if at.weight >= 0 {
			weight = bytes.TrimSpace(fields[at.weight])
		}
		if err := t.addTexts(fields[at.src], fields[at.dst], weight, row); err != nil {
			return err
		}
	}
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
