package bench

import (
	"strings"

	"github.com/linchpin-graph/linchpin/engine/queue/simulate"
)

// Measured is the record as the simulator of the queue takes it. A run that was not cut is one shard.
func (r *ShareRecord) Measured() simulate.Measured {
	m := simulate.Measured{Prepare: []float64{r.Preprocess}, Shard: []float64{max(0, r.Seconds-r.Preprocess)},
		Wall: r.Seconds}
	if r.Times != nil {
		m = *r.Times
	}
	m.Graph, m.N, m.M, m.Measure, m.Weighted, m.Sources = r.Graph, int64(r.Nodes), int64(r.Edges), r.Measure, r.Weighted,
		int64(r.Sources)
	m.How, m.Workers, m.Shards, m.Commit, m.Date = r.By, r.Count, len(m.Shard), r.Commit, r.Date
	m.Device, _, _ = strings.Cut(r.Device, " (gpu:") // the simulator does not ask which device it was
	return m
}
