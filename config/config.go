// Package config turns one strict YAML file and the environment into a checked, read-only Config. Everything that is
// wrong is reported at once, each mistake with its line, its key, its value and a hint.
//
// The structs in this file are the reference of the file's form: the decoder reads the names of keys and the allowed
// values from their tags, and the editor schema takes its descriptions from their comments.
package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Config is everything that linchpin is told. It is not changed after Load, which has filled in every default.
type Config struct {
	// Version of this file's format.
	Version int `yaml:"version" jsonschema:"required,enum=1"`
	// Neo4j says how to reach the database.
	Neo4j Neo4j `yaml:"neo4j" envPrefix:"NEO4J_"`
	// State is the folder for snapshots and resumable steps. A relative path starts at the folder of this file.
	State string `yaml:"state" env:"STATE" jsonschema:"minLength=1"`
	// Serve says how linchpin serve runs.
	Serve Serve `yaml:"serve" envPrefix:"SERVE_"`
	// Jobs are the enrichments, each with a name of its own.
	Jobs []Job `yaml:"jobs" env:"-" jsonschema:"required,minItems=1"`
	// Warnings are what the file may not mean as it is read. Load fills them in.
	Warnings []Warning `yaml:"-" env:"-"`
	// Broken are the jobs that a config made of Error.Rest leaves out, by name, each with its mistakes.
	Broken map[string]*Error `yaml:"-" env:"-"`
}

// Neo4j says how to reach the database.
type Neo4j struct {
	// URI of the server; its scheme is neo4j, neo4j+s, neo4j+ssc, bolt, bolt+s, bolt+ssc or
	// bolt+unix.
	URI string `yaml:"uri" env:"URI" jsonschema:"minLength=1"`
	// Database that holds the graph.
	Database string `yaml:"database" env:"DATABASE" jsonschema:"minLength=1"`
	// Username to log in with; empty for a server without authentication.
	Username string `yaml:"username" env:"USERNAME"`
	// Password to log in with. Better: passwordFile, or the environment. Load has read passwordFile into it.
	Password Password `yaml:"password" env:"PASSWORD"`
	// PasswordFile is a file that holds the password; one line break at its end is not part of it. A relative path
	// starts at the folder of this file.
	PasswordFile string `yaml:"passwordFile" env:"PASSWORD_FILE"`
	// CA is a PEM file with the certificates of authorities to trust besides those of the system, for neo4j+s and
	// bolt+s. A relative path starts at the folder of this file.
	CA string `yaml:"ca" env:"CA"`
	// Certificate is a PEM file with the client's own certificate, for servers that ask for one; it is read again for
	// every connection, so that a new one needs no restart.
	Certificate string `yaml:"certificate" env:"CERTIFICATE"`
	// Key is a PEM file with the key of Certificate, without a password.
	Key string `yaml:"key" env:"KEY"`
	// Connections is the number of connections to read and write with at the same time.
	Connections int `yaml:"connections" env:"CONNECTIONS" jsonschema:"minimum=1,maximum=64"`
	// Timeout of one database transaction, such as 30s or 10m. The server ends one that takes longer. A connection whose
	// answer is not complete by then is given up.
	Timeout time.Duration `yaml:"timeout" env:"TIMEOUT" jsonschema:"exclusiveMinimum=0"`
	// Retry is how long a transaction is tried again after a fault that passes, such as a lost connection; 0s for never.
	Retry time.Duration `yaml:"retry" env:"RETRY" jsonschema:"minimum=0"`
}

// Job is one enrichment: a subgraph, the measures of it, and where the scores go.
type Job struct {
	// Name of the job: letters, digits, dots, dashes and underscores, at most 64.
	Name string `yaml:"name" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9._-]{0\\,63}$"`
	// Schedule is a cron line, or "@daily", "@every 6h" and the like, in quotes; empty for a job that runs only when asked
	// to.
	Schedule string `yaml:"schedule"`
	// Timezone of the schedule, such as Europe/Berlin.
	Timezone string `yaml:"timezone" jsonschema:"minLength=1"`
	// Jitter delays each scheduled run by a part of this, so that many jobs do not start at once.
	Jitter time.Duration `yaml:"jitter" jsonschema:"minimum=0"`
	// Overlap says what a run that is due does while the last one still runs: skip, queue, or cancel the older one.
	Overlap string `yaml:"overlap" jsonschema:"enum=skip,enum=queue,enum=cancel"`
	// Misfire says what becomes of runs that were due while the service was down: run once, or skip them.
	Misfire string `yaml:"misfire" jsonschema:"enum=once,enum=skip"`
	// After is the name of a job: this one runs whenever that one has ended well.
	After string `yaml:"after" jsonschema:"minLength=1"`
	// When: always runs when due; changed runs only when the graph has changed, by a cheap look at the database.
	When string `yaml:"when" jsonschema:"enum=always,enum=changed"`
	// Poll is the time between two looks under "when: changed"; 0 looks only when the schedule is due.
	Poll time.Duration `yaml:"poll" jsonschema:"minimum=0"`
	// ChangeQuery is a Cypher query whose first value tells under "when: changed" whether the graph is another one;
	// without it the counts of nodes and relationships tell.
	ChangeQuery string `yaml:"changeQuery" jsonschema:"minLength=1"`
	// Timeout cancels a run that takes longer, under serve and run alike; 0 for none.
	Timeout time.Duration `yaml:"timeout" jsonschema:"minimum=0"`
	// Retry says how often a scheduled run is tried again.
	Retry Retry `yaml:"retry"`
	// Graph selects the subgraph.
	Graph Graph `yaml:"graph" jsonschema:"required"`
	// Limits are what the graph must meet. A run whose graph does not fails before it writes.
	Limits Limits `yaml:"limits"`
	// Measures to compute, with the properties that take their scores.
	Measures []Measure `yaml:"measures" jsonschema:"required,minItems=1"`
	// Distances asks how far the nodes are apart: components, diameter, mean distance and hop plot, in the record of the
	// run and on a node (:LinchpinDistances).
	Distances *Distances `yaml:"distances" json:",omitempty"`
	// Supernodes writes the hierarchy of groups as nodes of its own: one for each group, and one for each merge of two.
	Supernodes *Supernodes `yaml:"supernodes" json:",omitempty"`
	// Dendrogram keeps the order in which the groups of communities joined, in a file or as nodes of its own.
	Dendrogram *Dendrogram `yaml:"dendrogram" json:",omitempty"`
	// Compute says where and how.
	Compute Compute `yaml:"compute"`
	// Write says how scores go back.
	Write Write `yaml:"write"`
	// Outputs are files that take the scores as well, or, under "write: {mode: none}", instead of the database. A file
	// alone may be written without keys.
	Outputs []Output `yaml:"outputs" json:",omitempty"`
}

// AllLabels in Graph.Nodes selects all nodes.
const AllLabels = "*"

// Graph selects the subgraph. Exactly one of Nodes and NodeQuery is set, and one of Relationships and
// RelationshipQuery.
type Graph struct {
	// Nodes are labels: nodes that carry any of them are in the graph. "*" alone stands for all nodes.
	Nodes []string `yaml:"nodes" jsonschema:"minItems=1"`
	// NodeQuery is a Cypher query that returns the nodes, or their ids, instead of labels.
	NodeQuery string `yaml:"nodeQuery" jsonschema:"minLength=1"`
	// Where leaves out nodes that do not meet all of these conditions; it goes with nodes, not with nodeQuery.
	Where []Condition `yaml:"where" jsonschema:"minItems=1"`
	// Key is a property that every node of the graph has with a value of its own. A new node that has been given the id of
	// a deleted one then never gets its scores; without it, one of the node's relationships has to be the same as at the
	// export.
	Key string `yaml:"key" json:",omitempty" jsonschema:"minLength=1"`
	// Relationships are the relationship types that become edges. A type alone may be written without keys.
	Relationships []Relationship `yaml:"relationships" jsonschema:"minItems=1"`
	// RelationshipQuery is a Cypher query that returns the edges, instead of types: columns source, target and, if
	// wanted, weight, an edge a row or lists of edges. Its edges have no relationships to write scores on.
	RelationshipQuery string `yaml:"relationshipQuery" jsonschema:"minLength=1"`
	// Orientation of the relationshipQuery's edges: from source to target, turned round, or both ways.
	Orientation string `yaml:"orientation" jsonschema:"enum=natural,enum=reverse,enum=undirected"`
	// Parallel says what becomes of several edges of the relationshipQuery between the same two nodes.
	Parallel string `yaml:"parallel" jsonschema:"enum=keep,enum=min,enum=max,enum=sum,enum=count"`
	// ZeroWeights says what a weight of 0 does: fail the run, leave its relationship out, or weigh epsilon.
	ZeroWeights string `yaml:"zeroWeights" jsonschema:"enum=refuse,enum=skip,enum=epsilon"`
	// Epsilon is the weight that stands in for 0 under "zeroWeights: epsilon".
	Epsilon float64 `yaml:"epsilon" jsonschema:"exclusiveMinimum=0"`
	// InvalidWeights says what a weight that is missing, negative, infinite or not a number does: fail the run, or leave
	// its relationship out.
	InvalidWeights string `yaml:"invalidWeights" jsonschema:"enum=refuse,enum=skip"`
	// OnChange says what an export does when the database changed while it was read: take it, silently or with a
	// warning; read again, three times at most; or fail the run.
	OnChange string `yaml:"onChange" jsonschema:"enum=ignore,enum=warn,enum=retry,enum=fail"`
	// Caption is the node property that names nodes on the page, in summaries and in history --diff. Nodes without it
	// are named by name, title, label, code, key or id.
	Caption string `yaml:"caption" json:",omitempty" jsonschema:"minLength=1"`
	// Coordinates name the node properties that say where a node is on Earth, for the maps of page and report. Without
	// it: lat and lon, latitude and longitude, lat and lng, or a point named location, position, point or coordinates.
	Coordinates *Coordinates `yaml:"coordinates" json:",omitempty"`
}

// Distances say how distances are measured.
type Distances struct {
	// Weighted adds up the weights of relationships. Otherwise hops count.
	Weighted bool `yaml:"weighted" json:",omitempty"`
	// Sample is the number of nodes to search from, drawn by compute.seed; 0 for all. Of a sample the diameter is a lower
	// bound.
	Sample int `yaml:"sample" json:",omitempty" jsonschema:"minimum=0"`
	// File takes the distance of every pair: an array of NumPy (.npy), a row for each node that is searched from.
	File string `yaml:"file" json:",omitempty" jsonschema:"minLength=1"`
}

// Supernodes say which groups become nodes, and how these are named.
type Supernodes struct {
	// Of is the node property of a measure that finds groups, such as communities or leiden.
	Of string `yaml:"of" jsonschema:"required,minLength=1"`
	// Label of the supernodes. No other node of the database may have it.
	Label string `yaml:"label" jsonschema:"required,minLength=1"`
	// Relationship is the type of the relationships from each supernode to the one that it merged into.
	Relationship string `yaml:"relationship" jsonschema:"required,minLength=1"`
}

// Dendrogram says where the order goes in which groups join, from the last cut back to the first.
type Dendrogram struct {
	// Of is the node property of the measure communities.
	Of string `yaml:"of" jsonschema:"required,minLength=1"`
	// File takes all levels, as JSON. {job}, {run} and {date} in its name stand for what they do in outputs.
	File string `yaml:"file" json:",omitempty" jsonschema:"minLength=1"`
	// Label of a node for each group in Of, and for each merge of two. No other node of the database may have it.
	Label string `yaml:"label" json:",omitempty" jsonschema:"minLength=1"`
	// Relationship is the type of the relationships from each of these nodes to the one that it merged into.
	Relationship string `yaml:"relationship" json:",omitempty" jsonschema:"minLength=1"`
}

// Coordinates are two properties in degrees, or one spatial point.
type Coordinates struct {
	// Latitude is the property with degrees north.
	Latitude string `yaml:"latitude" json:",omitempty" jsonschema:"minLength=1"`
	// Longitude is the property with degrees east.
	Longitude string `yaml:"longitude" json:",omitempty" jsonschema:"minLength=1"`
	// Point is the property with a point in WGS 84, instead of the two.
	Point string `yaml:"point" json:",omitempty" jsonschema:"minLength=1"`
}

// Relationship selects relationships of one type.
type Relationship struct {
	// Type of the relationships.
	Type string `yaml:"type" jsonschema:"required,minLength=1"`
	// Orientation says which way the edges point: as stored, turned round, or both ways.
	Orientation string `yaml:"orientation" jsonschema:"enum=natural,enum=reverse,enum=undirected"`
	// Weight is the property that holds the weight, such as weight: miles; without it every edge weighs 1. Numbers that
	// bring nodes nearer are strengths: {property: calls, as: strength}.
	Weight Weight `yaml:"weight"`
	// Parse reads weights that are stored as text, such as "14.00", as the numbers that they show.
	Parse bool `yaml:"parse" json:",omitempty"`
	// DefaultWeight stands in where the weight property is missing.
	DefaultWeight *float64 `yaml:"defaultWeight" jsonschema:"exclusiveMinimum=0"`
	// Parallel says what becomes of several relationships between the same two nodes: each an edge, or all one edge
	// with the least, the greatest or the summed weight, or weighing as many as they are.
	Parallel string `yaml:"parallel" jsonschema:"enum=keep,enum=min,enum=max,enum=sum,enum=count"`
	// Where leaves out relationships that do not meet all of these conditions.
	Where []Condition `yaml:"where" jsonschema:"minItems=1"`
}

// Weight is a property of relationships, and what its numbers are.
type Weight struct {
	// Property is the relationship property that holds the weight.
	Property string `yaml:"property" jsonschema:"required,minLength=1"`
	// As is what the numbers are: a length, which paths add up, or a strength, whose length is 1 over it.
	As string `yaml:"as" json:",omitempty" jsonschema:"enum=length,enum=strength"`
}

// Limits guard good scores against a graph that has lost much. linchpin run --ignore-limits allows one run.
type Limits struct {
	// MinNodes is the smallest number of nodes that the graph may have.
	MinNodes int64 `yaml:"minNodes" jsonschema:"minimum=0"`
	// MinRelationships is the smallest number of relationships that the graph may have.
	MinRelationships int64 `yaml:"minRelationships" jsonschema:"minimum=0"`
	// MaxLeftOut is the largest share, from 0 to 1, of the relationships that zeroWeights and invalidWeights may leave
	// out.
	MaxLeftOut float64 `yaml:"maxLeftOut" jsonschema:"minimum=0,maximum=1"`
	// MaxShrink is the largest share, from 0 to 1, of the nodes or relationships of the last successful run that may be
	// gone.
	MaxShrink float64 `yaml:"maxShrink" jsonschema:"minimum=0,maximum=1"`
}

// Condition compares a property with a value. A missing property meets only "is: missing".
type Condition struct {
	// Property of the node or relationship.
	Property string `yaml:"property" jsonschema:"required,minLength=1"`
	// Is how the property stands to the value.
	Is string `yaml:"is" jsonschema:"enum==,enum=<>,enum=<,enum=<=,enum=>,enum=>=,enum=in,enum=starts with,enum=ends with,enum=contains,enum=present,enum=missing"`
	// Value is a text, a number, true or false; a list of these under in; none under present and missing.
	Value any `yaml:"value"`
}

// Measure asks for the scores of one measure. At least one of Nodes and Relationships is set.
type Measure struct {
	// Measure is its name.
	Measure string `yaml:"measure" jsonschema:"required,minLength=1"`
	// Nodes is the node property that takes the scores of nodes. Several jobs may write it when they share no label.
	Nodes string `yaml:"nodes" jsonschema:"minLength=1"`
	// Relationships is the relationship property that takes the scores of relationships. Several jobs may write it when
	// they share no type.
	Relationships string `yaml:"relationships" jsonschema:"minLength=1"`
	// Sources are the nodes that paths begin in: a label, labels with conditions, or a query. Without it, all nodes. For
	// pagerank and articleRank, the nodes that walks start again from.
	Sources *NodeSet `yaml:"sources" json:",omitempty"`
	// Targets are the nodes that paths end in, as in sources.
	Targets *NodeSet `yaml:"targets" json:",omitempty"`
	// Within is the greatest distance of a pair of nodes that counts: a number of hops, or a weight with a number, such as
	// {miles: 500}. Lists such as [2, 5] or {miles: [100, 500]} are several ranges: each writes properties of its own,
	// whose names end in _2 and _5.
	Within *Range `yaml:"within" json:",omitempty"`
	// Demand says how much a pair of nodes counts: the node property that its source's and its target's are the product
	// of. Without it each pair counts once. For pagerank and articleRank, the share of a source by its property, with of:
	// sources.
	Demand *Demand `yaml:"demand" json:",omitempty"`
	// Value is what the properties take: score; or bound, the greatest error of each score by a sample (compute.sample),
	// in the unit of the score. Betweenness has bounds of samples that end by themselves, harmonic and undirected
	// closeness of drawn sources.
	Value string `yaml:"value" json:",omitempty" jsonschema:"enum=score,enum=bound"`
	// Params are the options of measures, keys beside the others.
	kernels.Params
}

// Compute says where and how scores are computed.
type Compute struct {
	// Device: auto takes a GPU when there is one, gpu fails without one, gpu:1 takes the GPU of that number (linchpin
	// devices lists them), gpu:0,2 has both share a run, gpu:all every GPU; cpu never asks.
	Device string `yaml:"device" jsonschema:"pattern=^(auto|cpu|gpu(:(all|(0|[1-9][0-9]?[0-9]?)(\\x2c(0|[1-9][0-9]?[0-9]?))*))?)$"`
	// Devices are the GPUs that share a run where device is auto or gpu: all, or a list of numbers such as [0, 2].
	// Without it, a run takes one. Scores do not depend on it.
	Devices Devices `yaml:"devices" json:",omitempty"`
	// Nodes says whether the nodes of a fleet compute (linchpin node): none; any, those that are there, or this machine
	// while none is; or 2.. for at least two, which the run waits for. Measures that are not sums over source nodes are
	// computed on this machine in any case.
	Nodes string `yaml:"nodes" jsonschema:"pattern=^(none|any|[1-9][0-9]?[0-9]?[0-9]?[.][.])$"`
	// Strategy is the method of the GPU; auto chooses.
	Strategy string `yaml:"strategy" jsonschema:"minLength=1"`
	// Precision of the arithmetic; single is faster and right to 1e-5 only.
	Precision string `yaml:"precision" jsonschema:"enum=double,enum=single"`
	// Threads of the CPU; 0 for all. Scores do not depend on it.
	Threads int `yaml:"threads" jsonschema:"minimum=0"`
	// Reduce says whether undirected graphs are reduced before all nodes are searched from: auto where it pays, on
	// wherever it can be, off, or some of trees, blocks, chains and twins, separated by commas. Scores do not depend on
	// it.
	Reduce string `yaml:"reduce" jsonschema:"minLength=1"`
	// Reuse keeps what betweenness and the closeness family found on the CPU, in the state folder: in each block of an
	// undirected graph, in each component, or at each node. The next run computes only what changed. Scores have the bits
	// of a run that reuses nothing.
	Reuse bool `yaml:"reuse" json:",omitempty"`
	// Sample is the number of source nodes to draw for an estimate of the measures that are sums over source nodes; 0
	// for exact scores. Estimates of closeness, and of stress with log, are biased. Other measures are exact in any case.
	// {error: 0.01, confidence: 0.9} estimates betweenness until every score is known that well, {top: 10} until the best
	// are told from the others, {seconds: 60} for about so long.
	Sample Sample `yaml:"sample"`
	// Adaptive estimates betweenness from as many sources as each node and relationship needs: until its dependencies on
	// them sum to more than this times the number of nodes, such as 5. Then sample bounds the number of sources. 0 for
	// none.
	Adaptive float64 `yaml:"adaptive" json:",omitempty" jsonschema:"minimum=0"`
	// Seed chooses the sample, and among groups: the same seed draws the same nodes and finds the same groups.
	Seed int64 `yaml:"seed"`
}

// LeastNodes is how many nodes must be there: -1 for any number, 0 if no node computes.
func (c Compute) LeastNodes() int {
	if c.Nodes == "any" {
		return -1
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(c.Nodes, "..")) // none is 0
	return n
}

// Write says how scores go back.
type Write struct {
	// Mode of publication. inplace sets the properties directly: during a write readers see scores of two runs. ab writes
	// p__a and p__b in turn, and readers change from one to the other at once. stamp writes p, and p_run, the run that it
	// comes from; during a write readers read p__prev. linchpin jobs --cypher prints how to read ab and stamp. none writes
	// no scores to the database: they go to the job's outputs alone.
	Mode string `yaml:"mode" jsonschema:"enum=inplace,enum=ab,enum=stamp,enum=none"`
	// OnlyChanged is the relative difference under which a stored score is left alone; negative writes everything.
	// Load never leaves it nil.
	OnlyChanged *float64 `yaml:"onlyChanged"`
	// ClearStale removes the job's scores from nodes and relationships that are no longer in its graph. Load never
	// leaves it nil.
	ClearStale *bool `yaml:"clearStale"`
	// Drain is how long a run under ab or stamp waits for transactions that may still read the scores which it is about to
	// replace; then it fails, and nothing has changed.
	Drain time.Duration `yaml:"drain" jsonschema:"minimum=0"`
	// Batch is the number of nodes or relationships a transaction writes; 0 lets the writer choose.
	Batch int `yaml:"batch" jsonschema:"minimum=0,maximum=1000000"`
}
