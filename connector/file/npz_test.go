package file

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// numpy is an array of NumPy in a file: its type, its shape and its values.
func numpy[T any](descr, shape string, order binary.ByteOrder, values ...T) string {
	line := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape)
	b := append([]byte(npyMagic), 1, 0, byte(len(line)), 0)
	b = append(b, line...)
	b, err := binary.Append(b, order, values)
	if err != nil {
		panic(err) // a fault of the test
	}
	return string(b)
}

func ints(values ...int32) string {
	return numpy("<i4", fmt.Sprint(len(values), ","), binary.LittleEndian, values...)
}

func floats(values ...float64) string {
	return numpy("<f8", fmt.Sprint(len(values), ","), binary.LittleEndian, values...)
}

func square(n int64) string { return numpy("<i8", "2,", binary.LittleEndian, n, n) }

func format(name string) string { return numpy("|S3", "", binary.LittleEndian, []byte(name)...) }

// archive is a file .npz: a name and an array, again and again.
func archive(parts ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i] + ".npy")
		if err != nil {
			panic(err) // a buffer takes everything
		}
		_, _ = w.Write([]byte(parts[i+1])) // as above
	}
	_ = z.Close()
	return b.String()
}

// coo is a matrix of 4 nodes with these arrays.
func coo(row, col, data string) string {
	parts := []string{"row", row, "col", col, "format", format("coo"), "shape", square(4)}
	if data != "" {
		parts = append(parts, "data", data)
	}
	return archive(parts...)
}

func TestMatricesOfSciPy(t *testing.T) {
	var big binary.ByteOrder = binary.BigEndian
	bytes8 := numpy[int8]("|i1", "3,", binary.LittleEndian, 2, 1, 7)
	for name, c := range map[string]struct {
		content            string
		directed, weighted bool
		want               []string
	}{
		"coo": {coo(ints(1, 0, 2), ints(0, 1, 2), floats(2, 0.5, 3)), true, true,
			[]string{"1>0 1-0:2", "0>1 0-1:0.5", "2>2 2-2:3"}},
		"undirected": {coo(ints(1, 0), ints(0, 3), floats(2, 0.5)), false, true, []string{"1>0 0-1:2", "0>3 0-3:0.5"}},
		"hops":       {coo(ints(1), ints(0), floats(0)), true, false, []string{"1>0 1-0:1"}},
		"no data":    {coo(ints(1), ints(0), ""), true, false, []string{"1>0 1-0:1"}},
		"no entry":   {coo(ints(), ints(), floats()), false, true, []string{}},
		"integers": {coo(ints(1, 0, 2), ints(0, 1, 2), bytes8), true, true,
			[]string{"1>0 1-0:2", "0>1 0-1:1", "2>2 2-2:7"}},
		"single": {coo(ints(1), ints(0), numpy[float32]("<f4", "1,", binary.LittleEndian, 0.25)), true, true,
			[]string{"1>0 1-0:0.25"}},
		"truth values": {coo(ints(1), ints(0), numpy[int8]("|b1", "1,", binary.LittleEndian, 1)), true, true,
			[]string{"1>0 1-0:1"}},
		"big endian": {coo(numpy[int64](">i8", "1,", big, 3), numpy[uint16](">u2", "1,", big, 2),
			numpy(">f8", "1,", big, 1.5)), true, true,
			[]string{"3>2 3-2:1.5"}},
		"csr": {archive("format", format("csr"), "shape", square(4), "indptr", ints(0, 2, 2, 3, 3), "indices", ints(1, 3, 0),
			"data", floats(1, 2, 3)), true, true, []string{"0>1 0-1:1", "0>3 0-3:2", "2>0 2-0:3"}},
		"csc": {archive("format", format("csc"), "shape", square(4), "indptr", ints(0, 2, 2, 3, 3), "indices", ints(1, 3, 0),
			"data", floats(1, 2, 3)), true, true, []string{"1>0 1-0:1", "3>0 3-0:2", "0>2 0-2:3"}},
	} {
		o := export.Undirected
		if c.directed {
			o = export.Natural
		}
		s := load(t, writeTemp(t, "a.npz", c.content), projection(o, c.weighted))
		if diff := cmp.Diff(c.want, inputRows(s)); diff != "" || s.Graph.N() != 4 || s.Graph.Directed != c.directed {
			t.Errorf("%s: n = %d, directed %t, rows (-want +got):\n%s", name, s.Graph.N(), s.Graph.Directed, diff)
		}
	}
}

func TestBadMatricesOfSciPy(t *testing.T) {
	one, two := ints(1), ints(1, 2)
	csr := func(indptr, indices string) string {
		return archive("format", format("csr"), "shape", square(2), "indptr", indptr, "indices", indices, "data", floats(1))
	}
	for want, content := range map[string]string{
		"not an archive of NumPy arrays, although its name ends in .npz": "PK",
		`no array "format"`: archive("row", one),
		`the format of the matrix is "dia"; linchpin reads coo, csr and csc`: archive("format", format("dia")),
		`no array "shape"`: archive("format", format("coo")),
		`the matrix has 3 dimensions`: archive("format", format("coo"), "shape",
			ints(1, 2, 3)),
		`2 rows and 3 columns`: archive("format", format("coo"), "shape",
			ints(2, 3)),
		`-1 nodes are not between 0`: archive("format", format("coo"), "shape",
			ints(-1, -1)),
		`no array "row"`: archive("format", format("coo"),
			"shape", square(1)),
		`the file has no weights`: archive("format", format("csr"), "shape",
			square(1), "indptr", ints(0, 0), "indices", ints(), "x", one),
		`"row" has 2 values, the array "col" 1`:                   coo(two, one, floats(1)),
		`"data" has 2 values for 1 entries`:                       coo(one, one, floats(1, 2)),
		`the array "row" has the index 4, and the matrix 4 nodes`: coo(ints(4), one, floats(1)),
		`the array "col" has the index -1`:                        coo(one, ints(-1), floats(1)),
		`the array "row" does not hold integers`:                  coo(floats(1), one, floats(1)),
		`the array "data" does not hold real numbers`: coo(one, one,
			numpy("<c16", "1,", binary.LittleEndian, complex(1, 1))),
		`the array "data" breaks off`: coo(one, one,
			numpy[float64]("<f8", "1,", binary.LittleEndian)),
		`the array "row" is not an array of NumPy`: coo("\x93NUMP", one, floats(1)),
		`the array "row" has a type that linchpin does not read: {'descr'`: coo(numpy[int64]("|O", "1,",
			binary.LittleEndian, 1), one, floats(1)),
		`the array "row" has 2 dimensions, not one`: coo(numpy[int32]("<i4", "1, 1",
			binary.LittleEndian, 1), one, floats(1)),
		`a shape that linchpin does not read: (-1,)`: coo(numpy[int32]("<i4", "-1,",
			binary.LittleEndian, 1), one, floats(1)),
		`"indptr" has 2 values for 2 nodes`:                csr(ints(0, 1), one),
		`"indptr" does not ascend to 1`:                    csr(ints(0, 2, 1), one),
		`"indptr" ends at 0 of 1 entries`:                  csr(ints(0, 0, 0), one),
		`bad weights: 1 zero, first at entry 1: 0`:         coo(two, two, floats(1, 0)),
		`bad weights: 1 negative, first at entry 0: -3`:    coo(one, one, ints(-3)),
		`bad weights: 1 not finite, first at entry 0: NaN`: coo(one, one, floats(math.NaN())),
		`1 too large for an exact float64, first at entry 0: 9007199254740993`: coo(one, one,
			numpy[int64]("<i8", "1,", binary.LittleEndian, 1<<53+1)),
		`1 too large for an exact float64, first at entry 0: 9223372036854775807`: coo(one, one,
			numpy[uint64]("<u8", "1,", binary.LittleEndian, math.MaxUint64)),
	} {
		source := &Source{Path: writeTemp(t, "a.npz", content)}
		_, err := source.Export(context.Background(), projection(export.Natural, true), nil)
		if err == nil || !strings.Contains(err.Error(), "a.npz: ") || !strings.Contains(err.Error(), want) ||
			connector.KindOf(err) == 0 {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestProgressOfMatrix(t *testing.T) {
	source := &Source{Path: writeTemp(t, "a.npz", coo(ints(1, 2), ints(0, 0), ""))}
	var got []string
	progress := func(done, expected int64) { got = append(got, fmt.Sprint(done, " of ", expected)) }
	if _, err := source.Export(context.Background(), projection(export.Natural, false), progress); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2 of 2"}, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzNPZ(f *testing.F) {
	fuzzReader(f, ".npz", export.Natural, coo(ints(1, 0, 2), ints(0, 1, 2), floats(2, 0.5, 3)),
		archive("format", format("csr"),
			"shape", square(2), "indptr", ints(0, 1, 1), "indices", ints(1), "data", ints(3)))
}

// TestArrayOfScores writes scores as NumPy's own writer does, and refuses what an array cannot hold.
func TestArrayOfScores(t *testing.T) {
	s := load(t, writeTemp(t, "a.csv", "src,dst\nb,a\na,c\n"), projection(export.Natural, false))
	out := filepath.Join(t.TempDir(), "out.npy")
	column := connector.Column{On: connector.OnRelationships, Property: "score", Values: rowNumbers(s)}
	write := func(columns ...connector.Column) error {
		_, err := (&Sink{Relationships: out}).Write(context.Background(), s, columns, connector.WriteOptions{}, nil)
		return err
	}
	if err := write(column); err != nil {
		t.Fatal(err)
	}
	got := readAll(t, out)
	want := "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
	values := floats(1, 2)[len(floats()):]
	if !strings.HasPrefix(got, want) || len(got) != 128+16 || got[128:] != values || got[127] != '\n' {
		t.Errorf("%q", got)
	}
	if err := write(column, column); err == nil || !strings.Contains(err.Error(), "an array holds one score, not 2") {
		t.Error(err)
	}
	err := WriteGraph(context.Background(), out, s, nil)
	if err == nil || !strings.Contains(err.Error(), "an array holds scores alone") {
		t.Error(err)
	}
}
