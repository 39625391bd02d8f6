package worker

import (
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// hopTeams is how a device is shared out for what needs no counts of paths: teams of blocks, each with a batch of lanes sources.
type hopTeams struct {
	lanes         int64
	blocks, teams int
}

// wantHopTeams is the shape that memory without end would get: teams as large as a level of a batch keeps busy, and no
// fewer rounds of batches than need be.
func wantHopTeams(size kernels.Size, w Want, d gpu.Info, deep bool) hopTeams {
	t := hopTeams{lanes: manyLanes}
	kind := hopFoldOf(w, size.Directed, deep)
	switch {
	case int64(w.Sources) <= fewSources:
		t.lanes = fewLanes
	case deep && kind != hopArcs && kind != hopWeights: // which have no kernel for so many
		t.lanes = deepHopLanes
	}
	level := float64(arcs(size)) * shallowLevel
	if deep {
		level = float64(arcs(size)) * deepLevel / math.Sqrt(float64(max(size.Nodes, 1)))
	}
	grid := max(1, d.SMs*hopsPerSM)
	t.blocks = min(grid, max(1, int(level)/hopThreads))
	batches := max(1, (w.Sources+int(t.lanes)-1)/int(t.lanes))
	rounds := (batches + grid/t.blocks - 1) / (grid / t.blocks)
	t.teams = (batches + rounds - 1) / rounds
	t.blocks = grid / t.teams
	return t
}

// fitHopTeams takes as many teams as fit into free bytes; without any, it returns what the least would take.
func fitHopTeams(size kernels.Size, w Want, d gpu.Info, deep bool, free int64) (hopTeams, int64) {
	t := wantHopTeams(size, w, d, deep)
	for t.bytes(size, w, deep) > free && t.teams > 1 {
		t.teams /= 2
	}
	if t.bytes(size, w, deep) > free {
		t.lanes = fewLanes
	}
	if least := t.bytes(size, w, deep); least > free {
		return hopTeams{}, least
	}
	return t, 0
}

// bytes bounds the device memory of the run.
func (t hopTeams) bytes(size kernels.Size, w Want, deep bool) int64 {
	n, a, kind, sides := size.Nodes, arcs(size), hopFoldOf(w, size.Directed, deep), int64(1)
	if size.Directed {
		sides = 2
	}
	team := n*(kind.masks()*t.lanes/8+4+8+12) + sides*a*(kind.sumBytes()+kind.countBytes()) + size.Edges*kind.pairBytes() + teamBytes + 16
	once := sides*(4*a+4*(n+1)+a/16) + 8*n + 24*n + 8*int64(w.Sources) + 1<<16
	if kind == hopWeights {
		once += int64(w.Sources)*32/8 + 32*t.lanes/8
	}
	if kind.pairs() {
		once += pairListBytes(n, size.Edges, t.lanes)
	}
	if w.Edges {
		once += 4*sides*a + 16*size.Edges
	}
	return int64(t.teams)*team + once
}

// planHops is Plan for what needs no counts of paths; whether the graph is shallow or deep, Run finds out.
func (b batched) planHops(size kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	plan := Plan{Threads: hopThreads, HostBytes: b.hostBytes(size, w) + 40*size.Nodes}
	if w.Edges && size.Directed {
		plan.HostBytes += 16 * size.Edges
	}
	for _, deep := range []bool{false, true} {
		shape, least := fitHopTeams(size, w, d, deep, free)
		if shape.teams == 0 {
			return Plan{}, &gpu.TooLarge{What: b.Name(), Need: least, Free: free}
		}
		plan.DeviceBytes = max(plan.DeviceBytes, shape.bytes(size, w, deep))
		plan.Blocks = max(plan.Blocks, shape.teams*shape.blocks)
	}
	return plan, nil
}
