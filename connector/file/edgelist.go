package file

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// csvColumns are the places of the columns, and the header that says so; weight is -1 when there is none.
type csvColumns struct {
	src, dst, weight, count int
	row                     []byte
}

// header reads the names of the columns.
func (c *csvReader) header() (csvColumns, error) {
	at := csvColumns{src: -1, dst: -1, weight: -1}
	fields, row, err := c.next()
	if err != nil {
		return at, err
	}
	at.count, at.row = len(fields), bytes.Clone(row)
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
		return at, c.headerError(row, "the header has columns that are not known: "+
			strings.Join(unknown[:min(len(unknown), 8)], ", "))
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
		if bytes.Equal(row, at.row) {
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
