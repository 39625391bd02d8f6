package fleet

import "time"

// State is how a coordinator and its nodes stand.
type State struct {
	Nodes []Node `json:"nodes"`
	Runs  []Run  `json:"runs"`
}

// Node is a node that was there lately.
type Node struct {
	Name   string `json:"name"`
	ID     string `json:"id"`
	Device string `json:"device"`
	// Shards is how many of its shards counted, in all runs. PerSecond is how many sources of its run it does per second.
	Shards    int     `json:"shards"`
	PerSecond float64 `json:"perSecond"`
	// Run and Shard are what it computes now; "" for nothing.
	Run   string `json:"run,omitempty"`
	Shard string `json:"shard,omitempty"`
	// Joined and Seen are times of the coordinator.
	Joined time.Time `json:"joined"`
	Seen   time.Time `json:"seen"`
	// Unfit is why it cannot help with a run; "" if it can.
	Unfit string `json:"unfit,omitempty"`
}

// Run is a run that is shared out now.
type Run struct {
	Name    string `json:"name"`
	Measure string `json:"measure"`
	// Done is the share of the run that was counted, Shards in how many shards; Out is how many are with nodes.
	Done    float64   `json:"done"`
	Shards  int       `json:"shards"`
	Out     int       `json:"out"`
	Sources int       `json:"sources"`
	Started time.Time `json:"started"`
}

// Percent is Done in percent.
func (r Run) Percent() float64 { return 100 * r.Done }
