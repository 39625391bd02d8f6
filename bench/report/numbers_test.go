package report

import (
	"math"
	"testing"

	"gonum.org/v1/plot"

	"github.com/linchpin-graph/linchpin/bench"
)

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "–", 0.000123456: "0.000123", 0.0679: "0.0679", 1.5: "1.50", 12.345: "12.3", 99.96: "100.0", 127.7: "128",
		1234567: "1,234,567", -2.5: "-2.50",
	} {
		if got := number(x); got != want {
			t.Errorf("number(%v) = %q, want %q", x, got, want)
		}
	}
	for x, want := range map[int]string{17: "17", 4039: "4039", 65536: "65.5k", 1 << 20: "1.05M", 44_400_000: "44.4M"} {
		if got := short(x); got != want {
			t.Errorf("short(%d) = %q, want %q", x, got, want)
		}
	}
	if got := times(math.Inf(1)); got != missing {
		t.Errorf("times(Inf) = %q", got)
	}
}

func TestSecondsAreScaledToTheSources(t *testing.T) {
	s := &results{records: []bench.Record{{
		Graph: "g", Nodes: 1000, Sources: 100, Strategy: "x", Status: bench.OK, Seconds: bench.Seconds{Compute: 2},
	}}}
	for sources, want := range map[int]float64{0: 20, 100: 2, 1: 0.02, 4096: 81.92} {
		if got := s.seconds(query{graph: "g", strategy: "x"}, sources); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d sources: %v s, want %v", sources, got, want)
		}
	}
	s.records[0].Status = bench.Wrong
	if got := s.seconds(query{graph: "g", strategy: "x"}, 0); got != 0 {
		t.Errorf("of a wrong strategy: %v s", got)
	}
}

func TestMedianSpeedup(t *testing.T) {
	radius := 1
	var records []bench.Record
	for i, graph := range []string{"a", "b", "c", "d"} {
		records = append(records,
			bench.Record{Graph: graph, Radius: &radius, Nodes: 10, Sources: 10, Strategy: bench.CPU, Status: bench.OK,
				Seconds: bench.Seconds{Compute: float64(2 * (i + 1))}},
			bench.Record{Graph: graph, Radius: &radius, Nodes: 10, Sources: 10, Strategy: "volume-lists", Status: bench.OK,
				Seconds: bench.Seconds{Compute: 1}})
	}
	s := &results{records: records}
	if got := medianSpeedup(s, []string{"a", "b", "c"}, "volume-lists", 1); got != 4 {
		t.Errorf("of three: %v", got)
	}
	if got := medianSpeedup(s, []string{"a", "b", "c", "d", "e"}, "volume-lists", 1); got != 5 {
		t.Errorf("of four and a missing one: %v", got)
	}
	if got := medianSpeedup(s, []string{"a"}, "volume-lists", 2); got != 0 {
		t.Errorf("of another radius: %v", got)
	}
}

func TestLogTicks(t *testing.T) {
	labels := func(low, high float64) (out []string) {
		for _, tick := range (decades{}).Ticks(low, high) {
			if tick.Label != "" {
				out = append(out, tick.Label)
			}
			if tick.Value < low*(1-1e-6) || tick.Value > high*(1+1e-6) {
				t.Errorf("tick at %v outside %v to %v", tick.Value, low, high)
			}
		}
		return out
	}
	for _, c := range []struct {
		low, high float64
		want      int
	}{{0.01, 100, 5}, {700, 1.5e6, 4}, {1e-4, 1e6, 6}} {
		if got := labels(c.low, c.high); len(got) != c.want {
			t.Errorf("%v to %v: labels %v", c.low, c.high, got)
		}
	}
	var axis plot.Axis
	wholeDecades(&axis, []float64{0, 1})
	if axis.Min != 1 || axis.Max != 10 {
		t.Errorf("one value: %v to %v", axis.Min, axis.Max)
	}
	tight(&axis, nil)
	if !(axis.Min < axis.Max) {
		t.Errorf("no value: %v to %v", axis.Min, axis.Max)
	}
}
