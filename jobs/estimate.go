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
	// GraphBytes is the size of the CSR buffers with the ids; ComputeBytes what the largest pass needs besides; FreeBytes what the
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
		_, need := p.measure.Fit(size, p.request(job.Compute), free-e.GraphBytes)
		e.ComputeBytes = max(e.ComputeBytes, need)
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
	if g.RelationshipQuery != "" {
		return g.Orientation != "undirected"
	}
	for _, r := range g.Relationships {
		if r.Orientation != "undirected" {
			return true
		}
	}
	return false
}

// graphBytes is what Snapshot.Bytes will be for a server with integer ids, if nothing is dropped or merged.
func graphBytes(g config.Graph, c connector.Estimate) int64 {
	arcs, rels, directed := int64(0), c.Relationships, directed(g)
	weighted, asStored := g.RelationshipQuery != "", directed
	for i, r := range g.Relationships {
		if arcs += c.Each[i]; r.Orientation == "undirected" {
			arcs += c.Each[i]
		}
		weighted = weighted || r.Weight != "" || r.Parallel == "count" || r.Parallel == "sum"
		asStored = asStored && r.Orientation == "natural" && r.Parallel == "keep"
	}
	if g.RelationshipQuery != "" {
		if arcs = rels; !directed {
			arcs *= 2
		}
		asStored = asStored && g.Orientation != "reverse" && (g.Parallel == "" || g.Parallel == "keep")
	}
	offsets, arc, rel := 2*8*(c.Nodes+1), int64(4), int64(4+4+8) // target; target, edge and id
	if weighted {
		arc += 8
	}
	if !directed {
		arc += 4 // the edge
	} else if arcs > rels {
		rel += 4 // the second edge
	}
	if asStored { // the arcs are the relationships
		offsets, rel = offsets/2, rel-4
	}
	return c.Nodes*8 + offsets + arcs*arc + rels*rel
}
