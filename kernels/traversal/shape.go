package traversal

import (
	"math"
	"sort"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// shape is that of launches.
type shape struct {
	blocks, threadsPerBlock int
	// sharedPerBlock is the shared memory of a block in bytes: for two bitmaps, one, or none, or for the marks of nodes in
	// cells.
	sharedPerBlock int
}

// wantShape is the shape that memory without end would get: as many blocks as the device runs at a time.
func (e Engine) wantShape(w device.Want, d gpu.Info, in cells) shape {
	if w.Measure == device.Pairs {
		return shape{blocks: d.SMs * min(pairBlocks, d.Threads/pairThreads), threadsPerBlock: pairThreads}
	}
	s := shape{sharedPerBlock: max(in.marks(), e.bitmapsInShared(w, d))}
	s.fill(Searches{Nodes: w.Size.Nodes, Arcs: device.Arcs(w.Size), Sources: int64(w.Sources)}, w.Weighted, d)
	return s
}

// Shape returns how many searches by hops run at a time where memory has no end, and the threads of each. Bits are
// those that a block has for each node in shared memory; see CellBits.
func (s Searches) Shape(d gpu.Info, bits int) (blocks, threads int) {
	of := shape{sharedPerBlock: int(cellsPerNode * float64(int64(bits)*s.Nodes) / 8)}
	of.fill(s, false, d)
	return of.blocks, of.threadsPerBlock
}

// fill fills the device with blocks, as many as its shared memory is enough for: larger ones where that holds few of
// them.
func (s *shape) fill(of Searches, weighted bool, d gpu.Info) {
	threads, perSM := largeThreads, d.SharedBlock/(s.sharedPerBlock+device.StaticShared)
	switch {
	case weighted && of.Nodes > tinyGraph && of.Arcs >= denserDegree*of.Nodes:
		threads = denseThreads
	case weighted:
		threads = weightedThreads
	case of.Nodes <= smallGraph:
		threads = smallThreads
	}
	// Levels of a mesh grow with the root of its nodes. Few large blocks that a level fills leave each more of the cache.
	for threads < device.ResidentThreads && !weighted && of.Nodes > smallGraph &&
		of.Arcs >= denserDegree*of.Nodes && int64(threads*threads) < of.Nodes {
		threads *= 2
	}
	// With few sources, larger blocks use the threads that more blocks would.
	for threads < device.ResidentThreads && 2*of.Sources*int64(threads) <= int64(d.SMs*device.ResidentThreads) {
		threads *= 2
	}
	for threads < device.ResidentThreads && perSM < device.ResidentThreads/threads {
		threads *= 2
	}
	perSM = max(1, min(device.ResidentThreads/threads, perSM))
	s.threadsPerBlock, s.blocks = threads, min(d.SMs*perSM, max(1, int(of.Sources)))
}

// bitmapsInShared is the number of bytes of bitmaps that a block keeps in shared memory: two bitmaps, one, or none.
// Searches by hops have no bitmaps.
func (e Engine) bitmapsInShared(w device.Want, d gpu.Info) int {
	if !w.Weighted || e.policy == workEfficient {
		return 0
	}
	one := int(bitmapBytes(w.Size.Nodes))
	for _, count := range []int{2, 1} {
		if count*one+device.StaticShared <= d.SharedBlock {
			return count * one
		}
	}
	return 0
}

func bitmapBytes(n int64) int64 { return (n + 31) / 32 * 4 }

// longRow is the number of arcs from which on the whole block works on a node's row by weights, if a virtual warp has
// the node.
func (e Engine) longRow() int64 {
	if e.lanes == 1 {
		return math.MaxInt64
	}
	return longRowSteps * e.lanes
}

// longRowsEach bounds how many nodes of a round have long rows, of arcs in or arcs out.
func (e Engine) longRowsEach(arcs int64) int64 { return 2*(arcs/e.longRow()) + 2 }

// layout is the memory of a run.
type layout struct {
	engine Engine
	want   device.Want
	// masses reports whether nodes stand for several, or pairs are chosen.
	masses bool
	// renumbered reports whether nodes get numbers in the order of a search; see renumber.go.
	renumbered bool
	// cells are those that rows go into.
	cells cells
	shape shape
	// ranges is how many ranges the sums are of: 1 unless there are several.
	ranges int
}

// layout is that which a job gets where memory has no end.
func (e Engine) layout(w device.Want, g *export.Graph, masses bool, d gpu.Info) layout {
	l := layout{engine: e, want: w, masses: masses || w.Chooses(), ranges: max(1, len(w.Ranges))}
	l.cells = l.inCells(g, d)
	l.shape = e.wantShape(w, d, l.cells)
	l.renumbered = l.renames() && Searches{
		Nodes: w.Size.Nodes, Arcs: device.Arcs(w.Size), Sources: int64(w.Sources), Blocks: int64(l.shape.blocks),
		Greatest: func() int64 { return g.Degree(g.Widest()) },
	}.renumberedFrom(e.renumbersFrom)
	return l
}

// renames reports whether searches may know nodes by other numbers.
func (l layout) renames() bool {
	w := l.want
	return (w.Kind() == kernels.Dependencies || w.Measure == device.Sources && (!w.Edges || l.halved())) &&
		!w.Weighted && !l.masses
}

// nodes is how many numbers of nodes there are on the device.
func (l layout) nodes() int64 { return max(l.cells.count, l.want.Size.Nodes) }

// fit takes as many blocks as free bytes hold, up to those that there are. It reports whether they hold one; if not,
// one is left.
func (l *layout) fit(free int64) bool {
	most := l.shape.blocks
	if most > 0 && l.bytes() <= free { // as nearly always: to try eight numbers takes a fiftieth of a short run
		return true
	}
	fits := sort.Search(most, func(i int) bool {
		l.shape.blocks = i + 1
		return l.bytes() > free
	})
	l.shape.blocks = max(1, fits)
	return fits > 0
}

// bytes bounds the device memory of a run.
func (l layout) bytes() int64 {
	var a arrays
	bytes := l.buffers(&a).Bytes()
	if l.want.Kind() == kernels.PathCounts && l.ranges == 1 {
		wide := append(l.searchBuffers(&a), l.sumBuffers(wide, &a)...)
		bytes = max(bytes, wide.Bytes())
	}
	return bytes + l.besides().Bytes()
}

// hostBytes bounds the host memory of a run.
func (l layout) hostBytes() int64 {
	bytes := 24*l.want.Size.Nodes + 8*int64(l.want.Sources)
	if l.renumbered {
		bytes += 8*l.want.Size.Nodes + 4*int64(l.want.Sources)
	}
	if l.want.Edges {
		bytes += 24 * device.Arcs(l.want.Size)
	}
	if l.want.Measure == device.Sources {
		bytes += 48*(l.nodes()+l.want.Size.Edges) + order.NearBytes(l.want.Size.Nodes, device.Arcs(l.want.Size), false)
	}
	if l.want.Weighted {
		bytes += 32 * device.Arcs(l.want.Size)
	}
	return bytes
}

// grid is the number of blocks whose counts in numbers of one width fit into the memory for counts.
func (l layout) grid(w width) int {
	if l.want.LevelsOnly() {
		return l.shape.blocks
	}
	return max(1, min(l.shape.blocks, int(l.countBytes()/(w.bytes*l.nodes()))))
}

// countBytes is the memory for counts of paths. One block must be able to count again in wide numbers.
func (l layout) countBytes() int64 {
	if l.want.LevelsOnly() {
		return 0
	}
	return max(l.widths()[0].bytes*int64(l.shape.blocks), wide.bytes) * l.nodes()
}

// width is a kind of number for counts of paths.
type width struct {
	name  string
	bytes int64
}

var f32, f64, wide = width{"f32", 4}, width{"f64", 8}, width{"wide", 16}

// widths are tried in this order for the sources whose counts do not fit. float32 is for weights alone: by hops it
// takes as long as float64, and a tenth less on a road network.
func (l layout) widths() []width {
	if l.want.Single && l.want.Weighted && l.want.Kind() == kernels.Dependencies && !l.want.Chooses() {
		return []width{f32, f64, wide}
	}
	return []width{f64, wide}
}
