package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/linchpin-graph/linchpin/bench"
	"github.com/linchpin-graph/linchpin/engine/queue/simulate"
)

// printSimulated compares the runs of a file with what is predicted for them.
func printSimulated(p *program, path string) error {
	all, err := readMeasured(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	compared, err := simulate.Compare(all)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	t := table(p.stdout)
	fmt.Fprintln(t, "graph\tmeasure\thow\tworkers\tshards\tmeasured\tpredicted\toff\tspeed-up\tpredicted\tof linear")
	for _, c := range compared {
		m := c.Measured
		measured, predicted := c.Speedup()
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%.3g s\t%.3g s\t%+.1f %%\t%.2f\t%.2f\t%.2f\n", m.Graph, m.Measure, m.How,
			m.Workers, m.Shards, m.Wall, c.Predicted, 100*c.Off(), measured, predicted, measured/float64(m.Workers))
	}
	return t.Flush()
}

// readMeasured reads records, one a line.
func readMeasured(path string) (all []simulate.Measured, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New(reason(err))
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var r bench.ShareRecord
		switch err := d.Decode(&r); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("record %d: %w", len(all)+1, err)
		}
		all = append(all, r.Measured())
	}
}
