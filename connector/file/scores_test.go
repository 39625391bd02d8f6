package file

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// TestScoresComeBack writes scores in every format and reads them.
func TestScoresComeBack(t *testing.T) {
	for _, graph := range []string{"src,dst\na,b\nb,c\na,b\n", "src,dst\n7,8\n8,9\n7,8\n"} {
		s := load(t, writeTemp(t, "g.csv", graph), projection(export.Natural, false))
		columns := []connector.Column{
			{On: connector.OnNodes, Property: "bc", Values: []float64{.1, 2, math.Inf(-1)}},
			{On: connector.OnRelationships, Property: "flow", Values: []float64{1, 2, 3}},
		}
		for _, format := range formats {
			folder := t.TempDir()
			sink := Sink{Nodes: filepath.Join(folder, "n"+format), Relationships: filepath.Join(folder, "r"+format)}
			if _, err := sink.Write(t.Context(), s, columns, connector.WriteOptions{}, nil); err != nil {
				t.Fatal(err)
			}
			got := readScores(t, sink.Nodes, "")
			if got.On != connector.OnNodes || got.Property != "bc" || !cmp.Equal(got.Values, columns[0].Values) ||
				!cmp.Equal(allIDs(got.IDs), allIDs(s.Nodes)) {
				t.Errorf("%s: %+v", format, got)
			}
			got = readScores(t, sink.Relationships, "flow")
			if got.On != connector.OnRelationships || got.Property != "flow" || !cmp.Equal(got.Values, []float64{1, 3, 2}) ||
				!cmp.Equal(allIDs(got.Source), allIDs(s.Nodes.Pick(0, 1, 0))) ||
				!cmp.Equal(allIDs(got.Target), allIDs(s.Nodes.Pick(1, 2, 1))) {
				t.Errorf("%s: %+v", format, got)
			}
		}
	}
}

// TestRowsWithoutAScore: they are left out, in every format, and the others keep their ids.
func TestRowsWithoutAScore(t *testing.T) {
	score := vector{name: "bc", kind: number}
	for _, x := range []any{1.5, nil, nil, 2.5} {
		score.add(x)
	}
	columns := []vector{{name: "id", kind: integer, ints: []int64{10, 20, 30, 40}}, score}
	for _, format := range []string{".csv", ".arrow", ".parquet"} {
		path := filepath.Join(t.TempDir(), "s"+format)
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		e := newEncoder(format, out, nil)
		if err := errors.Join(e.begin(columns), e.write(4, columns), e.end(), out.Close()); err != nil {
			t.Fatal(err)
		}
		got := readScores(t, path, "")
		if got.Empty != 2 || !cmp.Equal(got.Values, []float64{1.5, 2.5}) ||
			!cmp.Equal(allIDs(got.IDs), []string{"10", "40"}) {
			t.Errorf("%s: %+v", format, got)
		}
	}
}

// allIDs are ids as texts: integers in a text file are read as integers.
func allIDs(ids export.IDs) []string {
	var out []string
	for i := range ids.Len() {
		out = append(out, ids.String(i))
	}
	return out
}

func readScores(t *testing.T, path, column string) *connector.Scores {
	t.Helper()
	got, err := ReadScores(t.Context(), path, column)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestOutputsKnowTheirGraph reads the file of a job: details next to the score, and the digest of the graph.
func TestOutputsKnowTheirGraph(t *testing.T) {
	for _, format := range formats {
		o := described(t)
		o.Path, o.Graph = filepath.Join(t.TempDir(), "a"+format), "d1"
		p, err := o.Prepare(t.Context(), nil)
		if err == nil {
			err = p.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		got := readScores(t, o.Path, "score")
		want := ""
		if !isCSV(format) {
			want = "d1"
		}
		if got.Graph != want || !cmp.Equal(got.Values, []float64{.1, 2, 1e300}) {
			t.Errorf("%s: graph %q, %v", format, got.Graph, got.Values)
		}
		if _, err := ReadScores(t.Context(), o.Path, ""); err == nil ||
			!strings.Contains(err.Error(), "7 columns may be scores") {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// TestMixedIDs are texts from the first on that is not an integer; a row without a score is left out.
func TestMixedIDs(t *testing.T) {
	got := readScores(t, writeTemp(t, "a.csv", "id;score\n1;2\n01;3\n5;\n6;-inf\n"), "")
	if !cmp.Equal(got.IDs.Texts, []string{"1", "01", "6"}) || !cmp.Equal(got.Values, []float64{2, 3, math.Inf(-1)}) {
		t.Errorf("%+v", got)
	}
}

func TestBadScores(t *testing.T) {
	for _, c := range []struct{ content, column, want string }{
		{"", "", "the file is empty"},
		{"a,b\n1,2\n", "", "neither a column id nor columns src and dst among a, b"},
		{"id\n1\n", "", "no column of scores"},
		{"id,bc,cc\n1,2,3\n", "", "2 columns may be scores: bc, cc"},
		{"id,bc,cc\n1,2,3\n", "bcc", `no column "bcc"`},
		{"id,bc\n1,high\n", "", `line 2: bc is not a number: "high"`},
		{"id,bc\n1,nan\n", "", `line 2: bc is not a number: "nan"`},
		{"id,bc\n1\n", "", "line 2: 1 fields, and 2 columns"},
	} {
		_, err := ReadScores(t.Context(), writeTemp(t, "a.csv", c.content), c.column)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.content, err, c.want)
		}
	}
	for _, name := range []string{"a.parquet", "a.arrow"} {
		if _, err := ReadScores(t.Context(), writeTemp(t, name, "id,bc\n"), ""); err == nil ||
			!strings.Contains(err.Error(), "file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
