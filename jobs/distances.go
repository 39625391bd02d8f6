package jobs

import (
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// distanceTask is what the job asks of the engine.
func (r *run) distanceTask() engine.Task {
	asked, c, n := r.job.Distances, r.job.Compute, r.snapshot.Graph.N()
	q := kernels.Request{Params: kernels.Params{Weighted: asked.Weighted}, Threads: c.Threads}
	if asked.Sample > 0 && asked.Sample < n {
		q.Sources, _ = kernels.Sample(n, asked.Sample, c.Seed)
	}
	device := r.options.Device
	if device == "" {
		device = Policy(c)
	}
	return engine.Task{Request: q, Snapshot: r.snapshot, Path: r.graphFile(), Device: device, Strategy: "auto"}
}

// planDistances refuses distances that do not fit into the memory that is free.
func (r *run) planDistances(free int64) error {
	if r.job.Distances == nil {
		return nil
	}
	g := r.snapshot.Graph
	need := distances.Bytes(kernels.Size{Nodes: int64(g.N()), Edges: int64(g.M()), Directed: g.Directed},
		r.distanceTask().Request)
	if need <= free {
		return nil
	}
	out := tooLarge(&NoRoom{Need: need, Free: free})
	out.Msg, out.Hint = "distances: "+out.Msg, "fewer threads (compute.threads) need less"
	return out
}

// distances measures how far the nodes are apart, if the job asks for it, and says so in one line.
func (r *run) distances(ctx context.Context) (string, error) {
	asked := r.job.Distances
	if asked == nil || r.options.NoWrite {
		return "", nil
	}
	t := r.distanceTask()
	t.Request.Progress = func(done, total int) { r.Reporter.Progress(int64(done), int64(total), "distance sources") }
	var s *kernels.DistanceSummary
	var out *engine.Outcome
	var err error
	if asked.File == "" || r.options.DryRun {
		s, out, err = r.Engine.SummarizeDistances(ctx, t)
	} else {
		s, out, err = r.writeDistances(ctx, t)
	}
	if err != nil {
		return "", fmt.Errorf("distances: %w", err)
	}
	r.record.Distances = &connector.Distances{
		Weighted: asked.Weighted, Sources: int64(t.Request.SourceCount(r.snapshot.Graph.N())), Components: s.Components,
		LargestComponent: s.LargestComponent, Pairs: s.Pairs, Mean: s.Mean, Diameter: s.Diameter, Hops: s.Hops,
		Device: out.Device,
	}
	return fmt.Sprintf("; %d pairs, mean distance %.6g, greatest %.6g", s.Pairs, s.Mean, s.Diameter), nil
}

// writeDistances writes the distance of every pair to the job's file, which takes its name when the scores are
// published.
func (r *run) writeDistances(ctx context.Context, t engine.Task) (*kernels.DistanceSummary, *engine.Outcome, error) {
	a, err := OpenDistances(r.job.Distances.File, t)
	if err != nil {
		return nil, nil, err
	}
	r.array = a
	if a.Done > 0 {
		r.Reporter.Note(fmt.Sprintf("%s: goes on after %d rows", r.job.Distances.File, a.Done))
	}
	s, out, err := WriteDistances(ctx, r.Engine, t, a)
	if err == nil {
		err = a.Prepare()
	}
	return s, out, err
}

// resumeDistances opens the array that an earlier process has filled.
func (r *run) resumeDistances() error {
	asked := r.job.Distances
	if asked == nil || asked.File == "" {
		return nil
	}
	t := r.distanceTask()
	var err error
	if r.array, err = OpenDistances(asked.File, t); err != nil {
		return err
	}
	if rows := t.Request.SourceCount(r.snapshot.Graph.N()); r.array.Done < rows {
		return fmt.Errorf("%s.part has %d of %d rows: run with --from compute", asked.File, r.array.Done, rows)
	}
	return nil
}

// OpenDistances opens the array of NumPy that takes the distances of a task, with the rows that an earlier process has
// left.
func OpenDistances(path string, t engine.Task) (*file.DistanceArray, error) {
	n := t.Snapshot.Graph.N()
	rows := t.Request.SourceCount(n)
	key := fmt.Sprintf("graph %s weighted %t tolerance %v sources %v\n", t.Snapshot.Digest(), t.Request.Weighted,
		t.Request.Tolerance, t.Request.Sources)
	return file.OpenDistanceArray(path, rows, n, t.Request.Weighted, key)
}

// WriteDistances computes the rows that an array does not have yet, and sums up all of them.
func WriteDistances(
	ctx context.Context, e Engine, t engine.Task, a *file.DistanceArray,
) (*kernels.DistanceSummary, *engine.Outcome, error) {
	sources, total := distanceSources(t), NewDistanceTotal(t.Request.Weighted)
	if err := a.EachRow(func(i int, distances []float64) error {
		total.Add(sources[i], distances)
		return ctx.Err()
	}); err != nil {
		return nil, nil, err
	}
	out := &engine.Outcome{Device: "cpu", Reason: "all rows were there"}
	if rest := sources[a.Done:]; len(rest) > 0 {
		t.Request.Sources = rest
		var err error
		out, err = e.Distances(ctx, t, func(source int32, distances []float64) error {
			total.Add(source, distances)
			return a.Row(distances)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return total.Summary(t.Snapshot.Graph), out, nil
}

func distanceSources(t engine.Task) []int32 {
	if t.Request.Sources != nil {
		return t.Request.Sources
	}
	all := make([]int32, t.Snapshot.Graph.N())
	for v := range all {
		all[v] = int32(v)
	}
	return all
}

// DistanceTotal sums up rows as distances.Summarize does.
type DistanceTotal struct {
	out      kernels.DistanceSummary
	sum      float64
	weighted bool
}

// NewDistanceTotal begins a sum. Without weights it has a hop plot.
func NewDistanceTotal(weighted bool) *DistanceTotal { return &DistanceTotal{weighted: weighted} }

// Add adds the distances from a source.
func (t *DistanceTotal) Add(source int32, distances []float64) {
	for v, x := range distances {
		if int32(v) == source || math.IsInf(x, 1) {
			continue
		}
		t.out.Pairs++
		t.sum += x
		t.out.Diameter = max(t.out.Diameter, x)
		if t.weighted {
			continue
		}
		for len(t.out.Hops) <= int(x) {
			t.out.Hops = append(t.out.Hops, 0)
		}
		t.out.Hops[int(x)]++
	}
}

// Summary returns what the rows of a graph add up to.
func (t *DistanceTotal) Summary(g *export.Graph) *kernels.DistanceSummary {
	if t.out.Pairs > 0 {
		t.out.Mean = t.sum / float64(t.out.Pairs)
	}
	t.out.Components, t.out.LargestComponent = search.Components(g)
	return &t.out
}
