package weighted

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

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

// buffers says what each array of a run takes: no bytes for one that is not wanted.
func (t teams) buffers(w device.Want, l layout) batchedWeightedBuffers {
	n, arcs, count := w.Size.Nodes, device.Arcs(w.Size), int64(t.teams)
	blocks, kept, keys, when := count*int64(t.blocks), count, int64(1), int64(1)
	if l.bounded {
		keys, when = 2, 4
	}
	if l.kept > 0 {
		kept = l.kept
	}
	counted, word := counting(w), sumBytes(w)
	forNodes, forEdges, folded := wantsSums(w, l)
	return batchedWeightedBuffers{
		dist:       device.Buffer{Name: "distances", Bytes: kept * n * weightedLanes * l.key},
		counts:     device.Buffer{Name: "path counts", Bytes: counted * count * n * weightedLanes * 8},
		outPaths:   device.Buffer{Name: "shortest-path arcs", Bytes: counted * count * arcs * 4},
		inPaths:    device.Buffer{Name: "shortest-path arcs that enter", Bytes: counted * count * arcs * 4},
		stackNodes: device.Buffer{Name: "nodes on the stack", Bytes: counted * count * t.entries * 4, Stack: true},
		stackMasks: device.Buffer{Name: "masks on the stack", Bytes: counted * count * t.entries * 4, Stack: true},
		ends:       device.Buffer{Name: "ends of rounds", Bytes: counted * count * (t.rounds() + 2) * 4, Stack: true},
		rounds:     device.Buffer{Name: "rounds", Bytes: count * 8},
		keys:       device.Buffer{Name: "keys", Bytes: count * n * l.key * keys},
		when:       device.Buffer{Name: "keys put off", Bytes: count * n * l.key * when},
		state:      device.Buffer{Name: "states", Bytes: count * n * 4},
		lists:      device.Buffer{Name: "lists", Bytes: count * n * 16},
		reached:    device.Buffer{Name: "lanes that reach", Bytes: count * n * 4},
		done:       device.Buffer{Name: "lanes that are counted", Bytes: count * n * 4},
		pending:    device.Buffer{Name: "arcs to count", Bytes: count * n * 4},
		laneSums:   device.Buffer{Name: "sums of lanes", Bytes: blocks * laneSumBytes},
		hubs:       device.Buffer{Name: "hubs", Bytes: blocks * l.hubs * 4},
		longRows:   device.Buffer{Name: "segments", Bytes: blocks * l.segments * 8},
		teams:      device.Buffer{Name: "team counters", Bytes: count * batches.TeamBytes},
		pairs:      device.Buffer{Name: "pairs", Bytes: 8, Zero: true},
		totals:     device.Buffer{Name: "sum of distances", Bytes: device.WordBytes, Zero: true},
		lost:       device.Buffer{Name: "lost arc", Bytes: 8, Zero: true},
		rows:       device.Buffer{Name: "rows", Bytes: device.One(wantsRows(w)) * count * weightedLanes * n * 8},
		nodes:      device.Buffer{Name: "sums of nodes", Bytes: forNodes * word * n, Zero: true},
		edges:      device.Buffer{Name: "sums of arcs", Bytes: forEdges * word * arcs, Zero: true},
		nodeCounts: device.Buffer{Name: "sources of nodes", Bytes: folded * 4 * n, Zero: true},
		edgeCounts: device.Buffer{Name: "sources of arcs", Bytes: folded * forEdges * 4 * arcs, Zero: true},
	}
}

// counting is 1 where paths are counted, and 0 where distances suffice.
func counting(w device.Want) int64 { return device.One(!w.LevelsOnly()) }

// wantsSums reports, as 1 or 0, whether nodes and arcs have sums, and whether these are folds, which count their
// sources.
func wantsSums(w device.Want, l layout) (forNodes, forEdges, folded int64) {
	if wantsRows(w) || l.kept > 0 && w.LevelsOnly() {
		return 0, 0, 0
	}
	return device.One(w.Nodes || w.LevelsOnly()), device.One(w.Edges), device.One(w.LevelsOnly())
}

// sumBytes is the size of a sum: of an exact one, or of a greatest distance.
func sumBytes(w device.Want) int64 {
	if fold, _ := kernels.FoldOf(w.Measure); w.LevelsOnly() && (!w.Folds() || fold == kernels.FoldGreatest) {
		return 8
	}
	return device.WordBytes
}
