package simulate

import (
	"errors"
	"fmt"
	"math"
)

// Measured is the record of a run in shards that was measured. Times are seconds.
type Measured struct {
	Graph    string `json:"graph"`
	N        int64  `json:"n"`
	M        int64  `json:"m"`
	Measure  string `json:"measure"`
	Weighted bool   `json:"weighted,omitempty"`
	Sources  int64  `json:"sources"`
	// How is "processes", of linchpin shard, or "devices" of one machine.
	How     string `json:"how"`
	Workers int    `json:"workers"`
	Shards  int    `json:"shards"`
	Device  string `json:"device"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
	// Wall is the time from the start of the first worker until the scores are there, Start that of a worker until it can
	// do anything.
	Wall  float64 `json:"wall"`
	Start float64 `json:"start"`
	// Prepare is the time of each worker before its first shard, Shard that of each shard, Worker who computed it.
	Prepare []float64 `json:"prepare"`
	Shard   []float64 `json:"shard"`
	Worker  []int     `json:"worker,omitempty"`
	// Join is the time to join all partial results, Finish what came after.
	Join   float64 `json:"join"`
	Finish float64 `json:"finish"`
}

// Sound returns an error where a record cannot be that of a run.
func (m Measured) Sound() error {
	switch {
	case m.Workers < 1 || m.Shards < 1 || len(m.Shard) != m.Shards || len(m.Prepare) != m.Workers:
		return fmt.Errorf("%s: %d workers, %d shards, %d times to prepare and %d times of shards",
			m.Graph, m.Workers, m.Shards, len(m.Prepare), len(m.Shard))
	case !(m.Wall > 0 && m.Start >= 0 && m.Join >= 0 && m.Finish >= 0):
		return fmt.Errorf("%s: wall %v s, start %v s, join %v s, finish %v s", m.Graph, m.Wall, m.Start, m.Join, m.Finish)
	}
	for _, x := range append(append([]float64{}, m.Prepare...), m.Shard...) {
		if !(x >= 0) {
			return fmt.Errorf("%s: a time of %v s", m.Graph, x)
		}
	}
	return nil
}

// Like returns the run of so many workers and shards that is expected after a measured one: the same work, cut
// otherwise.
func (m Measured) Like(workers, shards int) Run {
	r := Run{Coordinator: Coordinator{Join: m.Join / float64(m.Shards), Finish: m.Finish}}
	prepare, _ := moments(m.Prepare)
	for range workers {
		r.Takers = append(r.Takers, Taker{Start: m.Start, Prepare: prepare})
	}
	if shards == m.Shards {
		r.Work.Each = m.Shard
		return r
	}
	mean, deviation := moments(m.Shard)
	r.Work = Work{Shards: shards, Seconds: mean * float64(m.Shards) / float64(shards)}
	if mean > 0 {
		// A shard that is cut into k has parts that differ as the shards do; one of k shards is the mean of these.
		r.Work.Spread = deviation / mean * math.Sqrt(math.Min(1, float64(shards)/float64(m.Shards)))
	}
	return r
}

// moments are the mean and the standard deviation.
func moments(x []float64) (mean, deviation float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		deviation += (v - mean) * (v - mean) / float64(len(x))
	}
	return mean, math.Sqrt(deviation)
}

// Compared is a measured run next to its prediction.
type Compared struct {
	Measured  Measured
	Predicted float64
	// Alone is the measured time of one worker.
	Alone float64
}

// Speedup is the measured one, and the predicted one.
func (c Compared) Speedup() (measured, predicted float64) {
	return c.Alone / c.Measured.Wall, c.Alone / c.Predicted
}

// Off is how far the prediction is from the measured time, as a share of it.
func (c Compared) Off() float64 { return c.Predicted/c.Measured.Wall - 1 }

// ErrAlone is the error of records without the run of one worker that predictions are made from.
var ErrAlone = errors.New("there is no run of one worker")

// Compare predicts runs from the one of a single worker on the same graph, measure and kind of device.
func Compare(all []Measured) ([]Compared, error) {
	alone := map[string]Measured{}
	for _, m := range all {
		if err := m.Sound(); err != nil {
			return nil, err
		}
		if m.Workers == 1 {
			alone[m.key()] = m
		}
	}
	var out []Compared
	for _, m := range all {
		base, ok := alone[m.key()]
		if !ok {
			return nil, fmt.Errorf("%s, %s, %s: %w", m.Graph, m.Measure, m.Device, ErrAlone)
		}
		p, err := Predict(base.Like(m.Workers, m.Shards))
		if err != nil {
			return nil, err
		}
		out = append(out, Compared{Measured: m, Predicted: p.Wall, Alone: base.Wall})
	}
	return out, nil
}

func (m Measured) key() string {
	return fmt.Sprint(m.Graph, "|", m.N, "|", m.M, "|", m.Measure, "|", m.Weighted, "|", m.Sources, "|", m.How,
		"|", m.Device)
}
