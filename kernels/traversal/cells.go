package traversal

import (
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// cells are rows in cells; see cells.cuh. They are none where quads is 0.
type cells struct {
	// quads is how many times four targets a cell has.
	quads int64
	// count is the number of cells. Nodes have numbers up to it: those of their first cells.
	count int64
	// bits is how many each of them has in shared memory: 2, or 1 where 2 are too many.
	bits int64
}

// cellQuads are the sizes of cells that are tried, in turn.
var cellQuads = [4]int64{1, 2, 4, 8}

// cellsFor returns the smallest cells that most rows of a graph fit into.
func cellsFor(g *export.Graph) cells {
	var rows [64]atomic.Int64               // of short rows: by how many times four targets they need
	var longer [len(cellQuads)]atomic.Int64 // of others: how many cells of each size they need
	inparts.Do(g.N(), func(first, last int) {
		var some [len(rows)]int64
		for v := int32(first); v < int32(last); v++ {
			quads := g.Degree(v)/4 + 1 // the row ends with a place without a target
			if quads < int64(len(rows)) {
				some[quads]++
				continue
			}
			for i, each := range cellQuads {
				longer[i].Add((quads + each - 1) / each)
			}
		}
		for quads, count := range some {
			rows[quads].Add(count)
		}
	})
	for i, each := range cellQuads {
		count := longer[i].Load()
		for quads := range rows {
			count += rows[quads].Load() * ((int64(quads) + each - 1) / each)
		}
		if float64(count) <= cellsPerNode*float64(g.N()) {
			return cells{each, count, 2}
		}
	}
	return cells{}
}

// inCells returns the cells of a job, for which shared memory has room; none where rows stay as they are.
func (l layout) inCells(g *export.Graph, d gpu.Info) cells {
	w := l.want
	degree := l.engine.cellDegree // on graphs of fewer arcs, counts by node cost what cells save
	if degree == 0 || device.Arcs(w.Size) < degree*w.Size.Nodes || w.Sources < cellSources ||
		w.Edges && !l.halved() || w.Size.Directed || !l.renames() {
		return cells{}
	}
	s := cellsFor(g)
	fits := func() bool { return s.marks()+device.StaticShared <= d.SharedBlock }
	if fits() {
		return s
	}
	// With one bit for each node, the counts of all are cleared for each source, which does not pay within a range, and a
	// row has few arcs.
	if s.bits = 1; w.Within == 0 && g.Degree(g.Widest()) <= manyCellsDegree && fits() {
		return s
	}
	return cells{}
}

// marks is the shared memory of a block for the marks of nodes, in bytes.
func (s cells) marks() int { return int((s.bits*s.count+31)/32) * 4 }

// sharing is the family of kernels for rows in cells.
func (s cells) sharing() string {
	if s.bits == 1 {
		return "many cells"
	}
	return "cells"
}

// targets is the number of targets that cells have room for.
func (s cells) targets() int64 { return 4 * s.quads * s.count }

// intoCells puts the rows into cells, in the order of the new numbers where there are any, and names nodes by them.
func (r *run) intoCells() {
	c, a, g, s := r.calls, &r.arrays, r.job.Graph, r.layout.cells
	n, quads, shape := uint32(g.N), uint32(s.quads), batches.RelabelShape(g.N)
	sums := c.Alloc(4 * int64(shape.Grid))
	c.Launch(kernelCellSums, shape, n, g.Offsets, a.from, quads, sums)
	c.Launch(kernelCellNodes, shape, n, g.Offsets, a.from, quads, sums, a.to, a.outRanges)
	c.Launch(kernelCellRows, device.ForEach(g.N), n, g.Offsets, g.Targets, a.to, quads, a.out.Targets)
	c.Free(sums)
	r.graph = &device.Graph{N: s.count, Arcs: s.targets(), Targets: a.out.Targets}
	r.graph.In = r.graph
}
