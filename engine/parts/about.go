package parts

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/linchpin-graph/linchpin/kernels"
)

// About is what a file says of itself.
type About struct {
	// Program computed the part. Another one may round differently.
	Program Program `json:"program"`
	// Graph is the digest of the snapshot: export.Snapshot.Digest.
	Graph string `json:"graph"`
	// Job is the job of the config; "" for a graph in a file.
	Job string `json:"job,omitempty"`
	// Options is a digest of Tasks.
	Options string `json:"options"`
	Tasks   []Task `json:"tasks"`
	// Told is what this part says of each task.
	Told []Told `json:"told"`
	// The part is number Index of Of equal ranges of the work, which begin with number 0.
	Index int `json:"index"`
	Of    int `json:"of"`
	// Settings are what the program that merges needs in order to read the graph again; no score depends on them.
	Settings json.RawMessage `json:"settings,omitempty"`
}

// Program identifies a build of linchpin.
type Program struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	// Processor is the kind that it was built for: others round differently.
	Processor string `json:"processor"`
	// Digest is that of the program's file, for a build whose commit does not identify it.
	Digest string `json:"digest,omitempty"`
}

func (p Program) String() string {
	text := fmt.Sprintf("linchpin %s (commit %.12s, %s, %s", p.Version, p.Commit, p.Go, p.Processor)
	if p.Digest != "" {
		text += ", program " + p.Digest
	}
	return text + ")"
}

// Task is a computation, by all that its bits depend on.
type Task struct {
	Measure string         `json:"measure"`
	Params  kernels.Params `json:"params"`
	Nodes   bool           `json:"nodes"`
	Edges   bool           `json:"edges"`
	Scale   float64        `json:"scale"`
	// Sources is a digest of the sources; "all" for all nodes.
	Sources string `json:"sources"`
	// Pairs is a digest of kernels.Request.Pairs; "" for all.
	Pairs string `json:"pairs,omitempty"`
	By    Way    `json:"by"`
	// Reduce is kernels.Request.Reduce, as the plan of the run decided it, with MostLeft.
	Reduce string `json:"reduce"`
}

// TaskOf returns the task of a request that is computed in a way.
func TaskOf(measure string, r kernels.Request, by Way) Task {
	t := Task{
		Measure: measure, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Scale: r.Scale, Sources: "all",
		Pairs: r.Pairs.Digest(), By: by, Reduce: r.Reduce,
	}
	if t.Reduce == "" {
		t.Reduce = kernels.ReduceAuto
	}
	if r.MostLeft > 0 {
		t.Reduce += fmt.Sprintf(", if at most %v of the work is left", r.MostLeft)
	}
	if r.MostInBlocks > 0 {
		t.Reduce += fmt.Sprintf(", or %v by blocks alone", r.MostInBlocks)
	}
	if t.Scale == 0 {
		t.Scale = 1
	}
	if r.Sources != nil {
		sum := sha256.New()
		_ = binary.Write(sum, binary.LittleEndian, r.Sources) // a hash takes all
		t.Sources = fmt.Sprintf("%d, %x", len(r.Sources), sum.Sum(nil)[:8])
	}
	return t
}

// OptionsOf returns the digest of tasks.
func OptionsOf(tasks []Task) string {
	text, err := json.Marshal(tasks)
	if err != nil {
		return "" // not reached: every field marshals
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:32]
}
