package worker

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// teams is how a device is shared out: teams of blocks, each with one batch of lanes sources at a time.
type teams struct {
	lanes         int64
	blocks, teams int
	// slots are the sums of scores, one of a team at a time; see eachBatch in kernels/batches/team.cuh.
	slots int
	// entries is the size of a team's stack: one entry a node and level at which some lane reaches it.
	entries int64
}

// fitTeams returns the teams that fit into free bytes, of the most that the device runs: fewer slots first, then shorter stacks,
// then fewer teams. Without any that fit it returns none, and what the least would take.
func fitTeams(size kernels.Size, w Want, d gpu.Info, deep bool, free int64) (teams, int64) {
	t := wantTeams(size, w, d, deep)
	n := max(size.Nodes, 1)
	t.entries = stackEntries(n, min(fullStack, t.lanes), t.lanes)
	for t.slots > t.teams && t.bytes(size, w) > free {
		t.slots = max(t.teams, t.slots/2)
	}
	for _, a := range []int64{fullStack, 16, 8} {
		t.entries = stackEntries(n, min(a, t.lanes), t.lanes)
		if t.bytes(size, w) <= free {
			return t, 0
		}
	}
	for t.teams > 1 {
		t.teams = (t.teams + 1) / 2
		t.slots = t.teams
		if t.bytes(size, w) <= free {
			return t, 0
		}
	}
	t.entries = stackEntries(n, 4, t.lanes)
	least := t.bytes(size, w)
	if least <= free {
		return t, 0
	}
	return teams{}, least
}

// stackEntries is the size of a stack of perNode entries a node, within 32 bits; the sources' own entries always fit.
func stackEntries(n, perNode, lanes int64) int64 { return min(n*perNode, 1<<31) + lanes }

// wantTeams is the shape that memory without end would get.
func wantTeams(size kernels.Size, w Want, d gpu.Info, deep bool) teams {
	wave := int64(shallowWave)
	t := teams{lanes: doubleLanes, blocks: teamBlocks}
	switch {
	case deep:
		t.lanes, t.blocks, wave = order.DeepLanes, 1, deepWave
	case w.Single:
		t.lanes = order.SingleLanes
	}
	grid := max(1, d.SMs*batchedPerSM)
	batches := max(1, (w.Sources+int(t.lanes)-1)/int(t.lanes))
	t.blocks = min(grid, max(t.blocks, min(largestTeam, grid/batches)))
	t.teams = min(grid/t.blocks, batches)
	// A wave of batches is the least between two looks at whether the run is cancelled.
	for t.blocks < min(grid, largestTeam) && int64(t.teams)*t.lanes*arcs(size) > wave {
		t.blocks = min(grid, 2*t.blocks)
		t.teams = min(grid/t.blocks, batches)
	}
	t.slots = min(batches, slotsATeam*t.teams)
	return t
}

// rowBytes is the size of a row, large enough for a second pass in double precision.
func (t teams) rowBytes(w Want) int64 {
	if w.Single && t.lanes == order.SingleLanes {
		return max(4*order.SingleLanes, 8*doubleLanes)
	}
	return 8 * t.lanes
}

// maskBytes is the size of a node's masks; see Batched in kernels/levels/levels.cuh.
func (t teams) maskBytes() int64 {
	if t.lanes == 32 {
		return 20
	}
	return 16 * t.lanes / 32
}

// bytes bounds the device memory of the run.
func (t teams) bytes(size kernels.Size, w Want) int64 {
	n, a, words := size.Nodes, arcs(size), t.lanes/32
	team := n*(t.rowBytes(w)+t.maskBytes()+4) + t.entries*(4+4*words) + (n+2)*(4+4*words) + teamBytes + 16
	once := 4*a + 4*(n+1) + 16*n + 8*int64(w.Sources) + 1<<16
	if size.Directed {
		once += 4*a + 4*(n+1)
	}
	return int64(t.teams)*team + sumBytes(size, w, t.slots) + once
}

// sumBytes is what the slots of sums of scores take, with their turns, and what joins them.
func sumBytes(size kernels.Size, w Want, slots int) int64 {
	slot, once := int64(4), int64(0)
	if w.Nodes {
		slot += 8 * size.Nodes
		once += 8 * size.Nodes
	}
	if w.Edges {
		slot += 8 * arcs(size)
		once += 4*arcs(size) + 8*size.Edges
	}
	return int64(slots)*slot + once
}
