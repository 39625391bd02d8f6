// Package cpu computes the measures on the CPU: each from its searches to its scores, with the memory that it takes.
package cpu

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/structure"
)

// method is how the CPU computes the measures of a kind.
type method struct {
	// bytes bounds the memory, in bytes, besides the graph and its transpose.
	bytes func(m kernels.Measure, g kernels.Size, r kernels.Request) int64
	// prepare makes what is to be searched; plan may be nil.
	prepare func(ctx context.Context, t task, plan *reductions.Plan) (problem, error)
}

// methods has a method for every kind of measure.
func methods() map[kernels.Kind]method {
	all := map[kernels.Kind]method{
		kernels.Degrees:            {degreeBytes, prepareDegrees},
		kernels.Dependencies:       {betweennessBytes, prepareBetweenness},
		kernels.PathCounts:         {stressBytes, prepareStress},
		kernels.FoldedDistances:    {closenessBytes, prepareFolds},
		kernels.Balls:              {volumeBytes, prepareVolume},
		kernels.PageRanks:          {rankBytes, prepareRanks},
		kernels.ArticleRanks:       {rankBytes, prepareRanks},
		kernels.KatzSums:           {rankBytes, prepareRanks},
		kernels.Eigenvectors:       {rankBytes, prepareRanks},
		kernels.HubsAndAuthorities: {rankBytes, prepareRanks},
		kernels.Backbones:          {backboneBytes, prepareBackbone},
		kernels.Communities:        groupsByCuts(),
		kernels.Labels:             groupsByMoves(),
		kernels.Modules:            groupsByMoves(),
		kernels.ConnectedModules:   groupsByMoves(),
		kernels.Currents:           {flowBytes, prepareFlow},
		kernels.CurrentCloseness:   {flowBytes, prepareFlow},
		kernels.Resistances:        {flowBytes, prepareFlow},
		kernels.SpanningTrees:      {flowBytes, prepareFlow},
	}
	for _, kind := range structure.Kinds() {
		all[kind] = method{structureBytes, prepareStructure}
	}
	return all
}

// task is what is asked for.
type task struct {
	measure kernels.Measure
	graph   *export.Graph
	request kernels.Request
}

// problem is what is searched: the graph as it is, or what reductions leave of it.
type problem interface {
	// empty returns the partial result of no shard.
	empty() *kernels.Partial
	// search adds what a shard finds. The result has the same bits for any number of threads and of shards.
	search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error
	// finish makes scores of the partial result of all shards.
	finish(all *kernels.Partial) (*kernels.Scores, error)
}

// reuser is a problem whose parts a store may know from an earlier run. Only who searches all shards reuses them: other
// processes would have to know the same parts.
type reuser interface {
	reuse(ctx context.Context, store *reuse.Store) (*reuse.Amount, error)
}

// Run is a computation that is ready to be searched: its graph is reduced, where that pays, before it is cut into
// shards. Processes that prepare the same request get the same run, whose partial results can be joined.
type Run struct{ problem problem }

// Prepare checks a request and makes its run. plan is as in Planned.
func Prepare(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, plan *reductions.Plan,
) (*Run, error) {
	if err := m.Check(r); err != nil {
		return nil, err
	}
	if err := r.CheckSources(g.N()); err != nil {
		return nil, err
	}
	if err := r.CheckPairs(g.N()); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	method, ok := methods()[m.Kind]
	if !ok {
		return nil, fmt.Errorf("%s: the CPU computes no measures of its kind", m.Name)
	}
	p, err := method.prepare(ctx, task{m, g, r}, plan)
	if err != nil {
		return nil, err
	}
	return &Run{p}, nil
}

// Empty returns the partial result of no shard.
func (r *Run) Empty() *kernels.Partial { return r.problem.empty() }

// Search adds what a shard of the run finds to a partial result, which has the same bits for any number of threads and
// of shards. Shards of one Run are not searched at the same time.
func (r *Run) Search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	return r.problem.search(ctx, shard, into)
}

// Finish makes scores of the partial result of all shards. It undoes the reductions. It is called once.
func (r *Run) Finish(all *kernels.Partial) (*kernels.Scores, error) { return r.problem.finish(all) }

// Reuse leaves out of the search what a store has of an earlier run, and returns how much that is; nil where nothing
// can be reused. The store may be nil. Only who searches all shards may call it.
func (r *Run) Reuse(ctx context.Context, store *reuse.Store) (*reuse.Amount, error) {
	p, ok := r.problem.(reuser)
	if !ok || store == nil {
		return nil, nil
	}
	return p.reuse(ctx, store)
}

// Compute computes the scores of a measure.
func Compute(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request) (*kernels.Scores, error) {
	return Planned(ctx, m, g, r, nil)
}

// Planned is Compute with the plan that reductions.PlanBetweenness made of the same graph and request; other kinds of
// measures than Dependencies leave it alone. A plan is used once. Without one, nil, it is made where it is needed.
func Planned(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, plan *reductions.Plan,
) (*kernels.Scores, error) {
	return InShards(ctx, m, g, r, plan, 1)
}

// InShards is Planned, cut into so many shards that are searched one after another. The run is prepared once. Scores
// have the same bits for any number of shards.
func InShards(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, plan *reductions.Plan, shards int,
) (*kernels.Scores, error) {
	told := &shardsDone{report: r.Progress, left: max(1, shards)}
	if r.Progress != nil {
		r.Progress = told.progress
	}
	run, err := Prepare(ctx, m, g, r, plan)
	if err != nil {
		return nil, err
	}
	if _, err := run.Reuse(ctx, r.Reuse); err != nil {
		return nil, err
	}
	all := run.Empty()
	for i := range max(1, shards) {
		if err := run.Search(ctx, kernels.Shard{Index: i, Of: shards}, all); err != nil {
			return nil, err
		}
		told.next()
	}
	return run.Finish(all)
}

// shardsDone adds up the progress of shards. All are taken to be as large as the one at hand.
type shardsDone struct {
	report              func(done, total int)
	before, total, left int
}

func (s *shardsDone) progress(done, total int) {
	s.total = total
	s.report(s.before+done, s.before+total*s.left)
}

// next begins the next shard.
func (s *shardsDone) next() {
	s.before, s.total, s.left = s.before+s.total, 0, s.left-1
}
