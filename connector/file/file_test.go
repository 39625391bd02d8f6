package file

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// projection is the plain one: undirected or natural, parallel edges kept, with weights or without.
func projection(o export.Orientation, weighted bool) connector.Projection {
	r := connector.Relationship{Orientation: o, Parallel: export.Keep}
	if weighted {
		r.Weight = WeightColumn
	}
	return connector.Projection{Relationships: []connector.Relationship{r}}
}

// writeTemp writes a file into a folder of the test and returns its path.
func writeTemp(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// load exports a file that must be good.
func load(t testing.TB, path string, p connector.Projection) *export.Snapshot {
	t.Helper()
	src := &Source{Path: path}
	s, err := src.Export(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Graph.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

func readAll(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// rowNumbers gives every relationship the number of its row, from 1, as its score.
func rowNumbers(s *export.Snapshot) []float64 {
	out := make([]float64, s.Rels.Len())
	for i, p := range s.Rels.Positions {
		out[i] = float64(p + 1)
	}
	return out
}

func TestScoresKeepTheOrderAndTextOfTheInput(t *testing.T) {
	in := "\ufeffweight,dst,src\r\n" +
		"1,b,a\r\n" +
		"2,a,b\r\n" + // parallel once undirected, turned round
		"2.5,\"x,y\",a\r\n" +
		"3,a,a\r\n" + // a loop
		"4,\"two\r\nlines\",\"say \"\"hi\"\"\"\r\n" +
		"\r\n" +
		"5,b,a" // parallel; no line end
	s := load(t, writeTemp(t, "in.csv", in), projection(export.Undirected, true))
	if got, want := strings.Join(s.Nodes.Texts, "|"), "a|b|x,y|say \"hi\"|two\r\nlines"; got != want {
		t.Fatalf("nodes %q, want %q", got, want)
	}
	dir := t.TempDir()
	sink := &Sink{Nodes: filepath.Join(dir, "n.csv"), Relationships: filepath.Join(dir, "e.csv")}
	_, err := sink.Write(context.Background(), s, []connector.Column{
		{On: connector.OnNodes, Property: "score", Values: []float64{0, 0.1, 1e300, 1. / 3, 2}},
		{On: connector.OnRelationships, Property: "score", Values: rowNumbers(s)},
	}, connector.WriteOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantNodes := "id,score\na,0\nb,0.1\n\"x,y\",1e+300\n\"say \"\"hi\"\"\",0.3333333333333333\n\"two\r\nlines\",2\n"
	if got := readAll(t, sink.Nodes); got != wantNodes {
		t.Errorf("nodes:\n%s\nwant:\n%s", got, wantNodes)
	}
	wantEdges := "src,dst,score\na,b,1\nb,a,2\na,\"x,y\",3\na,a,4\n\"say \"\"hi\"\"\",\"two\r\nlines\",5\na,b,6\n"
	if got := readAll(t, sink.Relationships); got != wantEdges {
		t.Errorf("edges:\n%s\nwant:\n%s", got, wantEdges)
	}
}

func TestEmptyFilesGiveHeaders(t *testing.T) {
	for name, content := range map[string]string{
		"empty.csv": "", "blank.csv": "\n\n", "header.csv": "src,dst,weight\n", "empty.txt": "",
		"comments.txt": "# nothing\n",
	} {
		s := load(t, writeTemp(t, name, content), projection(export.Natural, true))
		out := filepath.Join(t.TempDir(), "out.csv")
		_, err := (&Sink{Relationships: out}).Write(context.Background(), s,
			[]connector.Column{{On: connector.OnRelationships, Property: "score",
				Values: []float64{}}}, connector.WriteOptions{}, nil)
		if got := readAll(t, out); err != nil || got != "src,dst,score\n" || s.Graph.N() != 0 {
			t.Errorf("%s: %q, %v, n = %d", name, got, err, s.Graph.N())
		}
	}
}

func BenchmarkReadCSV(b *testing.B) {
	const rows = 1 << 20
	var text strings.Builder
	text.WriteString("src,dst,weight\n")
	for i := range rows {
		fmt.Fprintf(&text, "%d,%d,%d\n", i*7919%200003, i*104729%200003, i%1000+1)
	}
	path := writeTemp(b, "in.csv", text.String())
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		load(b, path, projection(export.Undirected, true))
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
