package moves

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Run is a request for groups.
type Run struct {
	measure kernels.Measure
	graph   *export.Graph
	request kernels.Request
	options Options
	found   *Found // nil before Find
}

// Defaults of the options, which are those of GDS.
const (
	defaultLevels     = 10
	defaultIterations = 10
	defaultGamma      = 1
	defaultTheta      = 0.01
)

// NewRun prepares a request.
func NewRun(m kernels.Measure, g *export.Graph, r kernels.Request, threads int) *Run {
	return &Run{measure: m, graph: g, request: r, options: Options{
		Weighted: r.Weighted, Levels: whole(r.Levels, defaultLevels), Iterations: whole(r.Iterations, defaultIterations),
		Gamma: real(r.Gamma, defaultGamma), Theta: real(r.Theta, defaultTheta), Seed: r.Seed, Threads: threads,
	}}
}

func whole(given *int, otherwise int) int {
	if given == nil {
		return otherwise
	}
	return *given
}

func real(given, otherwise float64) float64 {
	if given == 0 {
		return otherwise
	}
	return given
}

// Find finds the groups, and writes the number of each node's group.
func (r *Run) Find(ctx context.Context, groups []float64) (err error) {
	search := map[kernels.Kind]func(context.Context, *export.Graph, Options) (*Found, error){
		kernels.Labels: LabelPropagation, kernels.Modules: Louvain, kernels.ConnectedModules: Leiden,
	}[r.measure.Kind]
	if r.found, err = search(ctx, r.graph, r.options); err != nil {
		return fmt.Errorf("%s: %w", r.measure.Name, err)
	}
	for v, group := range r.found.Of {
		groups[v] = float64(group)
	}
	return nil
}

// Grouping returns the groups. Where another process found them, it knows their numbers only.
func (r *Run) Grouping(groups []float64) *kernels.Grouping {
	f := r.found
	if f == nil {
		return kernels.NewGrouping(r.graph, groups, r.request.Weighted)
	}
	return &kernels.Grouping{
		Of: f.Of, Count: f.Count, Components: f.Components, Modularity: f.Modularity, Levels: f.Levels, Unsettled: f.Left,
	}
}

// Bytes bounds the memory besides the graph, its transpose and the scores.
func Bytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	// the lists of nodes, and the rows of merged groups, twice while they are put together
	bytes := 90*g.Nodes + 60*g.Edges
	if g.Directed {
		bytes += 24 * g.Edges // arcs both ways
	}
	if m.Kind == kernels.ConnectedModules { // a network of parts is larger than one of groups
		bytes += 60*g.Nodes + 20*g.Edges
	}
	return bytes + int64(r.Threads)*12*g.Nodes
}
