package file

import (
	"archive/zip"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// npz is a sparse matrix of SciPy, as scipy.sparse.save_npz writes it: a zip archive with an array per file. data may
// be missing, which save_npz never does: then the matrix has no weights.
type npz struct {
	t       *table
	arrays  map[string]*zip.File
	format  string // coo, csr or csc
	nodes   int64
	entries int64
	opened  []io.Closer
	// values are the weights; nil when they are not wanted.
	values *npyArray
}

// readNPZ reads a sparse matrix: entry (i, j) is the arc from node i to node j. Nodes have the ids 0 to n-1.
func readNPZ(t *table, path string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return t.in.errorf("not an archive of NumPy arrays, although its name ends in .npz")
	}
	defer z.Close()
	m := &npz{t: t, arrays: map[string]*zip.File{}}
	defer m.close()
	for _, f := range z.File {
		m.arrays[strings.TrimSuffix(f.Name, ".npy")] = f
	}
	if err := m.read(); err != nil {
		if connector.KindOf(err) != 0 || t.in.ctx.Err() != nil {
			return err
		}
		return t.in.errorf("%s", err)
	}
	return nil
}

func (m *npz) close() {
	for _, c := range m.opened {
		_ = c.Close() // it was read; the checksum is looked at when its end is
	}
}

// read reads the header arrays, the nodes and the entries.
func (m *npz) read() error {
	if err := m.readFormat(); err != nil {
		return err
	}
	if err := m.readShape(); err != nil {
		return err
	}
	m.t.begin(false)
	if err := m.t.addRange(0, m.nodes); err != nil {
		return err
	}
	if m.format == "coo" {
		return m.readCOO()
	}
	return m.readCompressed()
}

// open opens an array of the archive.
func (m *npz) open(name string) (*npyArray, error) {
	f := m.arrays[name]
	if f == nil {
		return nil, fmt.Errorf("no array %q; scipy.sparse.save_npz writes what linchpin reads", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("the array %q: %w", name, err)
	}
	m.opened = append(m.opened, r)
	return openNPY(fmt.Sprintf("the array %q", name), r)
}

// openIndices opens an array of integers with one dimension.
func (m *npz) openIndices(name string) (*npyArray, int64, error) {
	a, err := m.open(name)
	if err != nil {
		return nil, 0, err
	}
	if !a.isInteger() {
		return nil, 0, fmt.Errorf("%s does not hold integers", a.name)
	}
	length, err := a.length()
	return a, length, err
}

// readFormat reads the name of the format, a text of bytes or of UTF-32.
func (m *npz) readFormat() error {
	a, err := m.open("format")
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(a.r, 64))
	if err != nil {
		return err
	}
	m.format = strings.ReplaceAll(string(text), "\x00", "")
	if m.format != "coo" && m.format != "csr" && m.format != "csc" {
		return fmt.Errorf("the format of the matrix is %q; linchpin reads coo, csr and csc", m.format)
	}
	return nil
}

// readShape reads the number of nodes.
func (m *npz) readShape() error {
	a, length, err := m.openIndices("shape")
	if err != nil {
		return err
	}
	if length != 2 {
		return fmt.Errorf("the matrix has %d dimensions, not 2", length)
	}
	var sizes [2]int64
	for i := range sizes {
		if sizes[i], err = a.integer(); err != nil {
			return err
		}
	}
	switch {
	case sizes[0] != sizes[1]:
		return fmt.Errorf("%d rows and %d columns; the matrix of a graph is square", sizes[0], sizes[1])
	case sizes[0] < 0 || sizes[0] > export.MaxNodes:
		return fmt.Errorf("%d nodes are not between 0 and %d", sizes[0], export.MaxNodes)
	}
	m.nodes = sizes[0]
	return nil
}

// openValues opens the weights, if they are wanted, of so many entries.
func (m *npz) openValues(entries int64) error {
	m.entries, m.t.in.expected = entries, entries
	if entries > export.MaxEdges {
		return fmt.Errorf("more than %d edges", export.MaxEdges)
	}
	if !m.t.weighted() {
		return nil
	}
	if m.arrays["data"] == nil {
		return m.t.noWeights()
	}
	a, err := m.open("data")
	if err != nil {
		return err
	}
	if !a.isInteger() && !a.isFloat() {
		return fmt.Errorf("%s does not hold real numbers", a.name)
	}
	length, err := a.length()
	if err == nil && length != entries {
		err = fmt.Errorf("%s has %d values for %d entries", a.name, length, entries)
	}
	m.values = a
	return err
}

// readCOO reads the entries of a matrix that lists row and column of each.
func (m *npz) readCOO() error {
	rows, count, err := m.openIndices("row")
	if err != nil {
		return err
	}
	columns, other, err := m.openIndices("col")
	if err != nil {
		return err
	}
	if count != other {
		return fmt.Errorf("%s has %d values, %s %d", rows.name, count, columns.name, other)
	}
	if err := m.openValues(count); err != nil {
		return err
	}
	for i := range count {
		u, err := m.node(rows)
		if err != nil {
			return err
		}
		v, err := m.node(columns)
		if err != nil {
			return err
		}
		if err := m.add(i, u, v); err != nil {
			return err
		}
	}
	return nil
}

// readCompressed reads the entries of a matrix that lists them row by row (csr) or column by column (csc).
func (m *npz) readCompressed() error {
	ends, count, err := m.openIndices("indptr")
	if err != nil {
		return err
	}
	if count != m.nodes+1 {
		return fmt.Errorf("%s has %d values for %d nodes", ends.name, count, m.nodes)
	}
	indices, entries, err := m.openIndices("indices")
	if err != nil {
		return err
	}
	if err := m.openValues(entries); err != nil {
		return err
	}
	at, err := ends.integer()
	for u := int64(0); u < m.nodes && err == nil; u++ {
		var end int64
		if end, err = ends.integer(); err != nil {
			return err
		}
		if end < at || end > entries {
			return fmt.Errorf("%s does not ascend to %d", ends.name, entries)
		}
		at, err = end, m.readRow(indices, int32(u), at, end)
	}
	if err == nil && at != entries {
		err = fmt.Errorf("%s ends at %d of %d entries", ends.name, at, entries)
	}
	return err
}

// readRow reads the entries from at to end, which are those of the row or column u.
func (m *npz) readRow(indices *npyArray, u int32, at, end int64) error {
	for ; at < end; at++ {
		v, err := m.node(indices)
		if err != nil {
			return err
		}
		row, column := u, v
		if m.format == "csc" {
			row, column = v, u
		}
		if err := m.add(at, row, column); err != nil {
			return err
		}
	}
	return nil
}

// node reads the next index.
func (m *npz) node(a *npyArray) (int32, error) {
	x, err := a.integer()
	if err == nil && (x < 0 || x >= m.nodes) {
		err = fmt.Errorf("%s has the index %d, and the matrix %d nodes", a.name, x, m.nodes)
	}
	return int32(x), err
}

// add adds the entry at a place of the arrays.
func (m *npz) add(at int64, u, v int32) error {
	if !m.t.weighted() {
		return m.t.add(u, v)
	}
	w, keep, err := m.weight(at)
	if err != nil || !keep {
		return err
	}
	m.t.block.Weights = append(m.t.block.Weights, w)
	return m.t.add(u, v)
}

// weight reads the next weight and applies the policy.
func (m *npz) weight(at int64) (w float64, keep bool, err error) {
	var refused export.WeightFault
	var text string
	switch {
	case m.values.isFloat():
		if w, err = m.values.float(); err != nil {
			return 0, false, err
		}
		text = strconv.FormatFloat(w, 'g', -1, 64)
		w, keep, refused = m.t.policy.Check(w, &m.t.dropped)
	default:
		x, err := m.values.integer()
		if err != nil {
			return 0, false, err
		}
		text = strconv.FormatInt(x, 10)
		if w = float64(x); x == math.MaxInt64 || int64(w) != x {
			refused = m.t.policy.Drop(export.Inexact, &m.t.dropped)
		} else {
			w, keep, refused = m.t.policy.Check(w, &m.t.dropped)
		}
	}
	if refused != 0 {
		m.t.bad.Add(refused, badLine{int(at), text})
	}
	return w, keep, nil
}
