package file

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// csvColumns are the places of the columns; weight is -1 when there is none.
type csvColumns struct {
	src, dst, weight, count int
	// header is the line that names them, nil without one; edge says that the first line is an edge.
	header []byte
	edge   bool
	// note says what was guessed; "" for nothing.
	note string
}

// columnNames are the names of columns that a header may use, in lower case.
var columnNames = map[string]string{
	"src": "src", "source": "src", "from": "src", "start": "src", "tail": "src",
	"dst": "dst", "target": "dst", "to": "dst", "end": "dst", "dest": "dst", "destination": "dst", "head": "dst",
	WeightColumn: WeightColumn,
}

// separators are the characters that may separate fields.
const separators = ",;\t"

// separatorNames are what people call them.
var separatorNames = map[byte]string{',': "commas", ';': "semicolons", '\t': "tabs"}

// findSeparator finds out what separates the fields, from the first line that is not blank.
func (c *csvReader) findSeparator() error {
	c.comma = ','
	line, err := c.in.peekLine()
	if err != nil {
		return err
	}
	counts := map[byte]int{}
	quote := false
	for _, b := range line {
		if b == '"' {
			quote = !quote
		} else if !quote && strings.IndexByte(separators, b) >= 0 {
			counts[b]++
		}
	}
	if len(counts) == 1 {
		for b := range counts {
			c.comma = b
		}
		return nil
	}
	if len(counts) == 0 {
		return nil
	}
	for i := range len(separators) { // several: the one that makes a header
		fields := bytes.Split(line, []byte{separators[i]})
		if len(fields) > 1 && known(fields) == len(fields) {
			c.comma = separators[i]
			return nil
		}
	}
	if first, _, _ := bytes.Cut(line, []byte{','}); counts[','] > 0 && known([][]byte{first}) == 1 {
		return nil // a header with commas, whose mistakes are reported as such
	}
	c.in.at = c.in.line + 1
	return &connector.Error{
		Kind: connector.BadData,
		Msg: fmt.Sprintf("%s: the first line has %s: %s", c.in.path, "several of comma, semicolon and tab",
			quoted(line)),
		Hint: "begin with a header line, such as src;dst;weight, or quote the ids",
	}
}

// known returns how many of the fields are names of columns.
func known(fields [][]byte) int {
	n := 0
	for _, f := range fields {
		if columnNames[strings.ToLower(string(bytes.Trim(f, `"`)))] != "" {
			n++
		}
	}
	return n
}

// columns finds out which column is which, and whether the first line is an edge.
func (c *csvReader) columns(fields [][]byte, row []byte, header Header) (csvColumns, error) {
	switch {
	case header == WithoutHeader:
		return c.byPlace(fields, row, nil)
	case known(fields) > 0:
		at, err := c.byName(fields, row)
		if err == nil || header == FindHeader {
			return at, err
		}
		return c.byPlace(fields, row, row)
	case header == WithHeader:
		return c.byPlace(fields, row, row)
	case isEdge(fields):
		return c.byPlace(fields, row, nil)
	case len(fields) < 2 || len(fields) > 3:
		return csvColumns{}, c.headerError(row, "the header has columns that are not known: "+names(fields))
	}
	return csvColumns{}, &connector.Error{
		Kind: connector.BadData,
		Msg: fmt.Sprintf("%s: line %d: the header has columns that are not known, unless this is an edge: %s", c.in.path,
			c.in.at, quoted(row)),
		Hint: "--no-header reads it as an edge, --header as names of columns: source, target, weight",
	}
}

// isEdge reports whether a first line without known names can only be an edge: its ids are numbers, or it has a weight.
func isEdge(fields [][]byte) bool {
	isNumber := func(i int) bool {
		_, ok := parseNumber(bytes.TrimSpace(fields[i]))
		return ok
	}
	switch len(fields) {
	case 2:
		return isNumber(0) && isNumber(1)
	case 3:
		return isNumber(2)
	}
	return false
}

// byPlace takes the columns in the order source, target, weight. The header is nil for a file that has none.
func (c *csvReader) byPlace(fields [][]byte, row, header []byte) (csvColumns, error) {
	at := csvColumns{src: 0, dst: 1, weight: -1, count: len(fields), edge: header == nil, header: bytes.Clone(header)}
	if at.count < 2 || at.count > 3 {
		return at, c.in.lineErrorf(row, "%d columns; without known names a line has two or three: source, target, weight",
			at.count)
	}
	taken := "source, target"
	if at.count == 3 {
		at.weight, taken = 2, taken+", weight"
	}
	at.note = "no header; columns taken as " + taken
	if header != nil {
		at.note = fmt.Sprintf("columns %s taken as %s", names(fields), taken)
	}
	if c.comma != ',' {
		at.note += ", separated by " + separatorNames[c.comma]
	}
	return at, nil
}

// byName takes the columns by the names that the header gives them.
func (c *csvReader) byName(fields [][]byte, row []byte) (csvColumns, error) {
	at := csvColumns{src: -1, dst: -1, weight: -1, count: len(fields), header: bytes.Clone(row)}
	var unknown [][]byte
	for i, name := range fields {
		place := map[string]*int{"src": &at.src, "dst": &at.dst, WeightColumn: &at.weight}[columnNames[strings.ToLower(
			string(name))]]
		switch {
		case place == nil:
			unknown = append(unknown, name)
		case *place >= 0:
			return at, c.headerError(row, fmt.Sprintf("the header names the column %s twice", quoted(name)))
		default:
			*place = i
		}
	}
	if len(unknown) > 0 {
		return at, c.headerError(row, "the header has columns that are not known: "+names(unknown))
	}
	if at.src < 0 || at.dst < 0 {
		return at, c.headerError(row, "the header does not name both src and dst")
	}
	return at, nil
}

// names lists the first fields, quoted.
func names(fields [][]byte) string {
	var out []string
	for _, f := range fields[:min(len(fields), 8)] {
		out = append(out, quoted(f))
	}
	return strings.Join(out, ", ")
}

func (c *csvReader) headerError(row []byte, what string) error {
	return &connector.Error{
		Kind: connector.BadData,
		Msg:  fmt.Sprintf("%s: line %d: %s (it is src,dst or src,dst,weight): %s", c.in.path, c.in.at, what, quoted(row)),
	}
}
