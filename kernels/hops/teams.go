package hops

import (
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// teams is how a device is shared out: teams of blocks, each with a batch of lanes sources.
type teams struct {
	lanes         int64
	blocks, teams int
}

// shape is what a run does and how.
type shape struct {
	team    teams
	kind    kind
	numbers numbers
	deep    bool
}

// wantTeams is the shape that memory without end would get: teams as large as a level of a batch keeps busy, and no
// fewer rounds of batches than need be.
func wantTeams(w device.Want, k kind, d gpu.Info, deep bool) teams {
	t := teams{lanes: manyLanes}
	switch {
	case int64(w.Sources) <= fewSources:
		t.lanes = fewLanes
	case deep && k != arcs && k != weights: // which have no kernel for so many
		t.lanes = deepLanes
	}
	level := float64(device.Arcs(w.Size)) * shallowLevel
	if deep {
		level = float64(device.Arcs(w.Size)) * deepLevel / math.Sqrt(float64(max(w.Size.Nodes, 1)))
	}
	grid := max(1, d.SMs*blocksPerSM)
	t.blocks = min(grid, max(1, int(level)/hopThreads))
	count := max(1, (w.Sources+int(t.lanes)-1)/int(t.lanes))
	rounds := (count + grid/t.blocks - 1) / (grid / t.blocks)
	t.teams = (count + rounds - 1) / rounds
	t.blocks = grid / t.teams
	return t
}

// fit takes as many teams as fit into free bytes. Without any it returns false, and what the least would take.
func fit(w device.Want, d gpu.Info, deep bool, free int64) (s shape, least int64, ok bool) {
	k := kindOf(w, w.Size.Directed, deep)
	s = shape{team: wantTeams(w, k, d, deep), kind: k, numbers: numbersOf(w, deep), deep: deep}
	for s.bytes(w) > free && s.team.teams > 1 {
		s.team.teams /= 2
	}
	if s.bytes(w) > free {
		s.team.lanes = fewLanes
	}
	least = s.bytes(w)
	return s, least, least <= free
}

// sums are the sums of arcs of one side, or of nodes; see Hops of hops.cuh.
type sums struct{ sums, over, counts gpu.Ptr }

// buffers lists the arrays of the sums of count things per team.
func (s *sums) buffers(what string, count, bytes, over, counts int64) device.Buffers {
	return device.Buffers{
		{Name: "sums of " + what, Bytes: count * bytes, Zero: true, Into: &s.sums},
		{Name: "upper bits of sums of " + what, Bytes: count * over, Zero: true, Into: &s.over},
		{Name: "counts of " + what, Bytes: count * counts, Zero: true, Into: &s.counts},
	}
}

// arrays are the arrays of a search; see Hops of hops.cuh.
type arrays struct {
	masks, stamps, lists, shared, totals, plot gpu.Ptr
	nodes, out, in                             sums
	pairs                                      pairs
	sought                                     sought
}

// search lists the arrays of the searches.
func (s shape) search(w device.Want, a *arrays) device.Buffers {
	count, m := int64(s.team.teams), w.Size.Edges
	n, along := count*w.Size.Nodes, count*device.Arcs(w.Size)
	list := device.Buffers{
		{Name: "masks", Bytes: s.kind.masks() * n * s.team.lanes / 8, Into: &a.masks},
		{Name: "stamps", Bytes: 4 * n, Into: &a.stamps},
		{Name: "nodes of two levels", Bytes: 8 * n, Into: &a.lists},
		{Name: "team counters", Bytes: count * batches.TeamBytes, Into: &a.shared},
		{Name: "totals", Bytes: 16 * count, Zero: true, Into: &a.totals},
	}
	over, counts := s.numbers.overBytes(), s.kind.arcCounts()
	switch {
	case s.kind == lanes:
		list = append(list, a.sought.buffers(int64(s.mostSought()))...)
	case s.kind == weights:
		list = append(list, a.nodes.buffers("nodes", n, 8, 0, 0)...)
	case w.Folds():
		list = append(list, a.nodes.buffers("nodes", n, 8, over, 4)...)
	default:
		list = append(list, device.Buffer{Name: "pairs by distance", Bytes: 8 * n, Zero: true, Into: &a.plot})
	}
	if s.kind == gaps || s.kind == arcs {
		list = append(list, a.out.buffers("arcs", along, s.kind.arcBytes(), over, counts)...)
	}
	if s.kind == arcs {
		list = append(list, a.in.buffers("arcs backwards", along, s.kind.arcBytes(), over, counts)...)
	}
	if s.kind.pairs() {
		list = append(list, device.Buffers{
			{Name: "ends of edges", Bytes: 8 * m, Into: &a.pairs.ends},
			{Name: "edges by their ends", Bytes: 4 * m, Into: &a.pairs.edges},
			{Name: "folds of edges by their ends", Bytes: count * m * s.kind.pairBytes(), Zero: true, Into: &a.pairs.folds},
		}...)
	}
	return list
}

// joined are what the teams' sums are joined in.
type joined struct{ nodes, nodeCounts, edges, edgeCounts, isSource gpu.Ptr }

// results lists the arrays in which sums are joined.
func (s shape) results(w device.Want, a *joined) device.Buffers {
	if s.kind == lanes || s.kind != weights && !w.Folds() {
		return nil
	}
	n, m := w.Size.Nodes, w.Size.Edges
	list := device.Buffers{
		{Name: "joined sums of nodes", Bytes: longBytes * n, Into: &a.nodes},
		{Name: "joined counts of nodes", Bytes: 4 * n, Into: &a.nodeCounts},
	}
	if w.Edges {
		list = append(list, device.Buffers{
			{Name: "joined folds of edges", Bytes: s.numbers.edgeBytes() * m, Zero: true, Into: &a.edges},
			{Name: "joined counts of edges", Bytes: 4 * m, Zero: true, Into: &a.edgeCounts},
			{Name: "sources", Bytes: 4 * n, Into: &a.isSource},
		}...)
	}
	return list
}

// bytes bounds the device memory of a run.
func (s shape) bytes(w device.Want) int64 {
	bytes := s.search(w, &arrays{}).Bytes() + s.results(w, &joined{}).Bytes()
	along, size := device.Arcs(w.Size), w.Size
	if size.Directed {
		along *= 2
	}
	bytes += int64(float64(along) * restOfOrder)
	if w.Edges {
		bytes += 4 * along
	}
	if s.kind == weights {
		bytes += (int64(w.Sources) + s.team.lanes) * bitsOfWeight / 8
	}
	if s.kind.pairs() {
		bytes += s.cursorBytes(size.Nodes)
	}
	w.Edges = false // the edges of the arcs are counted above
	return bytes + batches.OrderBytes(w)
}
