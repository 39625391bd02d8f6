package planning

import (
	"os"
	"strings"
	"testing"
)

// TestThePage compares the tables of the page with those that are predicted now.
func TestThePage(t *testing.T) {
	const path = "../../docs/howto/planning.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tables strings.Builder
	if err := Write(&tables); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(tables.String()) {
		if !strings.Contains(string(page), line) {
			t.Errorf("%s lacks a line; linchpin-bench --planning prints the tables:\n%s", path, line)
		}
	}
}

// TestKnownRuns compares predictions with runs of bench/results: within a factor of two, and 5 % of the memory, as the
// page says.
func TestKnownRuns(t *testing.T) {
	for _, run := range known() {
		p, err := predict(run.graph, "betweenness")
		if err != nil {
			t.Fatal(err)
		}
		cost := p.scaling.Way.Cost
		if by := (cost.Prepare + cost.Search) / run.seconds; by < 0.5 || by > 2 {
			t.Errorf("%s: %.3g s are predicted, and %.3g s were measured", run.name, cost.Prepare+cost.Search, run.seconds)
		}
		if by := float64(p.scaling.Way.DeviceBytes) / run.bytes; by < 0.95 || by > 1.05 {
			t.Errorf("%s: %.3g bytes are predicted, and %.3g were measured", run.name,
				float64(p.scaling.Way.DeviceBytes), run.bytes)
		}
	}
}
