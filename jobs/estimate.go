package jobs

import (
	"context"
	"errors"
	"slices"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// Rates that Estimate divides by, measured on two cores shared with the server. They say minutes or hours, not seconds.
const (
	exportedPerSecond = 1_500_000 // relationships
	nodesPerSecond    = 450_000   // node scores written
	relsPerSecond     = 110_000   // relationship scores written
)

// longCompute is the time from which on an estimate looks for a way to take less, in seconds.
const longCompute = 600

// Estimate says what a run of a job would take.
type Estimate struct {
	Job string `json:"job"`
	connector.Estimate
	// GraphBytes is the size of the CSR buffers with the ids; ComputeBytes what the largest pass needs besides; FreeBytes
	// what the machine has free.
	GraphBytes   int64 `json:"graphBytes"`
	ComputeBytes int64 `json:"computeBytes"`
	FreeBytes    int64 `json:"freeBytes"`
	Fits         bool  `json:"fits"`
	// Ways are the ways to compute each measure, the fastest that fits first; none where the graph was not read.
	Ways []connector.Way `json:"ways,omitempty"`
	// Forecasts are what is known of samples with a bound, where the graph was read.
	Forecasts []*Forecast `json:"forecasts,omitempty"`
	// Scaling is what several GPUs would give for each measure; there where Scale was called.
	Scaling []Scaling `json:"scaling,omitempty"`
	// Problems are why a run would fail, as far as that is known without one.
	Problems []error `json:"-"`
	// Sources is the number of searches of the largest pass.
	Sources int64 `json:"sources"`
	// Seconds a step, on the CPU of this machine, as busy as it is. A step whose time could not be told is missing.
	Seconds map[string]float64 `json:"seconds"`
	// Sample is a number of sources that would take much less time; 0 where nothing is to be gained.
	Sample *SampleEstimate `json:"sample,omitempty"`
}

// SampleEstimate says what a job would take with compute.sample.
type SampleEstimate struct {
	Sources int64   `json:"sources"`
	Seconds float64 `json:"seconds"`
}

// Survey asks the source for counts and works out memory. It writes nothing.
func (r *Runner) Survey(ctx context.Context, source connector.Estimator, job config.Job) (*Estimate, error) {
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
	if counts.Snapshot != nil {
		if err := checkQueryWeights(job, counts.Snapshot); err != nil {
			return nil, err
		}
		e.GraphBytes = counts.Snapshot.Bytes()
	} else {
		e.GraphBytes = graphBytes(job.Graph, counts)
	}
	e.Fits = e.GraphBytes <= e.FreeBytes
	for _, p := range todo {
		if err := r.fit(ctx, e, p, job); err != nil {
			return nil, err
		}
	}
	return e, r.judge(ctx, job, e)
}

// fit works out the memory of a pass. Without the graph that is known of the CPU alone, and a device that a job may
// use may need less of the host.
func (r *Runner) fit(ctx context.Context, e *Estimate, p pass, job config.Job) error {
	free := e.FreeBytes - e.GraphBytes
	if e.Snapshot == nil {
		_, need := cpu.Fit(p.measure, e.size(job), p.request(job.Compute), free)
		e.ComputeBytes = max(e.ComputeBytes, need)
		e.Fits = e.Fits && (need <= free || Policy(job.Compute).Demands())
		return nil
	}
	work := &Computation{
		Measure: p.measure, Task: taskOf(p, job.Compute, e.Snapshot, ""), Adaptive: adaptiveOf(p, job.Compute),
		Accuracy: accuracyOf(p, job.Compute),
	}
	err := work.Plan(ctx, r.Engine, free)
	none := (*NoRoom)(nil)
	switch {
	case errors.As(err, &none):
		e.ComputeBytes = max(e.ComputeBytes, none.Need)
		e.Fits, e.Problems = false, append(e.Problems, refused(p.measure, err))
	case err == nil:
		err = work.Foresee(ctx, r.Engine, free)
	}
	if err != nil && none == nil {
		return err
	}
	if work.Forecast != nil {
		e.Forecasts = append(e.Forecasts, work.Forecast)
	}
	e.Ways = append(e.Ways, waysOf(p, work.Ranking)...)
	e.ComputeBytes = max(e.ComputeBytes, work.bytes())
	return nil
}

// judge finds out what a run would refuse or warn of. Numbers that are not exact refuse nothing.
func (r *Runner) judge(ctx context.Context, job config.Job, e *Estimate) error {
	if !e.Fits && len(e.Problems) == 0 {
		e.Problems = append(e.Problems, tooLarge(&NoRoom{Need: e.ComputeBytes, Free: e.FreeBytes - e.GraphBytes}))
	}
	would := &run{Runner: r, job: job, projection: Projection(job.Graph)}
	would.record.Nodes, would.record.Relationships = e.Nodes, e.Relationships
	if e.Snapshot != nil {
		would.describe(e.Snapshot)
	}
	breaches, err := would.breaches(ctx)
	switch {
	case err != nil:
		return err
	case len(breaches) > 0 && e.Exact:
		e.Problems = append(e.Problems, would.overLimits(breaches))
	}
	e.Warnings = append(e.Warnings, Omissions(would.projection, e.Snapshot)...)
	return nil
}

// size is what planning needs to know of the graph.
func (e *Estimate) size(job config.Job) kernels.Size {
	if s := e.Snapshot; s != nil {
		return kernels.Size{Nodes: int64(s.Graph.N()), Edges: int64(s.Graph.M()), Directed: s.Graph.Directed}
	}
	return kernels.Size{Nodes: e.Nodes, Edges: e.Relationships, Directed: directed(job.Graph)}
}

// Estimate is Survey with the time of each step. It tries each computation for a moment: on the graph itself where that
// is small, else on a random graph.
func (r *Runner) Estimate(ctx context.Context, source connector.Estimator, job config.Job) (*Estimate, error) {
	e, err := r.Survey(ctx, source, job)
	if err != nil {
		return nil, err
	}
	nodes, relationships := Properties(job)
	e.Seconds["export"] = float64(e.Relationships) / exportedPerSecond
	if job.Write.Mode == config.NoMode {
		nodes, relationships = nil, nil
	}
	if len(nodes) > 0 {
		e.Seconds["write"] += float64(e.Nodes) / nodesPerSecond
	}
	if len(relationships) > 0 {
		e.Seconds["write"] += float64(e.Relationships) / relsPerSecond
	}
	if !e.Fits || !e.onCPU() {
		return e, nil
	}
	return e, e.timeCompute(ctx, job)
}

// onCPU reports whether the CPU may be tried: it has room, as far as is known, and the job lets it compute.
func (e *Estimate) onCPU() bool {
	fits := func(w connector.Way) bool { return w.Device == string(engine.CPU) && w.Misfit == "" }
	return len(e.Ways) == 0 || slices.ContainsFunc(e.Ways, fits)
}

// timeCompute sets the seconds of the computation, and a sample where that takes long.
func (e *Estimate) timeCompute(ctx context.Context, job config.Job) error {
	trial, err := e.trial(ctx, job)
	if err != nil {
		return err
	}
	todo, err := passes(job.Measures)
	if err != nil {
		return err
	}
	all, sampled, known := 0.0, 0.0, true
	sample := e.Nodes / 20
	for _, p := range todo {
		n := int64(job.Compute.Sample.Sources)
		seconds, err := trial.seconds(ctx, p, job.Compute, n)
		if err != nil {
			return err
		}
		if p.measure.BySource {
			e.Sources = max(e.Sources, sourcesOf(e.Nodes, n))
		}
		known, all = known && seconds > 0, all+seconds
		if seconds > longCompute && p.measure.BySource && n == 0 && !job.Compute.Sample.Bounded() {
			if seconds, err = trial.seconds(ctx, p, job.Compute, sample); err != nil {
				return err
			}
		}
		sampled += seconds
	}
	if known {
		e.Seconds["compute"] = all
	}
	if known && sampled < all/2 {
		e.Sample = &SampleEstimate{Sources: sample, Seconds: sampled}
	}
	return nil
}

// sourcesOf is the number of sources under a sample, or of all nodes.
func sourcesOf(nodes, sample int64) int64 {
	if sample > 0 {
		return min(nodes, sample)
	}
	return nodes
}

// MayReduce reports whether a run tries to reduce the graph.
func (e *Estimate) MayReduce(job config.Job) bool {
	if e.size(job).Directed || job.Compute.Reduce == kernels.ReduceOff || job.Compute.Sample.Sources > 0 {
		return false
	}
	return slices.ContainsFunc(job.Measures, func(m config.Measure) bool {
		spec, _ := kernels.Lookup(m.Measure)
		return spec.Reducible
	})
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
		weighted = weighted || r.Weight.Property != "" || r.Parallel == "count" || r.Parallel == "sum"
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
