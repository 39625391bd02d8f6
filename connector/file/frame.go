package file

import (
	"context"
	"errors"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// kind is the type of a column.
type kind int

// A column is unknown until it has a value, and is then written as text.
const (
	unknown kind = iota
	boolean
	integer
	number
	text
)

// kindOf returns the kind that holds a value; nil has none.
func kindOf(value any) kind {
	switch value.(type) {
	case nil:
		return unknown
	case bool:
		return boolean
	case int64:
		return integer
	case float64:
		return number
	}
	return text
}

// join returns the narrowest kind that holds the values of both.
func (k kind) join(other kind) kind {
	switch {
	case k == other || other == unknown:
		return k
	case k == unknown:
		return other
	case k+other == integer+number && min(k, other) == integer:
		return number
	}
	return text
}

// vector is a column of some rows. One slice has values, as kind says.
type vector struct {
	name   string
	kind   kind
	bools  []bool
	ints   []int64
	floats []float64
	texts  []string
	// missing marks rows without a value; nil for a column in which every row has one.
	missing []bool
}

// isMissing reports whether a row has no value.
func (v *vector) isMissing(row int) bool { return v.missing != nil && v.missing[row] }

// add appends a value in the column's kind.
func (v *vector) add(value any) {
	v.missing = append(v.missing, value == nil)
	switch v.kind {
	case boolean:
		x, _ := value.(bool)
		v.bools = append(v.bools, x)
	case integer:
		x, _ := value.(int64)
		v.ints = append(v.ints, x)
	case number:
		x, isFloat := value.(float64)
		if whole, ok := value.(int64); ok && !isFloat {
			x = float64(whole)
		}
		v.floats = append(v.floats, x)
	default:
		v.texts = append(v.texts, textOf(value))
	}
}

// textOf writes a value as text.
func textOf(value any) string {
	switch x := value.(type) {
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return ""
}

// Details are columns that the source of a graph knows, read while a file is written: labels, types, properties.
type Details struct {
	// Names of the columns.
	Names []string
	// Read returns a row of values for each id: nil, bool, int64, float64 or string. A nil row stands for an entity that
	// is gone.
	Read func(ctx context.Context, ids export.IDs) ([][]any, error)
}

// errWider reports that a column has a value which its kind cannot hold. The kinds have been widened, and the file must
// be begun again.
var errWider = errors.New("a column has values of another type than before")

// outTable is one file to write.
type outTable struct {
	path     string
	rows     int
	idNames  []string
	names    []string // of the score columns
	scores   [][]float64
	meta     []meta
	entities export.IDs // of the rows, by place; only for details
	details  *Details
	kinds    []kind // of the details so far
	seen     []bool // which details have a value in any row so far
	// ends has the nodes that a row names, in columns: the node itself, or source and target.
	ends [][]int32
	// order has the place in the scores of each row, nil when they are in order.
	order []int32
	ids   export.IDs
}

// meta is a key of a file's metadata, with its value.
type meta struct{ key, value string }

// newTable returns a table of the nodes or of the relationships of a snapshot.
func newTable(path string, on connector.Entity, s *export.Snapshot, idNames ...string) *outTable {
	t := &outTable{path: path, idNames: idNames, ids: s.Nodes, rows: s.Nodes.Len(), entities: s.Nodes}
	if on == connector.OnRelationships {
		t.rows, t.entities = s.Rels.Len(), s.Rels.IDs
	}
	return t
}

// header returns the columns without rows, in the kinds that are known.
func (t *outTable) header() []vector {
	var out []vector
	for _, name := range t.idNames {
		out = append(out, vector{name: name, kind: idKind(t.ids)})
	}
	if t.details != nil {
		for i, name := range t.details.Names {
			out = append(out, vector{name: name, kind: t.kinds[i], missing: []bool{}})
		}
	}
	for _, name := range t.names {
		out = append(out, vector{name: name, kind: number})
	}
	return out
}

func idKind(ids export.IDs) kind {
	if ids.Texts != nil {
		return text
	}
	return integer
}

// frame returns the rows lo to hi. first says that none were written, so that kinds may change.
func (t *outTable) frame(ctx context.Context, lo, hi int, first bool) ([]vector, error) {
	values, err := t.read(ctx, lo, hi, first)
	if err != nil {
		return nil, err
	}
	columns := t.header()
	for c := range t.idNames {
		t.fillIDs(&columns[c], c, lo, hi)
	}
	scores := columns[len(columns)-len(t.names):]
	for k := range scores {
		scores[k].floats = make([]float64, hi-lo)
		for i := range scores[k].floats {
			scores[k].floats[i] = t.scores[k][t.place(lo+i)]
		}
	}
	if t.details == nil {
		return columns, nil
	}
	for k := range t.details.Names {
		column := &columns[len(t.idNames)+k]
		for _, row := range values {
			if row == nil {
				column.add(nil)
			} else {
				column.add(row[k])
			}
		}
	}
	return columns, nil
}

// read reads the details of the rows lo to hi, and widens the kinds.
func (t *outTable) read(ctx context.Context, lo, hi int, first bool) ([][]any, error) {
	if t.details == nil || hi == lo {
		return nil, nil
	}
	at := make([]int32, hi-lo)
	for i := range at {
		at[i] = int32(t.place(lo + i))
	}
	values, err := t.details.Read(ctx, t.entities.Pick(at...))
	if err != nil {
		return nil, err
	}
	wider := false
	for _, row := range values {
		for k, value := range row {
			t.seen[k] = t.seen[k] || value != nil
			if wide := t.kinds[k].join(kindOf(value)); wide != t.kinds[k] {
				asWritten := t.kinds[k] == unknown && wide == text
				t.kinds[k], wider = wide, wider || !asWritten
			}
		}
	}
	if wider && !first {
		return nil, errWider
	}
	return values, nil
}

func (t *outTable) fillIDs(column *vector, c, lo, hi int) {
	if t.ids.Texts == nil {
		column.ints = make([]int64, 0, hi-lo)
	} else {
		column.texts = make([]string, 0, hi-lo)
	}
	for i := lo; i < hi; i++ {
		node := i
		if t.ends != nil {
			node = int(t.ends[c][t.place(i)])
		}
		if t.ids.Texts == nil {
			column.ints = append(column.ints, t.ids.Ints[node])
		} else {
			column.texts = append(column.texts, t.ids.Texts[node])
		}
	}
}
