// Package connector says where graphs come from and where scores go. Its subpackages implement Source and Sink:
// connector/neo4j for a database, connector/file for files. connector/contract is the suite of tests that each passes.
package connector

import (
	"context"
	"encoding/json"
	"time"

	"github.com/linchpin-graph/linchpin/export"
)

// Projection says which subgraph to export.
type Projection struct {
	// Labels selects nodes that carry any of these labels; NodeQuery is a Cypher query that returns node ids instead.
	// A file takes neither: all its nodes are in.
	Labels    []string
	NodeQuery string
	// AllNodes selects all nodes, instead of Labels and NodeQuery.
	AllNodes      bool
	Relationships []Relationship
	Weights       export.WeightPolicy
	// Where leaves out nodes that do not meet all conditions; it goes with Labels.
	Where []Condition
	// RelationshipQuery is a query that returns the relationships, instead of Relationships.
	RelationshipQuery Query
	// Key is a property that every node has with a value of its own. Export reads it, and Write compares it, so that a new
	// node that has been given the id of a deleted one gets no score of it.
	Key string
	// OnChange says what an export does that noticed a change of the database while it read; "" warns.
	OnChange OnChange
	// Caption is the node property that names nodes for people; "" for none.
	Caption string
	// Coordinates are the node properties that say where nodes are, for maps.
	Coordinates Coordinates
}

// AnyLabel reports whether nodes of any label may be in the graph.
func (p Projection) AnyLabel() bool { return p.AllNodes || p.NodeQuery != "" }

// Relationship selects relationships of one type and says how they enter the graph. A file has one, of no type.
type Relationship struct {
	Type        string
	Orientation export.Orientation
	Parallel    export.Parallel
	// Weight is the property (or column) that holds the weight; empty for none.
	Weight string
	// Strength says that the weight is a strength, whose inverse is the length.
	Strength bool
	// Parse reads a weight that is text as the number that it shows.
	Parse bool
	// DefaultWeight stands in for a missing property; nil for none.
	DefaultWeight *float64
	// Where leaves out relationships that do not meet all conditions.
	Where []Condition
}

// Group returns how the relationship enters the builder.
func (r Relationship) Group() export.Group {
	return export.Group{Orientation: r.Orientation, Parallel: r.Parallel, Weighted: r.Weight != "", Strengths: r.Strength}
}

// Progress is told how much of a step is done: rows read or written so far, and how many are expected (0: not known).
// It may be nil. It is called from one goroutine at a time.
type Progress func(done, expected int64)

// Source delivers graphs.
type Source interface {
	// Export reads the subgraph. The snapshot is complete or the error is not nil. Errors carry a Kind.
	Export(ctx context.Context, p Projection, progress Progress) (*export.Snapshot, error)
}

// Estimator is a Source that knows sizes without reading everything.
type Estimator interface {
	// Estimate counts nodes and relationships; it writes nothing. It fails where an export would, as far as it looks: it
	// reads a small graph, and a part of a larger one.
	Estimate(ctx context.Context, p Projection) (Estimate, error)
}

// Estimate is what an export would deliver.
type Estimate struct {
	Nodes         int64 `json:"nodes"`
	Relationships int64 `json:"relationships"`
	// Exact is false when the numbers are extrapolated, or an upper bound; Notes says how they came about.
	Exact bool     `json:"exact"`
	Notes []string `json:"notes,omitempty"`
	// Warnings say what a run would do that its user may not expect.
	Warnings []string `json:"warnings,omitempty"`
	// Snapshot is the graph itself where it is small; else nil.
	Snapshot *export.Snapshot `json:"-"`
	// Each is how many of the relationships there are of each of the projection's.
	Each []int64 `json:"-"`
}

// Entity is what a score belongs to.
type Entity string

// Nodes and relationships carry scores.
const (
	OnNodes         Entity = "nodes"
	OnRelationships Entity = "relationships"
)

// Column is one score a node (by node index) or a relationship (by its place in Snapshot.Rels).
type Column struct {
	On Entity
	// Property is the name that the score gets.
	Property string
	// Groups says that the values are numbers of groups: equal ones belong together, and their order says nothing.
	Groups bool
	Values []float64
}

// WriteOptions say how scores are written.
type WriteOptions struct {
	// Job owns the properties; Run identifies the run. Both stand in transaction metadata.
	Job, Run string
	// Projection that the snapshot came from.
	Projection Projection
	// OnlyChanged leaves a stored score alone when it differs from the new one by at most this much, relative.
	// Negative: write everything.
	OnlyChanged float64
	// ClearStale removes the job's scores from entities that are no longer in the graph.
	ClearStale bool
	// Force takes labels and types over from another job that writes the same property, and overwrites the scores of nodes
	// that have labels of both. Whether the user has the properties is asked before, see Ownership.
	Force bool
	// Batch is the number of entities a transaction; 0 for the default.
	Batch int
	// Lease, when set, is checked within every write transaction: a lease that was lost stops the writer.
	Lease Lease
	// Mode of publication; "" is InPlace.
	Mode Mode
	// Drain is how long a write waits for transactions that may still read the scores which it is about to replace.
	Drain time.Duration
}

// WriteStats counts entities.
type WriteStats struct {
	Written   int64 `json:"written"`   // scores set, by entity
	Unchanged int64 `json:"unchanged"` // left alone
	Missing   int64 `json:"missing"`   // gone since the export
	// Refused are nodes that cannot be told to be those of the export: a new node may have the id of a deleted one.
	Refused int64 `json:"refused"`
	Cleared int64 `json:"cleared"` // stale scores removed
}

// Sink takes scores. Writing the same scores twice has the effect of writing them once.
type Sink interface {
	// Write stores the columns on the entities of the snapshot. After an error some may be stored and others not;
	// writing again mends that. Under AB and Stamp readers see them only once the run is published.
	Write(ctx context.Context, s *export.Snapshot, columns []Column, o WriteOptions, progress Progress) (WriteStats, error)
}

// Run is the record of one run of a job.
type Run struct {
	ID       string    `json:"id"`
	Job      string    `json:"job"`
	Status   RunStatus `json:"status"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
	// Step is the step that the run is in, or failed in: export, plan, compute, check, output, write.
	Step  string `json:"step"`
	Error string `json:"error,omitempty"`
	// Hint says what to do about the error.
	Hint string `json:"hint,omitempty"`
	// Config and Graph are digests of the job's settings and of the exported graph: with both as in the last success,
	// there is nothing to do.
	Config        string         `json:"config"`
	Graph         string         `json:"graph,omitempty"`
	Nodes         int64          `json:"nodes"`
	Relationships int64          `json:"relationships"`
	Edges         int64          `json:"edges"`
	Dropped       export.Dropped `json:"dropped"`
	// Warnings are what a reader of the scores should know: what was left out, changed meanwhile, or was allowed.
	Warnings []string `json:"warnings,omitempty"`
	// Exports is how often the graph was read, when more than once; Changed says what changed meanwhile.
	Exports  int64  `json:"exports,omitempty"`
	Changed  string `json:"changed,omitempty"`
	Device   string `json:"device,omitempty"`
	Strategy string `json:"strategy,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Parts is into how many shards the run was cut, Devices how many GPUs shared it; 0 for one.
	Parts   int64 `json:"shards,omitempty"`
	Devices int64 `json:"devices,omitempty"`
	// Fallback says in one word what kept the run from a GPU that it was allowed.
	Fallback string `json:"fallback,omitempty"`
	Ties     string `json:"ties,omitempty"`
	// Reductions has one for each computation that could have been reduced.
	Reductions []Reduction `json:"reductions,omitempty"`
	// Reuses has one for each computation that was to reuse what an earlier run had found.
	Reuses []Reuse `json:"reuses,omitempty"`
	// Bounds has one for each computation from a sample with a bound on its error.
	Bounds []Bound `json:"bounds,omitempty"`
	// Groupings has one for each computation of groups.
	Groupings []Grouping `json:"groupings,omitempty"`
	// Convergences has one for each computation that iterated.
	Convergences []Convergence `json:"convergences,omitempty"`
	// Pairs has one for each computation in which not all pairs of nodes count alike.
	Pairs []Pairs `json:"pairs,omitempty"`
	// Solutions has one for each computation of a flow.
	Solutions []Solution `json:"solutions,omitempty"`
	// Backbones has one for each computation of a backbone.
	Backbones []Backbone `json:"backbones,omitempty"`
	// Bundles and Simplified draw what the groups and the backbones are of.
	Bundles    []Bundles    `json:"bundles,omitempty"`
	Simplified []Simplified `json:"simplified,omitempty"`
	// Supernodes are there if the job asks for them.
	Supernodes *Supernodes `json:"supernodes,omitempty"`
	// Dendrogram is there if the job asks for it as nodes.
	Dendrogram *Dendrogram `json:"dendrogram,omitempty"`
	// Ways are the ways to compute that were ranked, of each measure the fastest that fits first.
	Ways    []Way              `json:"ways,omitempty"`
	Seconds map[string]float64 `json:"seconds"`
	Write   WriteStats         `json:"write"`
	// Outputs are the files that take the scores.
	Outputs []string `json:"outputs,omitempty"`
	// Properties are the score properties that the run wrote or began to write.
	NodeProperties         []string `json:"nodeProperties"`
	RelationshipProperties []string `json:"relationshipProperties"`
	Host                   string   `json:"host"`
	Version                string   `json:"version"`
	// Trigger says what asked for the run: schedule, misfire, after, changed, request, cypher or start; empty on the
	// command line.
	Trigger string `json:"trigger,omitempty"`
	// Request is the id of the (:LinchpinRequest) nodes that asked, under which they were taken together, and AskedBy what
	// they say of who asks.
	Request string `json:"request,omitempty"`
	AskedBy string `json:"askedBy,omitempty"`
	// Due is when the schedule wanted the run; zero under other triggers.
	Due time.Time `json:"due,omitzero"`
	// Until is the last of the Times due times that a record of status missed stands for; Due is the first.
	Until time.Time `json:"until,omitzero"`
	Times int64     `json:"times,omitempty"`
	// Attempt counts from 1; a retry has a higher one. It is 0 on the command line.
	Attempt int64 `json:"attempt,omitempty"`
	// Note says why a run was skipped or missed, or who cancelled it.
	Note string `json:"note,omitempty"`
	// Gteps is giga traversed edges a second: searches times edges by seconds of computing; 0 for measures that are no
	// sum over searches.
	Gteps float64 `json:"gteps,omitempty"`
	// ReadRate is nodes and relationships that the export read a second, WriteRate nodes and relationships that the
	// write went through a second, changed or not; SnapshotBytes is the size of the exported graph on disk.
	ReadRate      float64 `json:"readRate,omitempty"`
	WriteRate     float64 `json:"writeRate,omitempty"`
	SnapshotBytes int64   `json:"snapshotBytes,omitempty"`
	// Distances is there if the job asks for them.
	Distances *Distances `json:"distances,omitempty"`
	// Scores describes what was written, a property each, and Around is a picture of the highest nodes.
	Scores []ScoreSummary `json:"scores,omitempty"`
	Around *Picture       `json:"around,omitempty"`
}

// Bound is how sure the scores of a sample are.
type Bound struct {
	Measure string `json:"measure"`
	// Error holds for all scores at once with the probability Confidence, as a share of n(n-1) ordered pairs of nodes, or
	// of half as many in an undirected graph. Of the closeness family it is in the unit of the scores. It is 0 for exact
	// scores.
	Error      float64 `json:"error"`
	Confidence float64 `json:"confidence"`
	// Pairs is how many pairs of nodes were drawn, Sources how many sources were searched.
	Pairs   int64 `json:"pairs,omitempty"`
	Sources int64 `json:"sources,omitempty"`
	// Exact is true if exact scores were computed instead of a sample.
	Exact bool `json:"exact,omitempty"`
}

// Grouping is what a computation of groups found.
type Grouping struct {
	Measure string `json:"measure"`
	Groups  int64  `json:"groups"`
	// Components is the number of components of the graph, the fewest groups that there can be.
	Components int64   `json:"components"`
	Modularity float64 `json:"modularity"`
	// Cuts is the number of edges that were cut, and Merges how many joins of groups put the components together again.
	Cuts   int64 `json:"cuts"`
	Merges int64 `json:"merges"`
	// Limited says that the limit of time ended the cuts.
	Limited bool `json:"limited,omitempty"`
	// Resumed is how many of the cuts an interrupted run had made.
	Resumed int64 `json:"resumed,omitempty"`
	// Levels is how often groups became nodes, of measures that move nodes; Unsettled the number of nodes that label
	// propagation would have looked at next.
	Levels    int64 `json:"levels,omitempty"`
	Unsettled int64 `json:"unsettled,omitempty"`
}

// Convergence says how an iteration ended.
type Convergence struct {
	Measure    string `json:"measure"`
	Iterations int64  `json:"iterations"`
	// Residual is by how much another iteration would change a score, relative to the score.
	Residual float64 `json:"residual"`
}

// Solution says how the equations of a flow were solved.
type Solution struct {
	Measure string `json:"measure"`
	// Systems is the number of right-hand sides, Iterations the most that one took, and Residual the greatest relative
	// residual.
	Systems    int64   `json:"systems"`
	Iterations int64   `json:"iterations"`
	Residual   float64 `json:"residual"`
	// Drawn is how many of the right-hand sides were drawn; 0 for none. Scores then miss the exact ones by no more than
	// Error, except with the probability Delta.
	Drawn int64   `json:"drawn,omitempty"`
	Error float64 `json:"error,omitempty"`
	Delta float64 `json:"delta,omitempty"`
}

// Backbone is the part of a graph that was kept, and what that did to the graph.
type Backbone struct {
	Measure string `json:"measure"`
	// Nodes and Edges are how many were kept.
	Nodes int64 `json:"nodes"`
	Edges int64 `json:"edges"`
	// Excess is the number of edges beyond the share, because a spanning forest has so many.
	Excess int64 `json:"excess,omitempty"`
	// Before is the whole graph, After what was kept; nil where they are not known.
	Before *Shape `json:"before,omitempty"`
	After  *Shape `json:"after,omitempty"`
	// Sources is the number of nodes from which the distances before were found; Sampled says that these are not all
	// nodes.
	Sources int64 `json:"sources,omitempty"`
	Sampled bool  `json:"sampled,omitempty"`
	// Rank is the rank correlation of the betweenness of the kept nodes before and after; nil if all have the same.
	Rank *float64 `json:"rank,omitempty"`
}

// Shape says how a graph hangs together.
type Shape struct {
	Components       int64   `json:"components"`
	LargestComponent int64   `json:"largestComponent"`
	Mean             float64 `json:"mean"`
	Diameter         float64 `json:"diameter"`
}

// Way is one way to compute a measure, with what it was predicted to take.
type Way struct {
	Measure string `json:"measure"`
	// Device is cpu or gpu.
	Device string `json:"device"`
	Engine string `json:"engine"`
	// Reductions are the names of those that come first.
	Reductions []string `json:"reductions,omitempty"`
	Seconds    float64  `json:"seconds"`
	// HostBytes and DeviceBytes are of memory, in addition to the graph.
	HostBytes   int64 `json:"hostBytes"`
	DeviceBytes int64 `json:"deviceBytes,omitempty"`
	// Parts is into how many shards the run is cut, Devices how many GPUs share it; 0 for one.
	Parts   int `json:"shards,omitempty"`
	Devices int `json:"devices,omitempty"`
	// Reason is one line on all of it; Misfit says why it does not fit the memory, "" when it does.
	Reason string `json:"reason"`
	Misfit string `json:"misfit,omitempty"`
}

// Reduction says how a graph was made smaller before it was searched.
type Reduction struct {
	Measure string `json:"measure"`
	// Taken are the names of the reductions; empty when the graph was searched as it is.
	Taken []string `json:"taken"`
	// WorkRatio is what was left of the work; 0 when it is not known.
	WorkRatio float64 `json:"workRatio"`
	// Searched is the number of nodes that were searched from.
	Searched int64 `json:"searched"`
	// Seconds is the time of planning.
	Seconds float64 `json:"seconds"`
	// Reason is one line on what was done or why not.
	Reason string `json:"reason"`
}

// Reuse says how much of a computation an earlier run had done.
type Reuse struct {
	Measure string `json:"measure"`
	// Kind is what the graph was cut into: "block", "component" or "node"; "" where nothing could be reused.
	Kind string `json:"kind,omitempty"`
	// Blocks is how many of them were known, of Of that needed a search.
	Blocks int64 `json:"blocks"`
	Of     int64 `json:"of"`
	// Arcs and Work are the shares of what was known in the arcs of all and in the work of searching them; Largest is
	// that of the largest in the work.
	Arcs    float64 `json:"arcs"`
	Work    float64 `json:"work"`
	Largest float64 `json:"largest"`
	// Reason is one line on all of it, or why nothing could be reused.
	Reason string `json:"reason"`
}

// RunStatus is how a run stands.
type RunStatus string

// A run is running until it ends in one of the other ways. Unfinished means that writing had begun: scores of this run
// and of an earlier one stand side by side until the next run mends it.
const (
	Running    RunStatus = "running"
	Succeeded  RunStatus = "succeeded"
	Failed     RunStatus = "failed"
	Cancelled  RunStatus = "cancelled"
	Unfinished RunStatus = "unfinished"
	// Withdrawn had succeeded, and was rolled back.
	Withdrawn RunStatus = "withdrawn"
	// Waiting is due and has not come to compute: it stands in line or reads the graph. Only a run that a later due time
	// has overtaken has such a record.
	Waiting RunStatus = "waiting"
	// Skipped did not run, for a reason; Missed stands for due times that passed without a run, as while the service was
	// down.
	Skipped RunStatus = "skipped"
	Missed  RunStatus = "missed"
)

// SucceededWithWarnings is the state of a run that succeeded and has warnings. No record has it as its status, so that
// whoever looks for the last success finds it.
const SucceededWithWarnings = "succeeded with warnings"

// State is how people are told that the run stands: its status, or SucceededWithWarnings.
func (r Run) State() string {
	if r.Status == Succeeded && len(r.Warnings) > 0 {
		return SucceededWithWarnings
	}
	return string(r.Status)
}

// MarshalJSON adds the state to the fields of the run.
func (r Run) MarshalJSON() ([]byte, error) {
	type fields Run
	return json.Marshal(struct {
		fields
		State string `json:"state"`
	}{fields(r), r.State()})
}

// Lease is a lock held on a job, for a limited time on the server's clock.
type Lease interface {
	// Fence is a number that grows with every lease of the job.
	Fence() int64
	// Renew extends the lease; an error means that it may be lost.
	Renew(ctx context.Context) error
	// Release gives it up. Releasing a lost lease is no error.
	Release(ctx context.Context) error
}

// Ownership asks whether a job may write its score properties.
type Ownership struct {
	Job                    string
	NodeProperties         []string
	RelationshipProperties []string
	Projection             Projection
	// Mode is how the job publishes its scores.
	Mode Mode
	// Labels are those of nodes that the job makes.
	Labels []string
	// Force lets the job take over properties that are somebody else's.
	Force bool
}
