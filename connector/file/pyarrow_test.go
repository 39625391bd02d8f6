package file

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

const pyarrow = `
import json, sys, pyarrow, pyarrow.feather, pyarrow.parquet as pq
path = sys.argv[1]
table = pq.read_table(path) if path.endswith(".parquet") else pyarrow.ipc.open_file(path).read_all()
assert table.num_rows == 0 or path.endswith(".parquet") or len(pyarrow.feather.read_table(path)) == table.num_rows
table.validate(full=True)
print(json.dumps([[[f.name, str(f.type)] for f in table.schema], [list(row.values()) for row in table.to_pylist()]]))`

func peerPython(t *testing.T) string {
	t.Helper()
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has pyarrow (make test sets it; or use -short)")
	}
	return python
}

// readByPyarrow returns the columns and rows that pyarrow finds in a file, as JSON.
func readByPyarrow(t *testing.T, python, path string) []byte {
	t.Helper()
	cmd := exec.Command(python, "-c", pyarrow, path)
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return printed
}

func TestParquetReadByPyarrow(t *testing.T) {
	python := peerPython(t)
	texts := load(t, writeTemp(t, "a.csv", "src,dst\nZoë,\"b\nc\"\nZoë,Zoë\n"), projection(export.Undirected, false))
	ints := load(t, writeTemp(t, "a.graph", "3 1\n\n3\n2\n"), projection(export.Undirected, false))
	for _, c := range []struct {
		s    *export.Snapshot
		on   connector.Entity
		v    []float64
		want string
	}{
		{texts, connector.OnNodes, []float64{0.1, 2}, `[[["id","string"],["score","double"]],[["Zoë",0.1],["b\nc",2]]]`},
		{texts, connector.OnRelationships, rowNumbers(texts),
			`[[["src","string"],["dst","string"],["score","double"]],[["Zoë","b\nc",1],["Zoë","Zoë",2]]]`},
		{ints, connector.OnNodes, []float64{1, 2, 1e300}, `[[["id","int64"],["score","double"]],[[1,1],[2,2],[3,1e300]]]`},
	} {
		out := filepath.Join(t.TempDir(), "out.parquet")
		sink := &Sink{Nodes: out, Relationships: out}
		column := connector.Column{On: c.on, Property: "score", Values: c.v}
		if _, err := sink.Write(context.Background(), c.s, []connector.Column{column}, connector.WriteOptions{},
			nil); err != nil {
			t.Fatal(err)
		}
		printed := readByPyarrow(t, python, out)
		var got, want any
		if err := json.Unmarshal(printed, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +pyarrow):\n%s", c.on, diff)
		}
	}
}
