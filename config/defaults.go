package config

import (
	"time"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Default returns the settings that hold where neither file, environment nor flag says otherwise. Each number is
// here, with its reason, and nowhere else.
func Default() Config {
	return Config{
		Neo4j: Neo4j{
			// The driver's own default port on the machine at hand; neo4j: also works on a single server.
			URI: "neo4j://localhost:7687",
			// What the server calls its first database, and all that the Community edition has.
			Database: "neo4j",
			Username: "neo4j",
			// Reads scale to about the server's cores and writes stop gaining at 2 to 4 (measured on two cores).
			Connections: 4,
			// A batch takes seconds. Ten minutes only ends what hangs.
			Timeout: 10 * time.Minute,
			// A restart of the server takes 5 to 10 seconds, the election of a leader a few.
			Retry: 15 * time.Second,
		},
		// Beside the config file, so that two configs never share a folder by accident.
		State: ".linchpin",
		Serve: DefaultServe(),
	}
}

// DefaultServe returns how the service runs unless told otherwise.
func DefaultServe() Serve {
	return Serve{
		// Nobody else reaches loopback; 7475 is beside Neo4j's 7474.
		Listen: "127.0.0.1:7475",
		Read:   "open",
		// Half of what Kubernetes and systemd wait before they kill, or less.
		Grace: 15 * time.Second,
		// One run computes while another reads or writes.
		Running: 2, CPU: 1, GPU: 1,
		// A year of nightly runs and their skips, several times over.
		Keep: 1000,
		// Below this the order of the nodes has visibly changed.
		Drift: 0.9,
		Requests: Requests{
			Enabled: true,
			// Nobody who asks for a run minds five seconds, and no database a small query in that time.
			Every: 5 * time.Second,
			// Whoever waits for an answer has looked by then, and a week of requests is quickly looked through.
			Keep: 7 * 24 * time.Hour,
		},
	}
}

// DefaultRetry waits out a restart of the database.
func DefaultRetry() Retry { return Retry{Times: 3, Wait: 10 * time.Second, Most: 10 * time.Minute} }

// DefaultHook returns the settings of a hook that says only where.
func DefaultHook() Hook { return Hook{Timeout: 10 * time.Second} }

func (h *Hook) setDefaults() { *h = DefaultHook() }

// DefaultJob returns the settings of a job that says nothing.
func DefaultJob() Job {
	return Job{
		// No daylight-saving gaps: a job at 02:30 local time is skipped or doubled once a year.
		Timezone: "UTC",
		// A second run beside the first could only wait for its lock.
		Overlap: "skip",
		// Scores are as fresh after a night's downtime as if there had been none.
		Misfire: "once",
		When:    "always",
		Retry:   DefaultRetry(),
		Graph:   DefaultGraph(),
		Limits:  DefaultLimits(),
		Compute: DefaultCompute(),
		Write:   DefaultWrite(),
	}
}

// DefaultGraph returns the settings of a graph that says nothing: bad weights are never hidden.
func DefaultGraph() Graph {
	return Graph{
		ZeroWeights: "refuse", InvalidWeights: "refuse",
		// Databases are seldom at rest, and a few relationships more or less seldom matter.
		OnChange: "warn",
	}
}

// DefaultLimits returns the limits of a job that sets none.
func DefaultLimits() Limits {
	return Limits{
		// Without a relationship every score is 0: the types or labels are wrong, or the load before the run failed.
		MinNodes: 1, MinRelationships: 1,
		// Some bad weights hardly move a score. A tenth of the relationships is a mistake in the data.
		MaxLeftOut: 0.1,
		// Graphs seldom lose half of themselves between two runs. Failed loads do that.
		MaxShrink: 0.5,
	}
}

// DefaultRelationship returns the settings of a relationship that says only its type; they are those of GDS.
func DefaultRelationship() Relationship {
	return Relationship{Orientation: "natural", Parallel: "keep"}
}

// DefaultCompute returns exact scores, computed wherever they can be had.
func DefaultCompute() Compute {
	return Compute{
		Device: "auto", Nodes: "none", Strategy: "auto", Precision: kernels.DefaultPrecision, Reduce: "auto",
		// Any fixed number does: it makes samples the same from run to run.
		Seed: 1,
	}
}

// DefaultWrite returns how scores are written unless told otherwise.
func DefaultWrite() Write {
	// Scores agree with exact arithmetic to 1e-9 relative, so a smaller difference says nothing.
	onlyChanged := 1e-9
	// A score on a node that left the graph would be read as fresh.
	clearStale := true
	// Readers' queries take seconds. One that takes longer is rather a report, or a transaction that somebody forgot.
	const drain = time.Minute
	return Write{Mode: "inplace", OnlyChanged: &onlyChanged, ClearStale: &clearStale, Drain: drain}
}

// setDefaults is called by the decoder before it reads an element of a list.
func (j *Job) setDefaults() { *j = DefaultJob() }

func (c *Condition) setDefaults() { c.Is = "=" }

func (r *Relationship) setDefaults() { *r = DefaultRelationship() }

// setText lets a relationship be written as its type alone.
func (r *Relationship) setText(text string) string {
	r.Type = text
	return "type"
}
