package report

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// renderPeers writes records into a folder and returns the page and the picture of them.
func renderPeers(t *testing.T, records ...string) (files map[string]string, err error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "peers"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(records, "\n")
	if err := os.WriteFile(filepath.Join(dir, "peers", "cpu.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	err = writePeers(dir, func(name string, data []byte) error { files[name] = string(data); return nil })
	return files, err
}

func peerLine(group, graph, program, rest string) string {
	return fmt.Sprintf(
		`{"row": "%s/%s", "group": "%s", "graph": "%s", "n": 9000, "m": 50000, "sources": 9000, "cores": 2, `+
			`"machine": "Some Processor", "commit": "abc1234", "date": "2026-01-02", "program": "%s", "version": "7", "threads": 2, %s}`,
		group, graph, group, graph, program, rest)
}

func TestPeersPage(t *testing.T) {
	files, err := renderPeers(t,
		peerLine("unreduced", "a", oursPlain, `"seconds": [1.5, 1, 2]`),
		peerLine("unreduced", "a", "igraph", `"seconds": [3, 3, 3.5]`),
		peerLine("unreduced", "a", "graph-tool", `"seconds": [6, 7, 6]`),
		peerLine("unreduced", "b", oursPlain, `"seconds": [1, 1, 1]`),
		peerLine("unreduced", "b", "igraph", `"over": 120`),
		peerLine("unreduced", "b", "graph-tool", `"seconds": [8, 8, 9]`),
		peerLine("reduced", "c", oursAuto, `"seconds": [2, 2, 2]`),
		peerLine("reduced", "c", oursPlain, `"seconds": [40, 40, 40]`),
		peerLine("reduced", "c", "igraph", `"over": 120`),
		peerLine("tiny", "d", oursAuto, `"seconds": [2, 2, 2]`),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"2 cores of Some Processor. Commit abc1234, 2026-01-02. igraph 7, graph-tool 7.",
		"Ratios: 4.00 in the geometric mean, 2.00 to 8.00.",
		"| a | 9,000 | 50,000 | 9,000 | 1.50 <sub>1.00-2.00, 2</sub> | 3.00 <sub>3.00-3.50, 2</sub> | 6.00 <sub>6.00-7.00, 2</sub> | 2.00 |",
		"| 1.00 <sub>1.00-1.00, 2</sub> | > 120 | 8.00 <sub>8.00-9.00, 2</sub> | 8.00 |",
		"| 40.0 <sub>40.0-40.0, 2</sub> | > 120 | > 60.0 | > 3.00 |",
	} {
		if !strings.Contains(files[peersPage], part) {
			t.Errorf("no %q in\n%s", part, files[peersPage])
		}
	}
	if strings.Contains(files[peersPage], "busy") || strings.Contains(files[peersPage], "| d |") {
		t.Errorf("the page has a busy machine, or rows of tests:\n%s", files[peersPage])
	}
	// From 1 to 60 on 400 points: 4 is at 220+400·ln 4/ln 60.
	for _, part := range []string{"without reductions 4.00 times.", `<rect class="mean" x="220" y="40" width="135"`,
		`x1="288" y1="48" x2="423"`} {
		if !strings.Contains(files[peersPicture], part) {
			t.Errorf("no %q in\n%s", part, files[peersPicture])
		}
	}
	if err := xml.Unmarshal([]byte(files[peersPicture]), new(struct{})); err != nil {
		t.Error(err)
	}
}

func TestPeersPageTellsOfABusyMachine(t *testing.T) {
	files, err := renderPeers(t, peerLine("unreduced", "a", oursPlain, `"busy": true, "seconds": [1]`))
	if err != nil || !strings.Contains(files[peersPage], "busy machine") {
		t.Errorf("%v\n%s", err, files[peersPage])
	}
}

func TestPeersPageRefusesRecordsWithoutTimes(t *testing.T) {
	if _, err := renderPeers(t, peerLine("unreduced", "a", oursPlain, `"seconds": []`)); err == nil {
		t.Error("a record without times has a page")
	}
	if _, err := renderPeers(t, "{"); err == nil {
		t.Error("half a record has a page")
	}
}

func TestNoPeersNoPage(t *testing.T) {
	if files, err := renderPeers(t); err != nil || len(files) > 0 {
		t.Errorf("without records: %v, %v", files, err)
	}
}
