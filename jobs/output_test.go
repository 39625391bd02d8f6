package jobs_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet/file"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// towns is path(4) with names, a second label, dates, and properties of several types.
func towns() []string {
	return append(path(4),
		"MATCH (n:V) SET n.name = 'town ' + n.i, n.size = CASE n.i WHEN 3 THEN 2.5 WHEN 0 THEN null ELSE n.i END",
		"MATCH (n:V {i: 1}) SET n:Big, n.since = date('2020-02-03'), n.name = 'a, \"b\"'",
		"MATCH ()-[r:E]->() SET r.lane = true")
}

// outputJob writes files of nodes and relationships into a new folder, in a format.
func outputJob(t *testing.T, mode, extension string) (j config.Job, nodes, relationships string) {
	t.Helper()
	j = job("files", betweenness(), config.Measure{Measure: "degree", Nodes: "degree"})
	j.Write.Mode = mode
	dir := t.TempDir()
	j.Outputs = []config.Output{
		{File: filepath.Join(dir, "{job}-{of}"+extension), Of: config.OfNodes, Properties: []config.Property{
			{Property: "name"}, {Property: "size"}, {Property: "since", As: "founded"}}},
		{File: filepath.Join(dir, "{job}-{of}"+extension), Of: config.OfRelationships,
			Properties: []config.Property{{Property: "lane"}, {Property: "name", Of: connector.TargetEnd}}},
	}
	return j, filepath.Join(dir, "files-nodes"+extension), filepath.Join(dir, "files-relationships"+extension)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withoutIDs removes the first columns of CSV, and sorts the rows.
func withoutIDs(text string, columns int) []string {
	var out []string
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fields := strings.SplitN(line, ",", columns+1)
		out = append(out, fields[columns])
		if i > 0 {
			slices.Sort(out[1:])
		}
	}
	return out
}

// TestOutputs: scores go to files with labels, types and properties, next to the database or instead of it. What is
// there and of the last run is not written again.
func TestOutputs(t *testing.T) {
	for _, mode := range []string{"inplace", "ab", "none"} {
		t.Run(mode, func(t *testing.T) {
			b := newBench(t, towns()...)
			j, nodes, relationships := outputJob(t, mode, ".csv")
			first := b.run(j, jobs.Options{})
			want := []string{"labels,name,size,founded,bc,degree", "Big;V,\"a, \"\"b\"\"\",1,2020-02-03,2,2", "V,town 0,,,0,1",
				"V,town 2,2,,2,4", "V,town 3,2.5,,0,3"}
			if diff := gocmp.Diff(want, withoutIDs(read(t, nodes), 1)); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
			rels := withoutIDs(read(t, relationships), 2)
			if rels[0] != "type,lane,target_name,ebc" || len(rels) != 6 || !strings.HasPrefix(rels[1], `E,true,"a, `) {
				t.Errorf("relationships: %q", rels)
			}
			scored := b.value("MATCH (n:V) RETURN size([k IN keys(n) WHERE k STARTS WITH 'bc']) AS k LIMIT 1")
			owned := b.value("MATCH (p:LinchpinProperty) RETURN count(p)")
			if none := mode == "none"; none != (scored == int64(0)) || none != (owned == int64(0)) {
				t.Errorf("%v scores in the database, %v properties owned", scored, owned)
			}
			if n := b.value("MATCH (r:LinchpinRun {status: 'succeeded'}) RETURN count(r)"); n != int64(1) {
				t.Errorf("%v records", n)
			}
			if r := b.run(j, jobs.Options{}); !r.Unchanged {
				t.Error("unchanged, and run again")
			}
			for what, harm := range map[string]func() error{
				"gone":     func() error { return os.Remove(nodes) },
				"replaced": func() error { return os.WriteFile(relationships, []byte("x"), 0o644) },
				"touched":  func() error { return os.Chtimes(nodes, time.Time{}, time.Now().Add(-time.Hour)) },
			} {
				if err := harm(); err != nil {
					t.Fatal(err)
				}
				if r := b.run(j, jobs.Options{}); r.Unchanged || r.Run.ID == first.Run.ID {
					t.Errorf("%s: the file was not written again", what)
				}
				if r := b.run(j, jobs.Options{}); !r.Unchanged {
					t.Errorf("%s: run again", what)
				}
			}
			j.Outputs[0].Properties = nil
			if r := b.run(j, jobs.Options{}); r.Unchanged || strings.Contains(read(t, nodes), "town") {
				t.Error("the settings of an output changed, and its file did not")
			}
			if left, _ := os.ReadDir(filepath.Dir(nodes)); len(left) != 2 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestOutputFormats reads Parquet and Arrow back: types, missing values and the run.
func TestOutputFormats(t *testing.T) {
	b := newBench(t, towns()...)
	j, nodes, _ := outputJob(t, "none", ".parquet")
	r := b.run(j, jobs.Options{})
	p, err := file.OpenParquetFile(nodes, false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if run := p.MetaData().KeyValueMetadata().FindValue("linchpin.run"); run == nil || *run != r.Run.ID ||
		p.NumRows() != 4 {
		t.Errorf("run %v, %d rows", run, p.NumRows())
	}
	got := ""
	for i := range p.MetaData().Schema.NumColumns() {
		c := p.MetaData().Schema.Column(i)
		got += fmt.Sprintf("%s %s %d; ", c.Name(), c.PhysicalType(), c.MaxDefinitionLevel())
	}
	const want = "id INT64 0; labels BYTE_ARRAY 1; name BYTE_ARRAY 1; size DOUBLE 1; founded BYTE_ARRAY 1; bc DOUBLE 0; degree DOUBLE 0; "
	if got != want {
		t.Errorf("columns %s, want %s", got, want)
	}

	j, _, relationships := outputJob(t, "none", ".arrow")
	r = b.run(j, jobs.Options{})
	f, err := os.Open(relationships)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := ipc.NewFileReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if run, _ := a.Schema().Metadata().GetValue("linchpin.run"); run != r.Run.ID {
		t.Errorf("run %q", run)
	}
	batch, err := a.RecordBatch(0)
	if err != nil || batch.NumRows() != 5 || batch.Column(3).DataType().Name() != "bool" ||
		batch.Column(2).ValueStr(0) != "E" {
		t.Errorf("%v, %v", batch, err)
	}
}

// TestOutputOnRequest: --output writes a file or a stream although nothing changed, and --no-write leaves nothing in
// the database.
func TestOutputOnRequest(t *testing.T) {
	b := newBench(t, towns()...)
	j := job("asked", betweenness())
	var stream bytes.Buffer
	ask := func(format string, to *bytes.Buffer) jobs.Options {
		return jobs.Options{NoWrite: true, Outputs: []jobs.OutputRequest{{
			Output: config.Output{Of: config.OfNodes, Properties: []config.Property{{Property: "name"}}},
			Format: format, To: to}}}
	}
	before := b.bookmark()
	b.run(j, ask(".csv", &stream))
	if got := withoutIDs(stream.String(), 1); !slices.Contains(got, "V,town 2,2") || got[0] != "labels,name,bc" {
		t.Errorf("%q", got)
	}
	var packed bytes.Buffer
	b.run(j, ask(".parquet", &packed))
	if !strings.HasPrefix(packed.String(), "PAR1") {
		t.Error("no Parquet")
	}
	if b.bookmark() != before {
		t.Error("something was written to the database")
	}
	if n := b.value("MATCH (n) WHERE NOT n:V RETURN count(n)"); n != int64(0) {
		t.Errorf("%v nodes of linchpin's own", n)
	}
	b.run(j, jobs.Options{})
	out := filepath.Join(t.TempDir(), "also.csv")
	o := jobs.Options{Outputs: []jobs.OutputRequest{{Output: config.Output{File: out, Of: config.OfNodes}}}}
	if r := b.run(j, o); r.Unchanged || !strings.Contains(read(t, out), "bc") {
		t.Error("no file: nothing had changed")
	}
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Error("a file on request made the job run")
	}
}

// TestOutputOfFailedRun: a run that is cut off, or whose files cannot be written, leaves the old files and the database
// as they were.
func TestOutputOfFailedRun(t *testing.T) {
	b := newBench(t, towns()...)
	j, nodes, relationships := outputJob(t, "ab", ".csv")
	b.run(j, jobs.Options{})
	old := read(t, nodes) + read(t, relationships)
	slot := "MATCH (j:LinchpinJob {name: 'files'}) RETURN j.run"
	before := b.value(slot)
	b.cypher("MATCH (a:V {i: 0}), (b:V {i: 3}) CREATE (a)-[:E {w: 1}]->(b)")
	for _, step := range []jobs.Step{jobs.Compute, jobs.Output, jobs.Write} {
		ctx, cancel := context.WithCancel(context.Background())
		b.notes.progress = func(s jobs.Step, done int64) {
			if s == step && (step != jobs.Write || done > 0) {
				cancel()
			}
		}
		_, err := b.runner.Run(ctx, j, jobs.Options{Wait: time.Minute})
		cancel()
		b.notes.progress = nil
		if err == nil || read(t, nodes)+read(t, relationships) != old || b.value(slot) != before {
			t.Errorf("cut off in %s: %v; files or publication changed", step, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(nodes)); len(left) != 2 {
			t.Errorf("cut off in %s: left %v", step, left)
		}
	}
	steps := len(b.notes.steps)
	j.Outputs[1].File = filepath.Join(filepath.Dir(nodes), "no", "folder.csv")
	if _, err := b.runner.Run(context.Background(), j, jobs.Options{}); err == nil ||
		!strings.Contains(err.Error(), "there is no folder ") || len(b.notes.steps) != steps {
		t.Errorf("no folder: %v after steps %v", err, b.notes.steps[steps:])
	}
	j.Outputs[1].File = "/dev/full"
	_, err := b.runner.Run(context.Background(), j, jobs.Options{})
	if err == nil || !strings.Contains(err.Error(), "no space left") || errors.Is(err, jobs.ErrUnfinished) ||
		b.value(slot) != before {
		t.Errorf("a full disk: %v", err)
	}
}

// outputsOfReader: a database that may only be read gives scores to files, without lock and record.
func outputsOfReader(t *testing.T, server *neo4jtest.Server) {
	b := benchOn(t, server, towns()...)
	if err := server.Reconfigure(t.Context(), func(o *neo4jtest.Options) { o.ReadOnly = true }); err != nil {
		t.Fatal(err)
	}
	j, nodes, _ := outputJob(t, "none", ".csv")
	r := b.run(j, jobs.Options{})
	if r.Run.Status != connector.Succeeded || !strings.Contains(read(t, nodes), "town 2") ||
		!slices.Contains(b.notes.lines, "the database may only be read: the run has neither lock nor record there") {
		t.Errorf("%+v, %q", r.Run, b.notes.lines)
	}
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Error("run again")
	}
	j.Write.Mode = "inplace"
	if _, err := b.runner.Run(context.Background(), j, jobs.Options{}); !errors.Is(err, connector.ErrMayNotWrite) {
		t.Errorf("scores: %v", err)
	}
	var to bytes.Buffer
	b.run(j, jobs.Options{NoWrite: true,
		Outputs: []jobs.OutputRequest{{Output: config.Output{Of: config.OfNodes}, Format: ".csv", To: &to}}})
	if !strings.Contains(to.String(), "labels,bc") {
		t.Errorf("%q", to.String())
	}
}

// properties are details of nodes or relationships themselves.
func properties(names ...string) []connector.Detail {
	var out []connector.Detail
	for _, name := range names {
		out = append(out, connector.Detail{Property: name})
	}
	return out
}

// TestDescribe: values of all types are plain, with integer ids and with element ids; entities that are gone are nil.
func TestDescribe(t *testing.T) {
	b := newBench(t,
		"CREATE (:C)-[:R]->(:A:B {b: true, i: 1, f: 0.5, s: '', d: datetime('2020-01-01T00:00:00Z'), l: [1, 2], p: point({x: 1, y: 2})})")
	for _, elements := range []bool{false, true} {
		db, err := neo4j.Open(t.Context(), neo4j.Options{URI: b.server.URI(), ElementIDs: elements})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close(context.Background())
		s, err := db.Export(t.Context(), connector.Projection{AllNodes: true, RelationshipQuery: connector.Query{
			Text: "MATCH (a)-->(b) RETURN a AS source, b AS target", Orientation: "natural", Parallel: "keep"},
			Weights: export.WeightPolicy{Zero: "refuse", Invalid: "refuse"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		read := func() [][]any {
			rows, err := db.Describe(t.Context(), connector.OnNodes, s.Nodes, properties("b", "i", "f", "s", "d", "l", "none"))
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(rows, func(x, y []any) int { return cmp.Compare(fmt.Sprint(x...), fmt.Sprint(y...)) })
			return rows
		}
		want := [][]any{{"A;B", true, int64(1), 0.5, "", "2020-01-01T00:00:00Z", "[1,2]", nil},
			{"C", nil, nil, nil, nil, nil, nil, nil}}
		if diff := gocmp.Diff(want, read()); diff != "" {
			t.Error(diff)
		}
		if elements {
			b.cypher("MATCH (n) DETACH DELETE n")
			if rows := read(); len(rows) != 2 || rows[0] != nil || rows[1] != nil {
				t.Errorf("gone: %v", rows)
			}
		}
	}
}
