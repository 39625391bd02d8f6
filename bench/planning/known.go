package planning

import (
	"fmt"
	"io"
)

// knownRun is a run that was measured, of bench/results.
type knownRun struct {
	name    string
	graph   graph
	seconds float64 // of computing
	bytes   float64 // of device memory
}

// known are runs on an H200 in single precision: of kron20 19,328 sources in whole batches, as part of all sources
// (h200-goals.jsonl), and the largest graph so far, from 8,192 drawn sources (h200-rmat24-32.json). Of that one the
// time of preparation is left out: it was made before samples went without an order of nodes.
func known() []knownRun {
	const all, whole = 1_048_576, 19_328
	large := social(511_878_851)
	large.nodes, large.drawn = 16_777_216, 8192
	large.m.Degrees.Isolated = 6_000_000
	large.m.Degrees.Squares = 2 * large.edges * 12_300
	return []knownRun{
		{"kron20, all sources", social(44_351_126), 2.224905915930176 * all / whole, 44.7e9},
		{"rmat24-32, 8,192 sources", large, 33.432551612 - 23.393877305, 133.08e9},
	}
}

// writeKnown writes predictions next to what was measured.
func writeKnown(w io.Writer) error {
	fmt.Fprintln(w, "| run | predicted | measured | memory predicted | measured |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|")
	for _, run := range known() {
		p, err := predict(run.graph, "betweenness")
		if err != nil {
			return err
		}
		cost := p.scaling.Way.Cost
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", run.name, long(cost.Prepare+cost.Search), long(run.seconds),
			gigabytes(p.scaling.Way.DeviceBytes), gigabytes(int64(run.bytes)))
	}
	return nil
}
