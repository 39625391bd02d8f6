// Package fleet is what a coordinator and its nodes say to each other over HTTP. The coordinator of a run hands out its
// shards. Nodes take shards, compute them, and send parts. Neither end's code is here.
//
// All requests carry the token of the service. Bodies are JSON, except for files. Times are durations: clocks of nodes
// are never used.
package fleet

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Paths of requests, all below Prefix.
const (
	Prefix = "/fleet/"
	// TakePath asks for a shard: POST Hello, answered by a Lease, or by 204 where there is nothing to do.
	TakePath = Prefix + "take"
	// ExtendPath renews a lease: POST Claim. 410 means that the shard is no longer worth computing.
	ExtendPath = Prefix + "extend"
	// ReturnPath gives a shard back: POST Claim.
	ReturnPath = Prefix + "return"
	// LeavePath ends a node's part in the fleet: POST Hello.
	LeavePath = Prefix + "leave"
	// PartPath takes the file of a part: PUT PartPath?run=R&session=S&number=N&node=ID. With scores=true the file has the
	// scores of the run (engine.Outcome.Pack). It is answered by an Accepted. 404 means that the run is not known (yet),
	// 410 that it is over, 422 that the file is not a part of it.
	PartPath = Prefix + "part"
	// FilePath + hash is a file of a run, by its SHA-256. It takes range requests.
	FilePath = Prefix + "files/"
)

// Hello is what a node says of itself.
type Hello struct {
	// ID names one process of a node, Name its machine.
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Program parts.Program `json:"program"`
	// Device is the kind of its GPU; parts.CPU for a node without one.
	Device string `json:"device"`
	// OnCPU reports whether it computes shards of runs on CPUs.
	OnCPU bool `json:"onCPU"`
	// Wait is how long the coordinator may keep the request until there is a shard.
	Wait time.Duration `json:"wait"`
	// Unfit are the runs that the node cannot help with, each with the reason.
	Unfit map[string]string `json:"unfit,omitempty"`
}

// Lease is the right to compute a shard, or to make the scores of a run.
type Lease struct {
	// Run names the run: two coordinators give the same run the same name. Session is one process's go at it.
	Run     string        `json:"run"`
	Session string        `json:"session"`
	Number  uint64        `json:"number"`
	Shard   kernels.Shard `json:"shard"`
	// Lasts is how long the lease lasts from now on, unless it is extended.
	Lasts time.Duration `json:"lasts"`
	// Work is the hash of the file of the Work.
	Work string `json:"work"`
	// Way is that of the parts that are there; nil before there is one.
	Way *parts.Way `json:"way,omitempty"`
	// Joined is the hash of the file with what all shards found. The node makes scores of it, and Shard says nothing. ""
	// in the lease of a shard.
	Joined string `json:"joined,omitempty"`
}

// Claim says which lease a request is about: of a shard, or of the scores of the run. Failed is why it is given back;
// "" for a node that has no time for it.
type Claim struct {
	Node    string `json:"node"`
	Run     string `json:"run"`
	Session string `json:"session"`
	Number  uint64 `json:"number"`
	Scores  bool   `json:"scores,omitempty"`
	Failed  string `json:"failed,omitempty"`
}

// Accepted is the answer to a part. First reports whether it counted: another node may have been faster.
type Accepted struct {
	First bool `json:"first"`
}

// Problem is the body of an answer that is no success.
type Problem struct {
	Error string `json:"error"`
}

// Work is all that a node needs in order to compute shards of a run.
type Work struct {
	Measure string         `json:"measure"`
	Params  kernels.Params `json:"params"`
	Nodes   bool           `json:"nodes"`
	Edges   bool           `json:"edges"`
	Sources []int32        `json:"sources,omitempty"`
	Pairs   *kernels.Pairs `json:"pairs,omitempty"`
	Scale   float64        `json:"scale,omitempty"`
	// Reduce is kernels.Request.Reduce as the user has it. Task says what came of it, and in Task.By whether GPUs compute:
	// by Strategy and in Precision.
	Reduce    string     `json:"reduce,omitempty"`
	Task      parts.Task `json:"task"`
	Strategy  string     `json:"strategy,omitempty"`
	Precision string     `json:"precision,omitempty"`
	// Graph is export.Snapshot.Digest, Snapshot the hash of the file with it, and Bytes its size.
	Graph    string `json:"graph"`
	Snapshot string `json:"snapshot"`
	Bytes    int64  `json:"bytes"`
}

// WorkOf describes a task. Known is what the coordinator knows of it.
func WorkOf(t engine.Task, known parts.Task, graph string) Work {
	r := t.Request
	return Work{
		Measure: t.Measure, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: r.Sources, Pairs: r.Pairs,
		Scale: r.Scale, Reduce: r.Reduce, Task: known, Strategy: t.Strategy, Precision: t.Precision, Graph: graph,
	}
}

// Of returns the task that a Work describes, of a graph in a file, on a device.
func (w *Work) Of(s *export.Snapshot, path string, device engine.Policy) engine.Task {
	return engine.Task{
		Measure: w.Measure, Snapshot: s, Path: path, Device: device, Strategy: w.Strategy, Precision: w.Precision,
		Request: kernels.Request{
			Params: w.Params, Nodes: w.Nodes, Edges: w.Edges, Sources: w.Sources, Pairs: w.Pairs, Scale: w.Scale,
			Reduce: w.Reduce,
		},
	}
}

// RunName names the run of a task of a graph by all that its bits depend on.
func RunName(p parts.Program, graph string, task parts.Task) string {
	text, err := json.Marshal([]any{p, graph, task})
	if err != nil {
		return "" // not reached: every field marshals
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:32]
}

// ShardName names a shard of a run.
func ShardName(s kernels.Shard) string { return fmt.Sprintf("%d-of-%d", s.Index, s.Of) }
