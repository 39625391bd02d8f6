// Package config turns one strict YAML file and the environment into a checked, read-only Config.
package config

import "time"

// Config is everything that linchpin is told. It is not changed after Load.
type Config struct {
	Version int   `yaml:"version"`
	Neo4j   Neo4j `yaml:"neo4j"`
	// State is the folder for snapshots and resumable steps.
	State string `yaml:"state"`
	Jobs  []Job  `yaml:"jobs"`
}

// Neo4j says how to reach the database.
type Neo4j struct {
	URI          string `yaml:"uri"`
	Database     string `yaml:"database"`
	Username     string `yaml:"username"`
	Password     string `yaml:"password"`
	PasswordFile string `yaml:"passwordFile"`
	// Connections is the number of connections to read and write with.
	Connections int           `yaml:"connections"`
	Timeout     time.Duration `yaml:"timeout"`
}

// Job is one enrichment: a subgraph, the measures of it, and where the scores go.
type Job struct {
	Name     string    `yaml:"name"`
	Schedule string    `yaml:"schedule"`
	Timezone string    `yaml:"timezone"`
	Graph    Graph     `yaml:"graph"`
	Measures []Measure `yaml:"measures"`
	Compute  Compute   `yaml:"compute"`
	Write    Write     `yaml:"write"`
}

// Graph selects the subgraph.
type Graph struct {
	Nodes         []string       `yaml:"nodes"`
	NodeQuery     string         `yaml:"nodeQuery"`
	Relationships []Relationship `yaml:"relationships"`
	// ZeroWeights is refuse, skip, or epsilon with Epsilon set.
	ZeroWeights    string  `yaml:"zeroWeights"`
	Epsilon        float64 `yaml:"epsilon"`
	InvalidWeights string  `yaml:"invalidWeights"`
}

// Relationship selects relationships of one type.
type Relationship struct {
	Type          string   `yaml:"type"`
	Orientation   string   `yaml:"orientation"`
	Weight        string   `yaml:"weight"`
	DefaultWeight *float64 `yaml:"defaultWeight"`
	Parallel      string   `yaml:"parallel"`
}

// Measure asks for the scores of one measure. Nodes and Relationships name the properties that take them.
type Measure struct {
	Measure       string  `yaml:"measure"`
	Weighted      bool    `yaml:"weighted"`
	Nodes         string  `yaml:"nodes"`
	Relationships string  `yaml:"relationships"`
	Normalized    *bool   `yaml:"normalized"`
	Endpoints     bool    `yaml:"endpoints"`
	Variant       string  `yaml:"variant"`
	Radius        *int    `yaml:"radius"`
	Log           bool    `yaml:"log"`
	Tolerance     float64 `yaml:"tolerance"`
}

// Compute says where and how.
type Compute struct {
	Device    string `yaml:"device"`
	Strategy  string `yaml:"strategy"`
	Precision string `yaml:"precision"`
	Threads   int    `yaml:"threads"`
	// Sample is the number of sources to draw; 0 for all. Seed chooses them.
	Sample int   `yaml:"sample"`
	Seed   int64 `yaml:"seed"`
}

// Write says how scores go back.
type Write struct {
	Mode string `yaml:"mode"`
	// OnlyChanged is the relative difference under which a stored score is left alone; negative writes everything.
	OnlyChanged *float64 `yaml:"onlyChanged"`
	ClearStale  *bool    `yaml:"clearStale"`
	Batch       int      `yaml:"batch"`
}
