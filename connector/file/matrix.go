package file

import (
	"bytes"
	"fmt"
	"io"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// matrix is the header of a MatrixMarket file.
type matrix struct {
	field     string // pattern, integer, real
	symmetric bool
	nodes     int64
	entries   int64
	// lower and upper are the lines of the first entry below and above the diagonal; 0 for none yet.
	lower, upper int
}

// columns is the number of columns of an entry.
func (m *matrix) columns() int {
	if m.field == "pattern" {
		return 2
	}
	return 3
}

// readMatrix reads a MatrixMarket coordinate matrix: entry (i, j) is the arc from node i to node j. A symmetric matrix
// lists each edge once; in a directed projection its entries are two arcs each, one on the diagonal.
func readMatrix(t *table) error {
	m, err := readMatrixHeader(t.in)
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	t.begin(m.symmetric)
	if t.weighted() && m.field == "pattern" && t.rel.DefaultWeight == nil {
		return t.noWeights()
	}
	if err := t.addNumbered(m.nodes); err != nil {
		return err
	}
	seen := int64(0)
	for {
		line, err := t.in.next()
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		words := bytes.Fields(line)
		if len(words) == 0 || words[0][0] == '%' {
			continue
		}
		if seen++; seen > m.entries {
			return t.in.lineErrorf(line, "more entries than the %d that the size line declares", m.entries)
		}
		if err := t.addEntry(m, words, line); err != nil {
			return err
		}
	}
	if seen < m.entries {
		return t.in.errorf("the file ends after %d of %d entries (line %d)", seen, m.entries, t.in.line)
	}
	return nil
}

// addEntry adds one entry of the matrix.
func (t *table) addEntry(m *matrix, words [][]byte, line []byte) error {
	if len(words) != m.columns() {
		return t.in.lineErrorf(line, "%d columns; an entry of a %s matrix has %d", len(words), m.field, m.columns())
	}
	var ends [2]int32
	for i := range ends {
		x, ok := parseDigits(words[i])
		if !ok || x < 1 || x > m.nodes {
			return t.in.lineErrorf(line, "the index %s is not between 1 and %d", quoted(words[i]), m.nodes)
		}
		ends[i] = int32(x - 1)
	}
	if err := m.checkTriangle(t.in, ends, line); err != nil {
		return err
	}
	if err := m.checkValue(t.in, words[2:], line); err != nil {
		return err
	}
	if !t.weighted() {
		return t.add(ends[0], ends[1])
	}
	var weight []byte
	if m.field != "pattern" {
		weight = words[2]
	}
	return t.addWeighted(ends[0], ends[1], weight, line)
}

// checkTriangle refuses a symmetric matrix with entries on both sides of the diagonal: an edge that both list would be
// two.
func (m *matrix) checkTriangle(in *input, ends [2]int32, line []byte) error {
	if !m.symmetric || ends[0] == ends[1] {
		return nil
	}
	here, there, side, other := &m.lower, m.upper, "below", "above"
	if ends[0] < ends[1] {
		here, there, side, other = &m.upper, m.lower, "above", "below"
	}
	if there > 0 {
		return in.lineErrorf(line, "%s the diagonal, and line %d is %s it; a symmetric matrix lists one triangle", side,
			there, other)
	}
	if *here == 0 {
		*here = in.line
	}
	return nil
}

// checkValue checks the value of an entry, if it has one, also where weights are not read.
func (m *matrix) checkValue(in *input, values [][]byte, line []byte) error {
	for _, value := range values {
		if _, ok := parseNumber(value); !ok {
			return in.lineErrorf(line, "the value %s is not a number", quoted(value))
		}
		if digits := bytes.TrimLeft(value, "+-"); m.field == "integer" && len(bytes.Trim(digits, "0123456789")) > 0 {
			return in.lineErrorf(line, "the value %s is not an integer, as the first line declares", quoted(value))
		}
	}
	return nil
}

// readMatrixHeader reads the banner and the line of sizes.
func readMatrixHeader(in *input) (*matrix, error) {
	line, err := in.next()
	if err != nil {
		return nil, err
	}
	m, err := parseBanner(in, line)
	if err != nil {
		return nil, err
	}
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil, in.errorf("the file ends before the line of sizes: rows, columns, entries")
		} else if err != nil {
			return nil, err
		}
		words := bytes.Fields(line)
		if len(words) == 0 || words[0][0] == '%' {
			continue
		}
		return m, m.parseSizes(in, words, line)
	}
}

func parseBanner(in *input, line []byte) (*matrix, error) {
	words := bytes.Fields(bytes.ToLower(line))
	if len(words) != 5 || string(words[0]) != "%%matrixmarket" || string(words[1]) != "matrix" {
		return nil,
			in.lineErrorf(line, `not a MatrixMarket banner (%%%%MatrixMarket matrix coordinate real general, for instance)`)
	}
	layout, field, symmetry := string(words[2]), string(words[3]), string(words[4])
	switch {
	case layout != "coordinate":
		return nil, in.lineErrorf(line, "the layout is %q; only coordinate describes a graph", layout)
	case field != "pattern" && field != "integer" && field != "real":
		return nil, in.lineErrorf(line, "the field is %q; linchpin reads pattern, integer and real", field)
	case symmetry != "general" && symmetry != "symmetric":
		return nil, in.lineErrorf(line, "the symmetry is %q; linchpin reads general and symmetric", symmetry)
	}
	return &matrix{field: field, symmetric: symmetry == "symmetric"}, nil
}

func (m *matrix) parseSizes(in *input, words [][]byte, line []byte) error {
	var sizes [3]int64
	ok := len(words) == 3
	for i := 0; ok && i < 3; i++ {
		sizes[i], ok = parseDigits(words[i])
	}
	switch {
	case !ok:
		return in.lineErrorf(line, "not a line of sizes: rows, columns, entries")
	case sizes[0] != sizes[1]:
		return in.lineErrorf(line, "%d rows and %d columns; the matrix of a graph is square", sizes[0], sizes[1])
	case sizes[0] > export.MaxNodes || sizes[2] > export.MaxEdges:
		return in.lineErrorf(line, "more than %d nodes or edges", export.MaxNodes)
	}
	m.nodes, m.entries = sizes[0], sizes[2]
	return nil
}

// bytesPerNode bounds what a node takes while the graph is built, apart from its edges: id and several offsets.
const bytesPerNode = 64

// checkMemory refuses more nodes than there are free bytes for; 0: not known.
func checkMemory(path string, n, free int64) error {
	if free == 0 || n*bytesPerNode <= free {
		return nil
	}
	return &connector.Error{
		Kind: connector.TooLarge,
		Msg:  fmt.Sprintf("%s: %d nodes take %d MiB, and %d MiB are free", path, n, n*bytesPerNode>>20, free>>20),
	}
}

// addNumbered adds the nodes 1 to n; node i has index i-1.
func (t *table) addNumbered(n int64) error { return t.addRange(1, n) }

// addRange adds n nodes, numbered from first on. A header can declare any number, so memory is checked.
func (t *table) addRange(first, n int64) error {
	if err := checkMemory(t.in.path, n, availableMemory()); err != nil {
		return err
	}
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = first + int64(i)
	}
	t.builder.AddNodes(ids)
	return nil
}
