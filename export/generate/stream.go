package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// Batch is some edges of a graph of so many nodes, with their weights if it has any.
type Batch struct {
	Nodes          int
	Source, Target []int32
	Weights        []float64
}

// Size is the number of nodes and edges of a graph.
type Size struct {
	Nodes int
	Edges int64
}

// Streams reports whether Edges makes the graph in little memory. A triangulation needs all of its points at once, a
// road is drawn in one piece, and of a dense Erdos-Renyi graph the pairs that are missing are drawn.
func (s Spec) Streams() bool {
	dense := s.Kind == ErdosRenyi && 4*float64(s.Edges) > float64(s.Nodes)*float64(s.Nodes-1)
	return s.Kind != Delaunay && s.Kind != Road && s.Copies <= 1 && !dense
}

// Edges calls emit with the edges of the graph that Graph makes, in the same order, some at a time. What was drawn
// waits in files of folder, 8 bytes per draw, which are removed at the end: memory is for the nodes of R-MAT (4 bytes
// each) and of random geometric graphs (40), and for the ends of Barabasi-Albert graphs (8 bytes per edge). Batches
// belong to emit until it returns.
func Edges(ctx context.Context, s Spec, folder string, emit func(Batch) error) (size Size, err error) {
	if s, err = s.complete(); err != nil {
		return Size{}, err
	}
	if !s.Streams() {
		return inMemory(ctx, s, emit)
	}
	d := &drawing{ctx: ctx, Spec: s}
	if d.spill, err = newSpill(folder, s.Nodes); err != nil {
		return Size{}, err
	}
	defer func() { err = errors.Join(err, d.spill.remove()) }()
	if err := d.draw(); err != nil {
		return Size{}, err
	}
	size.Nodes = d.Nodes
	return size, d.emit(&size, emit)
}

// inMemory is Edges of what is not streamed.
func inMemory(ctx context.Context, s Spec, emit func(Batch) error) (Size, error) {
	g, err := Graph(ctx, s)
	if err != nil {
		return Size{}, err
	}
	source := make([]int32, g.Graph.M())
	for v := range g.Graph.N() {
		for e := g.Rels.Offsets[v]; e < g.Rels.Offsets[v+1]; e++ {
			source[e] = int32(v)
		}
	}
	b := Batch{Nodes: g.Graph.N(), Source: source, Target: g.Rels.Targets,
		Weights: edgeWeights(s.Weights, s.WeightSeed, 0, len(source))}
	return Size{g.Graph.N(), int64(len(source))}, emit(b)
}

// emit sorts the parts of what was drawn, some at the same time, and hands them on one after another.
func (d *drawing) emit(size *Size, emit func(Batch) error) error {
	for lo := 0; lo < len(d.spill.parts); lo += d.Threads {
		parts := d.spill.parts[lo:min(lo+d.Threads, len(d.spill.parts))]
		sorted := make([][]uint64, len(parts))
		err := d.parallel(len(parts), func(i int) (err error) {
			sorted[i], err = parts[i].sorted()
			return err
		})
		if err != nil {
			return err
		}
		for _, edges := range sorted {
			if size.Edges += int64(len(edges)); size.Edges > export.MaxEdges {
				return fmt.Errorf("generate: more than %d edges", export.MaxEdges)
			}
			if err := d.hand(edges, size.Edges-int64(len(edges)), emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// batchEdges is how many edges a batch has at most.
const batchEdges = 1 << 16

// hand makes batches of sorted edges, the first of which has this number.
func (d *drawing) hand(edges []uint64, first int64, emit func(Batch) error) error {
	b := Batch{Nodes: d.Nodes, Source: make([]int32, 0, batchEdges), Target: make([]int32, 0, batchEdges)}
	for piece := range slices.Chunk(edges, batchEdges) {
		b.Source, b.Target = b.Source[:0], b.Target[:0]
		for _, e := range piece {
			b.Source, b.Target = append(b.Source, int32(e>>32)), append(b.Target, int32(uint32(e)))
		}
		b.Weights = edgeWeights(d.Weights, d.WeightSeed, first, len(piece))
		if err := emit(b); err != nil {
			return err
		}
		if first += int64(len(piece)); d.ctx.Err() != nil {
			return d.ctx.Err()
		}
	}
	return nil
}
