package levels

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// teams is how a device is shared out: teams of blocks, each with one batch of lanes sources at a time.
type teams struct {
	lanes         int64
	blocks, teams int
	// entries is the size of a team's stack: one entry per node and level at which some lane reaches it.
	entries int64
}

// arrays are the arrays of a run; see Batched in levels.cuh.
type arrays struct {
	rows, masks, stamps, stackNodes, stackMasks, ends, scaled, shared, totals, nodes, edges gpu.Ptr
}

// buffers lists the arrays of a run.
func (t teams) buffers(w device.Want, a *arrays) device.Buffers {
	n, words, count := w.Size.Nodes, t.lanes/32, int64(t.teams)
	list := device.Buffers{
		{Name: "rows", Bytes: count * n * t.rowBytes(w), Into: &a.rows},
		{Name: "masks", Bytes: count * n * t.maskBytes(), Into: &a.masks},
		{Name: "stamps", Bytes: count * n * 4, Into: &a.stamps},
		{Name: "nodes on the stack", Bytes: count * t.entries * 4, Into: &a.stackNodes},
		{Name: "masks on the stack", Bytes: count * t.entries * 4 * words, Into: &a.stackMasks},
		{Name: "ends of levels", Bytes: count * (n + 2) * 4, Into: &a.ends},
		{Name: "scaled lanes of levels", Bytes: count * (n + 2) * 4 * words, Into: &a.scaled},
		{Name: "team counters", Bytes: count * batches.TeamBytes, Into: &a.shared},
		{Name: "totals", Bytes: count * 16, Zero: true, Into: &a.totals},
	}
	return append(list, batches.Sums(w, &a.nodes, &a.edges)...)
}

// bytes bounds the device memory of a run.
func (t teams) bytes(w device.Want) int64 {
	return t.buffers(w, &arrays{}).Bytes() + batches.OrderBytes(w)
}

// fitTeams returns the teams that fit into free bytes, of the most that the device runs: shorter stacks first, then
// fewer teams. Without any that fit it returns none, and what the least would take.
func fitTeams(w device.Want, d gpu.Info, deep bool, free int64) (teams, int64) {
	t := wantTeams(w, d, deep)
	n := max(w.Size.Nodes, 1)
	for _, perNode := range []int64{fullStack, 16, 8} {
		t.entries = batches.StackEntries(n, min(perNode, t.lanes), t.lanes)
		if t.bytes(w) <= free {
			return t, 0
		}
	}
	for t.teams > 1 {
		t.teams = (t.teams + 1) / 2
		if t.bytes(w) <= free {
			return t, 0
		}
	}
	t.entries = batches.StackEntries(n, 4, t.lanes)
	least := t.bytes(w)
	if least <= free {
		return t, 0
	}
	return teams{}, least
}

// wantTeams is the shape that memory without end would get.
func wantTeams(w device.Want, d gpu.Info, deep bool) teams {
	wave := int64(shallowWave)
	t := teams{lanes: doubleLanes, blocks: teamBlocks}
	switch {
	case deep:
		t.lanes, t.blocks, wave = order.DeepLanes, 1, deepWave
	case w.Single:
		t.lanes = order.SingleLanes
	}
	grid := max(1, d.SMs*blocksPerSM)
	count := max(1, (w.Sources+int(t.lanes)-1)/int(t.lanes))
	turns := min(turnsTeam, leastTurns*grid/count, int(device.Arcs(w.Size)/turnsArcs))
	t.blocks = min(grid, max(t.blocks, min(largestTeam, grid/count), turns))
	t.teams = min(grid/t.blocks, count)
	// A wave of batches is the least between two looks at whether the run is cancelled.
	for t.blocks < min(grid, waveTeam) && int64(t.teams)*t.lanes*device.Arcs(w.Size) > wave {
		t.blocks = min(grid, 2*t.blocks)
		t.teams = min(grid/t.blocks, count)
	}
	return t
}

// rowBytes is the size of a row, large enough for a second pass in double precision.
func (t teams) rowBytes(w device.Want) int64 {
	if w.Single && t.lanes == order.SingleLanes {
		return max(4*order.SingleLanes, 8*doubleLanes)
	}
	return 8 * t.lanes
}

// maskBytes is the size of a node's masks; see Batched in levels.cuh.
func (t teams) maskBytes() int64 {
	if t.lanes == 32 {
		return 20
	}
	return 16 * t.lanes / 32
}

// profile is what the blocks counted, and about how many bytes they moved.
func (t teams) profile(numbers []int64, seconds float64, n int64) *profile.Profile {
	p, vectors := batches.ProfileOf(numbers, seconds)
	words := t.lanes / 32
	p.Bytes = 16*vectors + p.Arcs*(4+4*words) // rows, targets, masks
	// Of an entry: its node, offsets and masks; its row, written, read and written again, as wide as the rows along arcs.
	p.Bytes += p.Entries * (28 + 24*words)
	if p.Rows > 0 {
		p.Bytes += 3 * p.Entries * 16 * vectors / p.Rows
	}
	p.Bytes += p.Batches * n * t.maskBytes() // cleared
	return p
}
