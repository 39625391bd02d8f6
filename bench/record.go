package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// Status is how a measurement ended.
type Status string

// A strategy that disagrees with the reference is wrong and is not timed.
const (
	OK     Status = "ok"
	Wrong  Status = "wrong"
	Failed Status = "failed"
	// Unsuited is for a strategy by name that does not take the graph, or a part of its sources. It is no failure.
	Unsuited Status = "unsuited"
)

// Record is one measurement, one line of a results file.
type Record struct {
	Suite string `json:"suite"`
	Graph string `json:"graph"`
	// Nodes and Edges of the graph as the suite names it, before any reduction.
	Nodes    int    `json:"n"`
	Edges    int    `json:"m"`
	Measure  string `json:"measure"`
	Radius   *int   `json:"radius,omitempty"`
	Weighted bool   `json:"weighted"`
	// EdgeScores says that edge scores were computed as well.
	EdgeScores bool `json:"edge_scores"`
	// Bucket is the width of buckets that was asked for, as engine.Task.Bucket; 0 for the strategy's own.
	Bucket float64 `json:"bucket,omitempty"`
	// Drawn is the number of sources that were drawn at random; 0 for all, or for neighbours that stand for all.
	Drawn int `json:"drawn,omitempty"`
	// Strategy is the one asked for (cpu: the CPU, all threads; cpu-1: one thread), Taken the one that the engine took.
	Strategy  string `json:"strategy"`
	Taken     string `json:"taken,omitempty"`
	Precision string `json:"precision"`

	Status Status `json:"status"`
	// Reason says why it failed, or why the engine took what it took.
	Reason string `json:"reason,omitempty"`

	// Sources searched from, of which there can be Nodes.
	Sources int `json:"sources,omitempty"`
	// Batch is the number K of sources a batch; 0 where the strategy has none.
	Batch   int     `json:"k,omitempty"`
	Seconds Seconds `json:"seconds"`
	// Runs is how many runs the median was taken of.
	Runs int `json:"runs,omitempty"`
	// GTEPS is sources * m / seconds / 1e9; 0 for measures that do not search from sources.
	GTEPS float64 `json:"gteps,omitempty"`
	// Depth is the largest number of hops from the first of the checked sources.
	Depth int `json:"depth,omitempty"`

	// Finite says that every score was finite; CheckedError is the largest relative difference from the CPU's exact
	// scores over CheckedSources sources (0: not checked, the CPU itself).
	Finite         bool    `json:"finite"`
	CheckedError   float64 `json:"checked_error"`
	CheckedSources int     `json:"checked_sources,omitempty"`

	// Agreement is that with the scores of another measure; nil where none was asked for.
	Agreement *Agreement `json:"agreement,omitempty"`

	// Sampling is how far a sample is off; nil for other measurements.
	Sampling *Sampling `json:"sampling,omitempty"`

	// Bounded is how a sample with a bound compares with exact scores; nil for other measurements.
	Bounded *Bounded `json:"bounded,omitempty"`

	// Profile says where the time of the run went; nil where that was not asked for.
	Profile *profile.Profile `json:"profile,omitempty"`

	// PeakDevice is the most device memory taken, in bytes.
	PeakDevice int64  `json:"peak_device_bytes,omitempty"`
	Device     string `json:"device,omitempty"`
	Environment
	Date string `json:"date"`
}

// Seconds of a measurement. Compute includes preprocessing: in full for all sources, pro rata otherwise.
type Seconds struct {
	Compute    float64 `json:"compute,omitempty"`
	Preprocess float64 `json:"preprocess,omitempty"`
	// Elapsed is that of the whole run, with the way to a worker that is there and back.
	Elapsed float64 `json:"elapsed,omitempty"`
}

// Environment is what a measurement ran on and with.
type Environment struct {
	Driver string `json:"driver,omitempty"`
	// Host is the CPU and its number of threads.
	Host   string `json:"host"`
	Commit string `json:"commit"`
	// Older marks a record whose commit is not in the repository's history.
	Older   bool   `json:"older,omitempty"`
	Command string `json:"command"`
}

// key tells the measurements of one file apart; lines of one key are the same measurement made again. Each kind of
// device has files of its own.
func (r *Record) key() string {
	radius := -1
	if r.Radius != nil {
		radius = *r.Radius
	}
	share, c, asked := 0.0, 0.0, 0.0
	if r.Sampling != nil {
		share, c = r.Sampling.Share, r.Sampling.C
	}
	if r.Bounded != nil {
		asked = r.Bounded.Asked
	}
	return fmt.Sprintf("%s|%s|%s|%d|%t|%t|%s|%s|%g|%d|%g|%g|%g", r.Suite, r.Graph, r.Measure, radius,
		r.Weighted, r.EdgeScores, r.Strategy, r.Precision, r.Bucket, r.Drawn, share, c, asked)
}

// settled reports whether measuring again would find the same.
func (r *Record) settled() bool { return r.Status == OK || r.Status == Unsuited }

// ReadRecords reads a results file; of several lines of one measurement the last one counts. A file that does not exist
// has none. A last line that was cut off is left out.
func ReadRecords(path string) ([]Record, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if end := bytes.LastIndexByte(data, '\n'); end+1 < len(data) {
		data = data[:end+1]
	}
	var out []Record
	at := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		var r Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, number, err)
		}
		if i, again := at[r.key()]; again {
			out[i] = r
			continue
		}
		at[r.key()] = len(out)
		out = append(out, r)
	}
	return out, lines.Err()
}

// appendRecord adds a line, on stable storage when it returns. A line that an earlier process left unfinished is ended.
func appendRecord(path string, r *Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := cutUnfinished(f); err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// cutUnfinished moves to the end of the last whole line and cuts the file there.
func cutUnfinished(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	end := info.Size()
	last := make([]byte, 1)
	for ; end > 0; end-- {
		if _, err := f.ReadAt(last, end-1); err != nil {
			return err
		}
		if last[0] == '\n' {
			break
		}
	}
	if err := f.Truncate(end); err != nil {
		return err
	}
	_, err = f.Seek(end, 0)
	return err
}
