package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBuildsTakeTurns: builds.py runs both builds in every round, and a build that fails is an error.
func TestBuildsTakeTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what needs Python")
	}
	dir := t.TempDir()
	turns, graph := filepath.Join(dir, "turns"), filepath.Join(dir, "graph.csv")
	writeFile(t, graph, "src,dst,weight\n0,1,2\n", 0o600)
	for _, name := range []string{"old", "new", "broken"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		script := "#!/bin/sh\necho " + name + " $4 $(echo \"$*\" | grep -o -- --weighted) >> '" + turns + "'\n"
		if name == "broken" {
			script += "exit 1\n"
		}
		writeFile(t, filepath.Join(dir, name, "linchpin"), script, 0o700)
	}
	said, err := runBuilds(t, dir, "old", "new", graph)
	if err != nil || !regexp.MustCompile(`(?m)^graph.csv +betweenness .* 2 rounds$`).MatchString(said) {
		t.Errorf("builds.py says %v\n%s", err, said)
	}
	took, err := os.ReadFile(turns)
	if err != nil {
		t.Fatal(err)
	}
	weighted := func(name string) string {
		return name + " betweenness --weighted\n" + name + " closeness --weighted\n"
	}
	if want := weighted("old") + weighted("new") + weighted("new") + weighted("old"); string(took) != want {
		t.Errorf("turns were\n%swant\n%s", took, want)
	}
	if said, err := runBuilds(t, dir, "old", "broken", graph); err == nil || !strings.Contains(said, "graph.csv: ") {
		t.Errorf("a build that fails: %v\n%s", err, said)
	}
}

// runBuilds runs builds.py for two rounds, whatever the builds take.
func runBuilds(t *testing.T, dir, before, after, graph string) (said string, err error) {
	t.Helper()
	script := exec.CommandContext(t.Context(), peerPython(t), "builds.py", "cpu", filepath.Join(dir, before),
		filepath.Join(dir, after), graph, "--weighted", "--least", "2", "--rounds", "2")
	output, err := script.CombinedOutput()
	return string(output), err
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
