package serve

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/linchpin-graph/linchpin/connector"
)

// TestDownloads: the scores of a real run, with names, labels and properties, as both formats.
func TestDownloads(t *testing.T) {
	server := fill(t, 5)
	server.Query(t, "MATCH (v:V {i: 2}) SET v.name = $n, v.code = 'M'", map[string]any{"n": `the "middle", <b>`})
	f := start(t, configText(server.URI(), "token: "+token, jobText("hubs", ""))).ready()
	if status, text := f.get("/jobs/hubs/scores.csv"); status != http.StatusNotFound ||
		!strings.Contains(text, "run it first") {
		t.Errorf("before the first run: %d %s", status, text)
	}
	run := f.ended(f.press("hubs"))
	if run.Status != connector.Succeeded {
		t.Fatal(run.Error)
	}
	want := map[string][]string{
		"nodes": {"labels,name,code,bc_hubs", "V,node 0,,0", "V,node 1,,3", `V,the "middle", <b>,M,4`, "V,node 3,,3",
			"V,node 4,,0"},
		"relationships": {"type,source_name,target_name,ebc_hubs", "E,node 0,node 1,4", `E,node 1,the "middle", <b>,6`,
			`E,the "middle", <b>,node 3,6`, "E,node 3,node 4,4"},
	}
	for of, rows := range want {
		query := map[string]string{"nodes": "&properties=code,name,bc_hubs"}[of] // two of them are columns already
		status, text, header := f.send(http.MethodGet, "/jobs/hubs/scores.csv?of="+of+query, nil, bearer)
		got := withoutIDs(t, text)
		if slices.Sort(got[1:]); status != http.StatusOK ||
			!slices.Equal(got, append(rows[:1:1], slices.Sorted(slices.Values(rows[1:]))...)) {
			t.Errorf("%d: %q, want %q", status, got, rows)
		}
		if d := header.Get("Content-Disposition"); d != fmt.Sprintf(`attachment; filename="hubs-%s.csv"`, of) {
			t.Error(d)
		}
		_, text, _ = f.send(http.MethodGet, "/jobs/hubs/scores.parquet?of="+of, nil, bearer)
		p, err := file.NewParquetReader(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		if r := p.MetaData().KeyValueMetadata().FindValue("linchpin.run"); r == nil || *r != run.ID ||
			int(p.NumRows()) != len(rows)-1 {
			t.Errorf("%s: run %v, %d rows", of, r, p.NumRows())
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// withoutIDs are the rows of CSV without the columns of ids.
func withoutIDs(t *testing.T, text string) []string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		var kept []string
		for i, field := range r {
			if !slices.Contains([]string{"id", "source", "target"}, records[0][i]) {
				kept = append(kept, field)
			}
		}
		out = append(out, strings.Join(kept, ","))
	}
	return out
}
