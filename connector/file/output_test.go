package file

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// described is a graph of three nodes, with details of several types.
func described(t *testing.T) *Output {
	s := load(t, writeTemp(t, "a.csv", "src,dst\na,b\nb,c\n"), projection(export.Natural, false))
	rows := map[string][]any{"a": {"x", true, int64(1), int64(1), "", nil}, "b": {nil, nil, int64(2), 0.5, int64(3), nil}}
	return &Output{
		On: connector.OnNodes, Snapshot: s, Run: "r1", Job: "j",
		Columns: []connector.Column{{On: connector.OnNodes, Property: "score", Values: []float64{0.1, 2, 1e300}},
			{On: connector.OnRelationships, Property: "other"}},
		Details: &Details{Names: []string{"text", "flag", "whole", "number", "mixed", "none"},
			Read: func(_ context.Context, ids export.IDs) ([][]any, error) {
				out := make([][]any, ids.Len())
				for i, id := range ids.Texts {
					out[i] = rows[id]
				}
				return out, nil
			}},
	}
}

func TestOutputReadByPyarrow(t *testing.T) {
	python := peerPython(t)
	const want = `[[["id","string"],["text","string"],["flag","bool"],["whole","int64"],["number","double"],["mixed","string"],` +
		`["none","string"],["score","double"]],[["a","x",true,1,1,"",null,0.1],["b",null,null,2,0.5,"3",null,2],` +
		`["c",null,null,null,null,null,null,1e300]]]`
	for _, name := range []string{"a.parquet", "a.arrow"} {
		o := described(t)
		o.Path = filepath.Join(t.TempDir(), name)
		p, err := o.Prepare(context.Background(), nil)
		if err == nil {
			err = p.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		if missing := p.Missing(); !slices.Equal(missing, []string{"none"}) {
			t.Errorf("missing %v", missing)
		}
		var got, expected any
		if err := errors.Join(json.Unmarshal(readByPyarrow(t, python, o.Path), &got),
			json.Unmarshal([]byte(want), &expected)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("%s (-want +pyarrow):\n%s", name, diff)
		}
	}
}

// TestOutputAsCSV: a missing value is an empty field, and an empty text has quotes.
func TestOutputAsCSV(t *testing.T) {
	o := described(t)
	o.Format = ".csv"
	var out bytes.Buffer
	if err := o.Stream(context.Background(), &out, nil); err != nil {
		t.Fatal(err)
	}
	const want = "id,text,flag,whole,number,mixed,none,score\na,x,true,1,1,\"\",,0.1\nb,,,2,0.5,3,,2\nc,,,,,,,1e+300\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestOutputWidens: a type that later rows do not fit makes the file begin again, and no row is lost or read with
// another type.
func TestOutputWidens(t *testing.T) {
	const rows = 2*frameRows + 5
	s := load(t, writeTemp(t, "a.csv", "src,dst\n"+strings.Repeat("a,b\n", rows)), projection(export.Natural, false))
	s.Rels.IDs = export.IDs{Ints: make([]int64, rows)}
	for i := range s.Rels.IDs.Ints {
		s.Rels.IDs.Ints[i] = int64(i)
	}
	passes := 0
	o := &Output{Path: filepath.Join(t.TempDir(), "a.parquet"), On: connector.OnRelationships, Snapshot: s,
		Details: &Details{Names: []string{"p", "q"}, Read: func(_ context.Context, ids export.IDs) ([][]any, error) {
			var out [][]any
			for _, id := range ids.Ints {
				switch {
				case id == 0:
					passes++
					out = append(out, []any{int64(7), nil})
				case id == frameRows+1:
					out = append(out, []any{0.5, "first"})
				case id == 2*frameRows+1:
					out = append(out, []any{"text", nil})
				default:
					out = append(out, nil)
				}
			}
			return out, nil
		}}}
	p, err := o.Prepare(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(filepath.Dir(o.Path)); len(left) != 1 || passes != 3 {
		t.Errorf("%d passes, files %v", passes, left)
	}
	printed := string(readByPyarrow(t, peerPython(t), o.Path))
	if strings.Count(printed, `"a", "b"`) != rows || !strings.Contains(printed, `"a", "b", "7", null`) ||
		!strings.Contains(printed, `"0.5", "first"`) {
		t.Errorf("rows are missing: %.300s", printed)
	}
}

// TestSweep removes old halves of this file and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{"a.csv", "a.csv.0123abcd.tmp", "a.csv.new.tmp",
		"b.csv.0123abcd.tmp", "a.csv.89abcdef.tmp"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(name, "89abcdef") {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	Sweep(filepath.Join(dir, "a.csv"), time.Hour)
	left, _ := os.ReadDir(dir)
	if len(left) != 4 || slices.ContainsFunc(left, func(e os.DirEntry) bool { return e.Name() == "a.csv.0123abcd.tmp" }) {
		t.Errorf("left: %v", left)
	}
}

func TestCheckPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a.csv": "", "file": "", "no/a.csv": "there is no folder", "file/a.csv": "is not a folder", ".": "it is a folder",
	} {
		err := CheckPath(filepath.Join(dir, path))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
