package bench

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
)

func TestRecordsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	radius := 2
	a := Record{Suite: "s", Graph: "g", Nodes: 3, Edges: 2, Measure: "volume", Radius: &radius, Strategy: "volume-lists",
		Precision: Double,
		Status:    OK, Sources: 3, Seconds: Seconds{1.5, 0.5, 2}, Runs: 3, GTEPS: 0.25, Finite: true, CheckedError: 1e-12,
		CheckedSources: 3,
		Device:         "d", Environment: Environment{Driver: "CUDA 13.0", Host: "h", Commit: "c",
			Command: "linchpin-bench"}, Date: "2026-11-21T08:00:00Z"}
	b := a
	b.Radius, b.Status, b.Reason = nil, Failed, "out-of-memory: 3 GB"
	for _, r := range []Record{a, b} {
		if err := appendRecord(path, &r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Record{a, b}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLastLineOfAMeasurementCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	for _, status := range []Status{Failed, OK} {
		for _, graph := range []string{"a", "b"} {
			if err := appendRecord(path, &Record{Graph: graph, Status: status}); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := ReadRecords(path)
	if err != nil || len(got) != 2 || got[0].Graph != "a" || got[0].Status != OK || got[1].Status != OK {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestKeyTellsMeasurementsApart(t *testing.T) {
	radius := 0
	seen := map[string]bool{}
	for _, r := range []Record{
		{}, {Suite: "x"}, {Graph: "x"}, {Measure: "x"}, {Radius: &radius}, {Weighted: true}, {EdgeScores: true},
		{Strategy: "x"}, {Precision: "x"},
	} {
		if seen[r.key()] {
			t.Errorf("%+v has the key of another", r)
		}
		seen[r.key()] = true
	}
}

func TestUnfinishedLineIsCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if err := appendRecord(path, &Record{Graph: "a"}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(path, append(append([]byte{}, whole...), whole[:cut]...), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadRecords(path); err != nil || len(got) != 1 {
			t.Fatalf("cut at %d: %v, %v", cut, got, err)
		}
		if err := appendRecord(path, &Record{Graph: "b"}); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadRecords(path); err != nil || len(got) != 2 || got[1].Graph != "b" {
			t.Fatalf("cut at %d, then appended: %v, %v", cut, got, err)
		}
	}
}

func TestBrokenLineIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(path, []byte("{}\nnonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRecords(path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v; want line 2 named", err)
	}
	if got, err := ReadRecords(filepath.Join(t.TempDir(), "none.jsonl")); err != nil || got != nil {
		t.Errorf("no file: %v, %v", got, err)
	}
}

// TestUnsuitedIsNoFailure: an engine by name may not take a graph; auto always finds a way.
func TestUnsuitedIsNoFailure(t *testing.T) {
	refused := &engine.Unavailable{Reason: protocol.NotOnGPU, Detail: "the graph is directed"}
	for _, c := range []struct {
		strategy string
		err      error
		want     Status
		settled  bool
	}{
		{kernels.Chains, refused, Unsuited, true}, {"auto", refused, Failed, false},
		{"levels", errors.New("x"), Failed, false},
	} {
		r := Record{Strategy: c.strategy}
		if r.fail(c.err); r.Status != c.want || r.settled() != c.settled || r.Reason == "" {
			t.Errorf("%s: %+v", c.strategy, r)
		}
	}
}
