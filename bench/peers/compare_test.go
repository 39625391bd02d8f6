package peers

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// program builds a command of this repository.
func program(t *testing.T, module, command string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(command))
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-C", module, "-o", path,
		command).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// runCompare runs compare.py without the peers that have a Python of their own, and with GDS if there is a server.
func runCompare(t *testing.T, linchpin, server, out string, rows ...string) (said string, err error) {
	t.Helper()
	arguments := []string{"compare.py", "--neo4j", server, "--cache", t.TempDir(), "--out", out, "--program", linchpin,
		"--bench", program(t, "..", "./cmd/linchpin-bench")}
	script := exec.CommandContext(t.Context(), peerPython(t), append(arguments, rows...)...)
	output, err := script.CombinedOutput()
	return string(output), err
}

func TestCompareRecordsRows(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the comparison with other programs")
	}
	out := filepath.Join(t.TempDir(), "peers.jsonl")
	rows := []string{"tiny/er-60-150", "tiny/ba-80-2+real", "tiny/rmat6-4", "wiki-Vote"}
	server := program(t, "../..", "./internal/neo4jtest/neo4jserver")
	said, err := runCompare(t, program(t, "../..", "./cmd/linchpin"), server, out, rows...)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, line := range []string{"graph-tool is left out", "nx-parallel is left out", "unreduced/wiki-Vote is left out"} {
		if !strings.Contains(said, line) {
			t.Errorf("compare.py does not say %q:\n%s", line, said)
		}
	}
	measured := readMeasured(t, out)
	for row, want := range map[string][]string{
		"tiny/er-60-150":    {"linchpin", "linchpin --reduce off", "igraph", "NetworKit", "rustworkx", "NetworkX"},
		"tiny/er-60-150/16": {"linchpin", "igraph", "NetworkX"},
		"tiny/ba-80-2+real": {"linchpin", "linchpin --reduce off", "igraph", "NetworKit", "NetworkX"},
		"tiny/rmat6-4":      {"linchpin", "igraph", "NetworKit", "NetworkX", "GDS"},
	} {
		if !slices.Equal(measured[row], want) {
			t.Errorf("%s was measured by %q, want %q\n%s", row, measured[row], want, said)
		}
	}
}

// readMeasured returns the programs of each row that were timed.
func readMeasured(t *testing.T, path string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string][]string{}
	for line := range bytes.Lines(data) {
		var r struct {
			Row, Program string
			N, M         int
			Seconds      []float64
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Seconds) < 3 || slices.Min(r.Seconds) <= 0 || r.N == 0 || r.M == 0 {
			t.Errorf("no times in %s", line)
		}
		programs[r.Row] = append(programs[r.Row], r.Program)
	}
	return programs
}

// TestCompareRefusesOtherScores has a linchpin that computes another measure than it was asked for.
func TestCompareRefusesOtherScores(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the comparison with other programs")
	}
	wrong := filepath.Join(t.TempDir(), "wrong")
	script := "#!/bin/sh\n[ $1 != compute ] || set -- \"$@\" --normalized\nexec '" +
		program(t, "../..", "./cmd/linchpin") + "' \"$@\"\n"
	writeFile(t, wrong, script, 0o755)
	out := filepath.Join(t.TempDir(), "peers.jsonl")
	said, err := runCompare(t, wrong, "", out, "tiny/ba-80-2")
	if err == nil || !strings.Contains(said, "scores differ from linchpin's: igraph") {
		t.Errorf("compare.py accepts other scores: %v\n%s", err, said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("compare.py records a row whose scores differ")
	}
}
