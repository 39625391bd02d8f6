package file

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// inputRows are the rows of a file as the sink writes them, with the weight of the edge (or two) that each became.
func inputRows(s *export.Snapshot) []string {
	source, target := s.Graph.Ends()
	weights := make([]float64, s.Graph.M())
	for i := range int64(s.Graph.Arcs()) {
		weights[s.Graph.Edge(i)] = s.Graph.Weight(i)
	}
	out := make([]string, s.Rels.Len())
	for v := range s.Graph.N() {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			e := s.Rels.Edges[i]
			row := fmt.Sprintf("%s>%s", s.Nodes.String(v), s.Nodes.String(int(s.Rels.Targets[i])))
			row += fmt.Sprintf(" %d-%d:%v", source[e], target[e], weights[e])
			if s.Rels.Back != nil && s.Rels.Back[i] >= 0 {
				b := s.Rels.Back[i]
				row += fmt.Sprintf(" %d-%d:%v", source[b], target[b], weights[b])
			}
			out[s.Rels.Positions[i]] = row
		}
	}
	return out
}

func TestFormats(t *testing.T) {
	const mtx = "%%MatrixMarket matrix coordinate "
	for _, c := range []struct {
		name, content      string
		directed, weighted bool
		nodes              int
		want               []string
	}{
		{"a.csv", "src,dst,weight\nb,a,2\na,b,3\nb,b,4\n", true, true, 2, []string{"b>a 0-1:2", "a>b 1-0:3", "b>b 0-0:4"}},
		{"a.csv", "src,dst,weight\nb,a,2\na,b,0\n", false, false, 2, []string{"b>a 0-1:1", "a>b 0-1:1"}},
		{"a.CSV.GZ", gzipped("dst,src\r\nx,y\r\n"), true, false, 2, []string{"y>x 0-1:1"}},
		{"a.txt", "# c\n% c\n\n  10\t20  1.5 \n20 30 2e1\r\n", false, true, 3, []string{"10>20 0-1:1.5", "20>30 1-2:20"}},
		{"a.txt.gz", gzipped("a b\n") + gzipped("b c"), true, false, 3, []string{"a>b 0-1:1", "b>c 1-2:1"}},
		{"a.mtx", mtx + "pattern general\n% c\n\n4 4 3\n2 1\n1 2\n3 3\n", true, false, 4,
			[]string{"2>1 1-0:1", "1>2 0-1:1", "3>3 2-2:1"}},
		{"a.mtx", mtx + "integer general\n4 4 1\n2 1 7\n", false, true, 4, []string{"2>1 0-1:7"}},
		{"a.mtx", strings.ToUpper(mtx) + "Real Symmetric\n3 3 2\n2 1 0.5\n3 3 2\n", false, true, 3,
			[]string{"2>1 0-1:0.5", "3>3 2-2:2"}},
		{"a.mtx", mtx + "real symmetric\n3 3 2\n2 1 0.5\n3 3 2\n", true, true, 3,
			[]string{"2>1 1-0:0.5 0-1:0.5", "3>3 2-2:2"}},
		{"a.mtx.gz", gzipped(mtx + "pattern general\n2 2 0\n"), true, false, 2, []string{}},
		{"a.graph", "% c\n3 2\n2\n% c\n1 3\n2", false, false, 3, []string{"1>2 0-1:1", "2>3 1-2:1"}},
		{"a.graph", "4 2 001\n3 5\n\n4 6 1 5\n3 6\n", false, true, 4, []string{"1>3 0-2:5", "3>4 2-3:6"}},
		{"a.graph", "2 1 111 2\n9 8 7 2 5\n9 8 7 1 5\n\n", false, true, 2, []string{"1>2 0-1:5"}},
		{"a.graph.gz", gzipped("3 0\n\n\n\n"), false, false, 3, []string{}},
		{"a.graph", "3 2 1\n3 1 2 2\n1 2\n1 1\n", false, true, 3, []string{"1>3 0-2:1", "1>2 0-1:2"}},
		{"a.mtx", "", false, false, 0, []string{}},
		{"a.graph", "", false, false, 0, []string{}},
	} {
		o := export.Undirected
		if c.directed {
			o = export.Natural
		}
		s := load(t, writeTemp(t, c.name, c.content), projection(o, c.weighted))
		if diff := cmp.Diff(c.want, inputRows(s)); diff != "" || s.Graph.N() != c.nodes {
			t.Errorf("%s %.60q: n = %d (want %d), rows (-want +got):\n%s", c.name, c.content, s.Graph.N(), c.nodes, diff)
		}
		if s.Graph.Directed != c.directed && c.nodes > 0 {
			t.Errorf("%s: directed %t", c.name, s.Graph.Directed)
		}
	}
}

func TestMoreNodesThanMemory(t *testing.T) {
	if err := checkMemory("a.mtx", 1000, 64000); err != nil {
		t.Error(err)
	}
	err := checkMemory("a.mtx", export.MaxNodes, 1<<30)
	if want :=
		"a.mtx: 2147483647 nodes take 131071 MiB, and 1024 MiB are free"; connector.KindOf(err) != connector.TooLarge ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSkippedWeights(t *testing.T) {
	p := projection(export.Undirected, true)
	p.Weights = export.WeightPolicy{Zero: "skip", Invalid: "skip"}
	for name, content := range map[string]string{
		"a.csv": "src,dst,weight\na,b,0\nb,c,-1\nc,d,2\n", "a.graph": "4 3 1\n2 0\n1 0 3 -1\n2 -1 4 2\n3 2\n",
	} {
		s := load(t, writeTemp(t, name, content), p)
		if s.Graph.N() != 4 || s.Graph.M() != 1 || s.Dropped != (export.Dropped{ZeroWeight: 1, BadWeight: 1}) {
			t.Errorf("%s: n = %d, m = %d, dropped %+v", name, s.Graph.N(), s.Graph.M(), s.Dropped)
		}
	}
}

func TestSnapshotSource(t *testing.T) {
	s := load(t, writeTemp(t, "a.csv", "src,dst,weight\na,b,2\nb,c,3\n"), projection(export.Natural, true))
	path := filepath.Join(t.TempDir(), "a.arrow")
	if err := export.WriteSnapshot(path, s); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(r *connector.Relationship)
		want   string
	}{
		{func(r *connector.Relationship) {}, ""},
		{func(r *connector.Relationship) { r.Orientation = "" }, ""},
		{func(r *connector.Relationship) { r.Weight = "" }, ""},
		{func(r *connector.Relationship) { r.Orientation = export.Undirected }, "the snapshot is directed"},
		{func(r *connector.Relationship) { r.Orientation = export.Reverse }, "a snapshot keeps the orientation"},
		{func(r *connector.Relationship) { r.Parallel = export.Min }, "the parallel rule of a snapshot"},
	} {
		p, src := projection(export.Natural, true), &Source{Path: path}
		c.change(&p.Relationships[0])
		got, err := src.Export(context.Background(), p, nil)
		switch {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v, want %q", p.Relationships[0], err, c.want)
		case c.want == "" && err != nil:
			t.Error(err)
		case c.want == "" && (got.Graph.Weights == nil) != (p.Relationships[0].Weight == ""):
			t.Errorf("%+v: weights %v", p.Relationships[0], got.Graph.Weights)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAnyTextSurvives writes ids with the sink and reads them back with the source.
func TestAnyTextSurvives(t *testing.T) {
	dir := t.TempDir()
	alphabet := []rune("ab ,\"\n\r\t;#é東\ufeff'\\0-")
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringOfN(rapid.SampledFrom(alphabet), 1, 6, -1)
		ids := rapid.SliceOfNDistinct(id, 1, 6, rapid.ID[string]).Draw(t, "ids")
		b := export.NewBuilder(export.Group{Orientation: export.Natural, Parallel: export.Keep})
		block := export.Rels{}
		for i := range ids {
			u, _ := b.Intern(ids[i])
			v, _ := b.Intern(ids[(i+1)%len(ids)])
			block.Source, block.Target = append(block.Source, u), append(block.Target, v)
		}
		if err := b.AddRelationships(block); err != nil {
			t.Fatal(err)
		}
		s, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		sink := &Sink{Relationships: filepath.Join(dir, "ids.csv")}
		values := rapid.SliceOfN(rapid.Float64Range(1e-300, math.MaxFloat64), len(ids), len(ids)).Draw(t, "values")
		column := connector.Column{On: connector.OnRelationships, Property: "weight", Values: values}
		if _, err := sink.Write(context.Background(), s, []connector.Column{column}, connector.WriteOptions{},
			nil); err != nil {
			t.Fatal(err)
		}
		back, err := (&Source{Path: sink.Relationships}).Export(context.Background(), projection(export.Natural, true), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for v, name := range back.Nodes.Texts {
			got[name] = back.Graph.Weights[back.Graph.Offsets[v]]
		}
		for v, name := range s.Nodes.Texts {
			if want := values[v]; got[name] != want || !slices.Equal(back.Nodes.Texts, s.Nodes.Texts) {
				t.Fatalf("%q: %v, want %v", name, got[name], want)
			}
		}
	})
}

func TestParquet(t *testing.T) {
	const rows = frameRows + 3 // two row groups
	in := "src,dst\n" + strings.Repeat("a,b\n", rows)
	s := load(t, writeTemp(t, "a.csv", in), projection(export.Natural, false))
	out := filepath.Join(t.TempDir(), "out.parquet")
	_, err := (&Sink{Relationships: out}).Write(context.Background(), s,
		[]connector.Column{{On: connector.OnRelationships, Property: "score",
			Values: rowNumbers(s)}}, connector.WriteOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := file.OpenParquetFile(out, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	if r.NumRows() != rows || r.NumRowGroups() != 2 {
		t.Fatalf("%d rows in %d groups", r.NumRows(), r.NumRowGroups())
	}
	column, err := r.RowGroup(1).Column(2)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, 3)
	if _, _, err := column.(*file.Float64ColumnChunkReader).ReadBatch(3, values, nil, nil); err != nil ||
		!slices.Equal(values, []float64{rows - 2, rows - 1, rows}) {
		t.Errorf("last scores %v, %v", values, err)
	}
}

func TestWriteGraph(t *testing.T) {
	dir := t.TempDir()
	for in, weighted := range map[string]bool{"src,dst,weight\nb,a,0.5\n\"c,c\",b,2\na,b,1e-07\n": true,
		"src,dst\nb,a\na,a\n": false} {
		s := load(t, writeTemp(t, "in.csv", in), projection(export.Undirected, weighted))
		csv, arrow := filepath.Join(dir, "out.csv"), filepath.Join(dir, "out.arrow")
		for _, path := range []string{csv, arrow} {
			if err := WriteGraph(context.Background(), path, s, nil); err != nil {
				t.Fatal(err)
			}
			if again := load(t, path, projection(export.Undirected, weighted)); again.Digest() != s.Digest() {
				t.Errorf("%s: another graph is read back", path)
			}
		}
		if got := readAll(t, csv); got != in {
			t.Errorf("wrote %q, want %q", got, in)
		}
	}
}

func TestSinkErrorsLeaveNothingBehind(t *testing.T) {
	s := load(t, writeTemp(t, "a.csv", "src,dst\n"+strings.Repeat("a,b\n", 20000)), projection(export.Natural, false))
	columns := []connector.Column{
		{On: connector.OnNodes, Property: "score", Values: []float64{1, 2}},
		{On: connector.OnRelationships, Property: "score", Values: rowNumbers(s)},
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		sink *Sink
		want string
	}{
		{&Sink{Nodes: at("n.csv")}, "no file to write"},
		{&Sink{Nodes: at("n.csv"), Relationships: at("e.xlsx")}, "no format that linchpin writes"},
		{&Sink{Nodes: at("n.csv"), Relationships: at("no/folder/e.csv")}, "no such file or directory"},
		{&Sink{Nodes: at("n.csv"), Relationships: at("./n.csv")}, "nodes and of relationships both"},
		{&Sink{Nodes: at("n.csv"), Relationships: dir + "/"}, "no format"},
		{&Sink{Nodes: at("n.csv"), Relationships: "/dev/full"}, "no space left"},
	} {
		_, err := c.sink.Write(context.Background(), s, columns, connector.WriteOptions{}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || connector.KindOf(err) == 0 {
			t.Errorf("%+v: %v, want %q", c.sink, err, c.want)
		}
	}
	for _, name := range []string{"e.csv", "e.csv.gz", "e.parquet"} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := (&Sink{Nodes: at("n.csv"), Relationships: at(name)}).Write(ctx, s, columns, connector.WriteOptions{},
			func(done, expected int64) {
				if expected != 20002 || done > expected {
					t.Errorf("progress %d of %d", done, expected)
				}
				if done > 2 {
					cancel()
				}
			})
		if err != context.Canceled {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files left: %v", left)
	}
}

// FuzzCSV, FuzzText, FuzzMatrix and FuzzMETIS: no input crashes a reader, and what is read is a graph.
func FuzzCSV(f *testing.F) {
	fuzzReader(f, ".csv", export.Natural, "src,dst\na,b\n", "weight,dst,src\r\n1,\"a\"\"b\",c", "src,dst\n\"",
		"\ufeffsrc,dst\n\"a\nb\",c\n", "1,2\n3,4\n", "a;b;1.5\r\nb;c;2", "from\tto\n1\t2\n", "\ufeff\"a;b\";c;1\n",
		"source,target\n", "a,b\n", "1;2,3\n", "\n\n0,1\n", ";", "\"", "to;from;weight\n;;\n")
}

func FuzzText(f *testing.F) {
	fuzzReader(f, ".txt", export.Natural, "1 2 3\n# c\n", "a\tb\n", "% x\na b 0.5\r\n")
}

func FuzzMatrix(f *testing.F) {
	fuzzReader(f, ".mtx", export.Natural,
		"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3\n", "%%MatrixMarket matrix coordinate pattern "+
			"general\n% c\n3 3 1\n1 3\n")
}

func FuzzMETIS(f *testing.F) {
	fuzzReader(f, ".graph", export.Undirected, "3 1 1\n2 4\n1 4\n\n", "2 1\n2\n1\n", "% c\n1 0\n\n")
}

func fuzzReader(f *testing.F, extension string, orientation export.Orientation, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if bytes.Contains(content, []byte("0000000")) {
			return // a header may declare many nodes
		}
		path := writeTemp(t, "in"+extension, string(content))
		for _, weighted := range []bool{false, true} {
			s, err := (&Source{Path: path}).Export(context.Background(), projection(orientation, weighted), nil)
			if err == nil {
				err = s.Validate()
			} else if connector.KindOf(err) != 0 {
				err = nil
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
