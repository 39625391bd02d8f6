package weighted

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// arrays are the arrays of a run; see BatchedWeighted in weighted.cuh.
type arrays struct {
	dist, counts, outPaths, inPaths, stackNodes, stackMasks, ends, rounds gpu.Ptr
	keys, when, state, lists, reached, done, pending, laneSums            gpu.Ptr
	hubs, longRows, shared, pairs, total, lost                            gpu.Ptr
	rows, nodes, edges, nodeCounts, edgeCounts                            gpu.Ptr
}

// layout is what the sizes of arrays depend on besides the teams.
type layout struct {
	// key is the size of a distance; bounded reports whether rows are left out by bounds.
	key     int64
	bounded bool
	// hubs is the number of nodes of over blockRow arcs, segments that of the segments of rows too long for a group.
	hubs, segments int64
	// kept, unless 0, is the number of batches whose distances are all kept; nothing is folded then.
	kept int64
}

// widest bounds the layouts of graphs of one size.
func widest(size kernels.Size) layout {
	a := device.Arcs(size)
	return layout{key: 8, bounded: maybeBounded(size), hubs: min(size.Nodes, 2*a/blockRow), segments: 2 * a / shortRow}
}

// longRows counts the hubs and segments of a graph, of rows out or in.
func longRows(g *export.Graph) (hubs, segments int64) {
	in := g.Transpose()
	for v := range int32(g.N()) {
		degree := max(g.Degree(v), in.Degree(v))
		if degree > blockRow {
			hubs++
		}
		if degree > shortRow {
			segments += (degree + rowSegment - 1) / rowSegment
		}
	}
	return hubs, segments
}

// laneSumBytes is what a block needs to add up distances.
const laneSumBytes = 2 * 8 * weightedLanes

// wantsRows reports whether all distances are wanted.
func wantsRows(w device.Want) bool { return w.Measure == device.Distances && !w.Summary }

// buffers lists the arrays of a run.
func (t teams) buffers(w device.Want, l layout, a *arrays) device.Buffers {
	n, count := w.Size.Nodes, int64(t.teams)
	blocks, kept, keys, when := count*int64(t.blocks), count, int64(1), int64(1)
	if l.bounded {
		keys, when = 2, 4
	}
	if l.kept > 0 {
		kept = l.kept
	}
	list := device.Buffers{
		{Name: "distances", Bytes: kept * n * weightedLanes * l.key, Into: &a.dist},
		{Name: "keys", Bytes: count * n * l.key * keys, Into: &a.keys},
		{Name: "keys put off", Bytes: count * n * l.key * when, Into: &a.when},
		{Name: "states", Bytes: count * n * 4, Into: &a.state},
		{Name: "lists", Bytes: count * n * 16, Into: &a.lists},
		{Name: "lanes that reach", Bytes: count * n * 4, Into: &a.reached},
		{Name: "lanes that are counted", Bytes: count * n * 4, Into: &a.done},
		{Name: "arcs to count", Bytes: count * n * 4, Into: &a.pending},
		{Name: "sums of lanes", Bytes: blocks * laneSumBytes, Into: &a.laneSums},
		{Name: "hubs", Bytes: blocks * l.hubs * 4, Into: &a.hubs},
		{Name: "segments", Bytes: blocks * l.segments * 8, Into: &a.longRows},
		{Name: "team counters", Bytes: count * batches.TeamBytes, Into: &a.shared},
		{Name: "rounds", Bytes: count * 8, Into: &a.rounds},
		{Name: "pairs", Bytes: 8, Zero: true, Into: &a.pairs},
		{Name: "sum of distances", Bytes: device.WordBytes, Zero: true, Into: &a.total},
		{Name: "lost arc", Bytes: 8, Zero: true, Into: &a.lost},
	}
	if !w.LevelsOnly() {
		list = append(list, t.countBuffers(w, a)...)
	}
	if wantsRows(w) {
		return append(list, device.Buffer{Name: "rows", Bytes: count * weightedLanes * n * 8, Into: &a.rows})
	}
	if l.kept > 0 && w.LevelsOnly() {
		return list
	}
	return append(list, sums(w, a)...)
}

// countBuffers lists what counting paths takes.
func (t teams) countBuffers(w device.Want, a *arrays) device.Buffers {
	count, arcs := int64(t.teams), device.Arcs(w.Size)
	return append(device.Buffers{
		{Name: "path counts", Bytes: count * w.Size.Nodes * weightedLanes * 8, Into: &a.counts},
		{Name: "shortest-path arcs", Bytes: count * arcs * 4, Into: &a.outPaths},
		{Name: "shortest-path arcs that enter", Bytes: count * arcs * 4, Into: &a.inPaths},
	}, t.stacks(a)...)
}

// stacks lists the stacks.
func (t teams) stacks(a *arrays) device.Buffers {
	count := int64(t.teams)
	return device.Buffers{
		{Name: "nodes on the stack", Bytes: count * t.entries * 4, Into: &a.stackNodes},
		{Name: "masks on the stack", Bytes: count * t.entries * 4, Into: &a.stackMasks},
		{Name: "ends of rounds", Bytes: count * (t.rounds() + 2) * 4, Into: &a.ends},
	}
}

// sums lists the sums of nodes and arcs, and of folds from how many sources they are.
func sums(w device.Want, a *arrays) device.Buffers {
	n, arcs, word := w.Size.Nodes, device.Arcs(w.Size), int64(device.WordBytes)
	if fold, _ := kernels.FoldOf(w.Measure); w.LevelsOnly() && (!w.Folds() || fold == kernels.FoldGreatest) {
		word = 8
	}
	var list device.Buffers
	if w.Nodes || w.LevelsOnly() {
		list = append(list, device.Buffer{Name: "sums of nodes", Bytes: word * n, Zero: true, Into: &a.nodes})
	}
	if w.Edges {
		list = append(list, device.Buffer{Name: "sums of arcs", Bytes: word * arcs, Zero: true, Into: &a.edges})
	}
	if w.LevelsOnly() {
		list = append(list, device.Buffer{Name: "sources of nodes", Bytes: 4 * n, Zero: true, Into: &a.nodeCounts})
		if w.Edges {
			list = append(list, device.Buffer{Name: "sources of arcs", Bytes: 4 * arcs, Zero: true, Into: &a.edgeCounts})
		}
	}
	return list
}
