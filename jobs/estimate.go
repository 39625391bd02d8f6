package jobs

import (
	"context"
	"runtime"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Rates that Estimate divides by, measured on two cores shared with the server. They say minutes or hours, not seconds.
const (
	exportedPerSecond   = 1_500_000 // relationships
	nodesPerSecond      = 450_000   // node scores written
	relsPerSecond       = 110_000   // relationship scores written
	arcsPerThreadSecond = 60_000_000
	heapFactor          = 4 // a weighted search costs about so many unweighted ones
)

// Estimate says what a run of a job would take.
type Estimate struct {
	Job string `json:"job"`
	connector.Estimate
	// GraphBytes is the size of the CSR buffers; ComputeBytes what the largest pass needs besides; FreeBytes what the
	// machine has free.
	GraphBytes   int64 `json:"graphBytes"`
	ComputeBytes int64 `json:"computeBytes"`
	FreeBytes    int64 `json:"freeBytes"`
	Fits         bool  `json:"fits"`
	// Sources is the number of searches of the largest pass.
	Sources int64 `json:"sources"`
	// Seconds a step, on the CPU of this machine.
	Seconds map[string]float64 `json:"seconds"`
}

// Estimate asks the source for counts and works out memory and time. It writes nothing.
func (r *Runner) Estimate(ctx context.Context, source connector.Estimator, job config.Job) (*Estimate, error) {
	counts, err := source.Estimate(ctx, Projection(job.Graph))
	if err != nil {
		return nil, err
	}
	todo, err := passes(job.Measures)
	if err != nil {
		return nil, err
	}
	free, err := r.Memory()
	if err != nil {
		return nil, err
	}
	e := &Estimate{Job: job.Name, Estimate: counts, FreeBytes: free, Seconds: map[string]float64{}}
	size := kernels.Size{Nodes: counts.Nodes, Edges: counts.Relationships, Directed: directed(job.Graph)}
	e.GraphBytes = graphBytes(job.Graph, counts)
	threads := job.Compute.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	for _, p := range todo {
		nodes, edges := p.wants()
		q := kernels.Request{Params: p.params, Nodes: nodes, Edges: edges, Threads: threads}
		e.ComputeBytes = max(e.ComputeBytes, p.measure.Bytes(size, q))
		e.Seconds["compute"] += p.seconds(job, size, threads, e)
	}
	nodes, relationships := Properties(job)
	e.Seconds["export"] = float64(counts.Relationships) / exportedPerSecond
	if len(nodes) > 0 {
		e.Seconds["write"] += float64(counts.Nodes) / nodesPerSecond
	}
	if len(relationships) > 0 {
		e.Seconds["write"] += float64(counts.Relationships) / relsPerSecond
	}
	e.Fits = e.GraphBytes+e.ComputeBytes <= e.FreeBytes
	return e, nil
}

// seconds is the time of one pass: a search of the whole graph from every source.
func (p pass) seconds(job config.Job, size kernels.Size, threads int, e *Estimate) float64 {
	if !p.measure.BySource {
		return 0
	}
	sources := size.Nodes
	if s := int64(job.Compute.Sample); s > 0 {
		sources = min(sources, s)
	}
	e.Sources = max(e.Sources, sources)
	arcs := float64(size.Edges)
	if !size.Directed {
		arcs *= 2
	}
	if p.params.Weighted {
		arcs *= heapFactor
	}
	return float64(sources) * arcs / arcsPerThreadSecond / float64(threads)
}

func directed(g config.Graph) bool {
	for _, r := range g.Relationships {
		if r.Orientation != "undirected" {
			return true
		}
	}
	return false
}

// graphBytes bounds the CSR buffers with the relationships' ids, as the builder lays them out.
func graphBytes(g config.Graph, c connector.Estimate) int64 {
	arc, rel := int64(4), int64(8+4+4)
	weighted := false
	for _, r := range g.Relationships {
		weighted = weighted || r.Weight != ""
	}
	if weighted {
		arc += 8
	}
	if !directed(g) {
		arc = 2 * (arc + 4)
	}
	return c.Nodes*(8+8+8) + c.Relationships*(arc+rel)
}
