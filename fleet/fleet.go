// Package fleet is what a coordinator and its nodes say to each other over HTTP. The coordinator of a run hands out its
// shards. Nodes take shards, compute them, and send parts. Neither end's code is here.
//
// All requests carry the token of the service. Bodies are JSON, except for files. Times are durations: clocks of nodes are
// never used.
package fleet

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
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
	// PartPath takes the file of a part: PUT PartPath?run=R&lease=L&number=N. It is answered by an Accepted. 404 means that
	// the run is not known (yet), 410 that it is over, 422 that the file is not a part of it.
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
	// Device is what it computes with.
	Device string `json:"device"`
	// Wait is how long the coordinator may keep the request until there is a shard.
	Wait time.Duration `json:"wait"`
	// Unfit are the runs that the node cannot help with, each with the reason.
	Unfit map[string]string `json:"unfit,omitempty"`
}

// Lease is the right to compute a shard.
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
}

// Claim says which shard a request is about. Failed is why a shard is given back; "" for a node that has no time for it.
type Claim struct {
	Node    string `json:"node"`
	Run     string `json:"run"`
	Session string `json:"session"`
	Number  uint64 `json:"number"`
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
	// Reduce is kernels.Request.Reduce as the user has it. Task says what came of it.
	Reduce string     `json:"reduce,omitempty"`
	Task   parts.Task `json:"task"`
	// Graph is export.Snapshot.Digest, Snapshot the hash of the file with it, and Bytes its size.
	Graph    string `json:"graph"`
	Snapshot string `json:"snapshot"`
	Bytes    int64  `json:"bytes"`
}

// WorkOf describes a request. Task is its task on the coordinator.
func WorkOf(measure string, r kernels.Request, task parts.Task, graph string) Work {
	return Work{
		Measure: measure, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: r.Sources, Pairs: r.Pairs, Scale: r.Scale,
		Reduce: r.Reduce, Task: task, Graph: graph,
	}
}

// Request is the request that a Work describes.
func (w *Work) Request() kernels.Request {
	return kernels.Request{
		Params: w.Params, Nodes: w.Nodes, Edges: w.Edges, Sources: w.Sources, Pairs: w.Pairs, Scale: w.Scale, Reduce: w.Reduce,
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
