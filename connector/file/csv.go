package file

import (
	"bytes"
	"io"
)

// csvReader reads rows of separated values as RFC 4180 has them: a field is quoted whole or not at all, a quote
// in a quoted field is doubled, and line ends in it are part of the value, byte for byte (encoding/csv would change
// CR LF in them).
type csvReader struct {
	in     *input
	comma  byte // that separates fields
	fields [][]byte
	quoted []bool // which of fields were quoted; empty when none was
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
	c.fields, c.quoted = c.fields[:0], c.quoted[:0]
	for {
		i := bytes.IndexByte(row, c.comma)
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
	c.fields, c.quoted, c.values = c.fields[:0], c.quoted[:0], c.values[:0]
	for {
		var value []byte
		quote := len(row) > 0 && row[0] == '"'
		if quote {
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
			if len(row) > 0 && row[0] != c.comma {
				return "text follows the closing quote of a field"
			}
		} else {
			i := bytes.IndexByte(row, c.comma)
			if i < 0 {
				i = len(row)
			}
			value, row = row[:i], row[i:]
			if bytes.IndexByte(value, '"') >= 0 {
				return "a quote inside a field that is not quoted"
			}
		}
		c.fields, c.quoted = append(c.fields, value), append(c.quoted, quote)
		if len(row) == 0 {
			return ""
		}
		row = row[1:]
	}
}

// padded says whether a field begins or ends with blanks that no quotes claim for it, as in "1, 2".
func (c *csvReader) padded(i int) bool {
	f := c.fields[i]
	return len(f) > 0 && (isBlank(f[0]) || isBlank(f[len(f)-1])) && (len(c.quoted) == 0 || !c.quoted[i])
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }
