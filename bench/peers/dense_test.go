package peers

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/linchpin-graph/linchpin/bench"
)

// TestDenseGraphs: the same seed draws the same graph, another seed another. linchpin-bench reads it as it says it is.
func TestDenseGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what needs Python")
	}
	dir := t.TempDir()
	drawn := func(folder, seed string) []byte {
		said := dense(t, "draw", filepath.Join(dir, folder), seed, "er4-24", "modchain")
		if !regexp.MustCompile(`^er4-24 +4000 nodes, +25\.\d arcs per node\nmodchain `).MatchString(said) {
			t.Errorf("dense.py says\n%s", said)
		}
		text, err := os.ReadFile(filepath.Join(dir, folder, "er4-24.csv.gz"))
		if err != nil {
			t.Fatal(err)
		}
		return text[10:] // after the header of gzip, which has the time
	}
	first := drawn("first", "1")
	if !bytes.Equal(first, drawn("again", "1")) || bytes.Equal(first, drawn("other", "2")) {
		t.Error("a seed draws another graph, or another seed the same")
	}
	g, err := bench.ParseGraph("data:er4-24")
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := (&bench.Loader{Data: filepath.Join(dir, "first"), Cache: t.TempDir()}).Load(t.Context(), g)
	if err != nil || s.Graph.N() != 4000 {
		t.Errorf("er4-24: %v", err)
	}
}

// TestDenseTable: a line has the best by hand over auto.
func TestDenseTable(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what needs Python")
	}
	records := filepath.Join(t.TempDir(), "records.jsonl")
	text := ""
	for _, way := range []string{`"auto","taken":"levels","seconds":{"compute":0.002}`,
		`"work-efficient","taken":"work-efficient","seconds":{"compute":0.001}`,
		`"levels","taken":"levels","seconds":{"compute":0.0019}`} {
		text += `{"status":"ok","drawn":64,"graph":"data:er4-24","n":4000,"m":50000,"strategy":` + way + "}\n"
	}
	writeFile(t, records, text, 0o600)
	want := regexp.MustCompile(`(?m)^ +64 er4-24 +4000 +25\.0 auto +2\.000 levels +\{'work-efficient': 1\.0, 'levels': 1\.9\} 0\.500$`)
	if said := dense(t, "table", records); !want.MatchString(said) {
		t.Errorf("dense.py says\n%s", said)
	}
}

// dense runs dense.py.
func dense(t *testing.T, args ...string) string {
	t.Helper()
	script := exec.CommandContext(t.Context(), peerPython(t), append([]string{"dense.py"}, args...)...)
	output, err := script.CombinedOutput()
	if err != nil {
		t.Fatalf("dense.py: %v\n%s", err, output)
	}
	return string(output)
}
