package export

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pyarrow prints a snapshot file as another program reads it: memory-mapped, validated, as JSON.
const pyarrow = `
import json, sys, pyarrow as pa
table = pa.ipc.open_file(pa.memory_map(sys.argv[1])).read_all()
table.validate(full=True)
print(json.dumps({
    "types": {f.name: str(f.type) for f in table.schema},
    "metadata": {k.decode(): v.decode() for k, v in table.schema.metadata.items()},
    "columns": table.to_pydict(),
}))`

func TestSnapshotFileReadByPyarrow(t *testing.T) {
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has pyarrow (make test sets it; or use -short)")
	}
	s := sample(t)
	cmd := exec.Command(python, "-c", pyarrow, writeTemp(t, s))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Types, Metadata map[string]string
		Columns         map[string]any
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	list := "large_list<item: int32 not null>"
	types := map[string]string{
		columnID: "large_string", columnTargets: list, columnWeights: "large_list<item: double not null>",
		columnRelTargets: list, columnRelEdges: list, columnRelBack: list, columnRelIDs: "large_list<item: int64 not null>",
	}
	if diff := cmp.Diff(types, got.Types); diff != "" {
		t.Errorf("types (-want +pyarrow):\n%s", diff)
	}
	metadata := map[string]string{
		keyVersion: "1", keyDirected: "true", keyEdges: "6",
		keyDropped: `{"dangling":1,"duplicates":2,"zeroWeight":3,"badWeight":4}`,
	}
	if diff := cmp.Diff(metadata, got.Metadata); diff != "" {
		t.Errorf("metadata (-want +pyarrow):\n%s", diff)
	}
	want := map[string]any{
		columnID:         s.Nodes.Texts,
		columnTargets:    rows(s.Graph.Offsets, s.Graph.Targets),
		columnWeights:    rows(s.Graph.Offsets, s.Graph.Weights),
		columnRelTargets: rows(s.Rels.Offsets, s.Rels.Targets),
		columnRelEdges:   rows(s.Rels.Offsets, s.Rels.Edges),
		columnRelBack:    rows(s.Rels.Offsets, s.Rels.Back),
		columnRelIDs:     rows(s.Rels.Offsets, s.Rels.IDs.Ints),
	}
	if diff := cmp.Diff(asJSON(t, want), asJSON(t, got.Columns)); diff != "" {
		t.Errorf("columns (-written +pyarrow):\n%s", diff)
	}
}

// rows cuts a column into its rows.
func rows[T any](offsets []int64, column []T) [][]T {
	out := [][]T{}
	for v := range len(offsets) - 1 {
		out = append(out, append([]T{}, column[offsets[v]:offsets[v+1]]...))
	}
	return out
}

func asJSON(t *testing.T, x any) string {
	t.Helper()
	b, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
