// Package structure computes what holds a graph together: components, cut nodes and bridges, cores, and triangles.
// Nothing is searched from sources, and weights are not read.
package structure

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// finder is how the measures of a kind are computed.
type finder struct {
	// find makes the scores of a task.
	find func(t *task) error
	// nodeBytes and arcBytes bound the memory besides graph and scores.
	nodeBytes, arcBytes int64
}

// finders has an entry for every kind that this package computes.
func finders() map[kernels.Kind]finder {
	return map[kernels.Kind]finder{
		kernels.Components:       {(*task).weak, 8, 0},
		kernels.StrongComponents: {(*task).strong, 40, 0},
		kernels.EdgeComponents:   {(*task).edgeComponents, searchBytes, 0},
		kernels.Articulation:     {(*task).articulation, searchBytes, 0},
		kernels.Bridges:          {(*task).bridges, searchBytes, 0},
		kernels.Blocks:           {(*task).blocks, searchBytes, 4},
		kernels.Cores:            {(*task).cores, coreBytes, simpleBytes},
		kernels.Trusses:          {(*task).trusses, triangleBytes + 16, passBytes + trussBytes},
		kernels.Triangles:        {(*task).triangles, triangleBytes, passBytes},
		kernels.Clustering:       {(*task).clustering, triangleBytes, passBytes},
		kernels.Similarity:       {(*task).similarity, triangleBytes, passBytes},
		kernels.Curvature:        {(*task).curvature, triangleBytes, passBytes},
	}
}

// Kinds lists the kinds that this package computes.
func Kinds() (kinds []kernels.Kind) {
	for kind := range finders() {
		kinds = append(kinds, kind)
	}
	return kinds
}

// Bytes bounds the memory in bytes that Find takes besides the graph.
func Bytes(m kernels.Measure, g kernels.Size, threads int) int64 {
	f, arcs := finders()[m.Kind], g.Edges
	if !g.Directed {
		arcs *= 2
	}
	return 8*(g.Nodes+g.Edges) + (f.nodeBytes+int64(threads)*threadBytes)*g.Nodes + f.arcBytes*arcs
}

// threadBytes bounds what each thread of a pass over triangles, or of trusses after it, keeps per node.
const threadBytes = 12

// Find computes the scores of a measure: one per node, and one per edge where they are asked for. They are the same for
// any number of threads.
func Find(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int,
) (nodes, edges []float64, err error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	t := &task{graph: g, variant: m.VariantOf(r.Params), threads: threads, stop: stop, shared: r.Shared,
		nodes: make([]float64, g.N())}
	if r.Edges {
		t.edges = make([]float64, g.M())
	}
	if err := finders()[m.Kind].find(t); err != nil {
		return nil, nil, err
	}
	return t.nodes, t.edges, stop.Err()
}

// task is what is asked for, and its scores.
type task struct {
	graph   *export.Graph
	variant string
	threads int
	stop    *stopper.Stopper
	shared  *kernels.Shared
	nodes   []float64
	edges   []float64 // nil where not asked for
}

// part is the least number of nodes that a thread takes at a time.
const part = 1 << 10

// over calls do for parts of count things on the threads of the task.
func (t *task) over(count int, do func(first, last int)) {
	inparts.On(t.threads, part, count, func(_, first, last int) {
		if !t.stop.Stopped() {
			do(first, last)
		}
	})
}

// number gives labels the numbers 0, 1, ... in the order of their first places, and returns how many there are. A label
// is at least 0 and less than the limit; labels under 0 stay.
func number(labels []int32, limit int) (count int32) {
	names := make([]int32, limit)
	for i, label := range labels {
		if label < 0 {
			continue
		}
		if names[label] == 0 {
			count++
			names[label] = count
		}
		labels[i] = names[label] - 1
	}
	return count
}

// groups writes the number of each node's group, or the size of the group under the variant size. Labels are renamed.
func (t *task) groups(labels []int32) {
	count := number(labels, len(labels))
	if t.variant != kernels.GroupSize {
		for v, label := range labels {
			t.nodes[v] = float64(label)
		}
		return
	}
	sizes := make([]int32, count)
	for _, label := range labels {
		sizes[label]++
	}
	for v, label := range labels {
		t.nodes[v] = float64(sizes[label])
	}
}
