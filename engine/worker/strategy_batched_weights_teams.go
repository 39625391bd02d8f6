package worker

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// weightedTeams is how a device is shared out by weights: teams of blocks, each with a batch of weightedLanes sources.
type weightedTeams struct {
	threads, blocks, teams int
	// slots are the sums of scores, as those of teams.
	slots int
	// entries is the size of a team's stack: one entry a node and round at which some lanes of it are counted.
	entries int64
}

// rounds bounds the rounds of a batch.
func (t weightedTeams) rounds() int64 { return t.entries }

// fitWeightedTeams returns the teams that fit into free bytes, of the most that the device runs. Slots are given up
// first, then a stack of an entry for every node and lane, which nothing overflows, for shorter ones, then teams. Without any that fit it
// returns none, and what the least would take.
func fitWeightedTeams(size kernels.Size, w Want, d gpu.Info, free int64) (weightedTeams, int64) {
	t := wantWeightedTeams(size, w, d)
	n := max(size.Nodes, 1)
	t.entries = stackEntries(n, weightedLanes+1, weightedLanes)
	for t.slots > t.teams && t.bytes(size, w) > free {
		t.slots = max(t.teams, t.slots/2)
	}
	for {
		for _, perNode := range []int64{weightedLanes + 1, 16, 8} {
			t.entries = stackEntries(n, perNode, weightedLanes)
			if t.bytes(size, w) <= free {
				return t, 0
			}
			if w.levelsOnly() {
				break
			}
		}
		if t.teams == 1 {
			return weightedTeams{}, t.bytes(size, w)
		}
		t.teams = (t.teams + 1) / 2
		t.slots = t.teams
	}
}

// wantWeightedTeams is the shape that memory without end would get: a block a batch where there are batches for every
// place, larger blocks, then teams, where there are few, or where a wave of them would be long.
func wantWeightedTeams(size kernels.Size, w Want, d gpu.Info) weightedTeams {
	t := weightedTeams{threads: weightedBatchThreads, blocks: 1}
	batches := max(1, (w.Sources+weightedLanes-1)/weightedLanes)
	perSM, large := weightedBatchesPerSM, !w.levelsOnly() || arcs(size) >= denserDegree*size.Nodes
	for perSM > 1 && (large || batches <= d.SMs*perSM/2) {
		perSM, t.threads = perSM/2, 2*t.threads
	}
	grid := max(1, d.SMs*perSM)
	t.blocks = min(grid, max(1, min(largestTeam, grid/batches, int(arcs(size)/arcsABlock))))
	t.teams = min(grid/t.blocks, batches)
	for t.blocks < min(grid, largestTeam) && int64(t.teams)*weightedLanes*arcs(size) > weightedWave {
		t.blocks = min(grid, 2*t.blocks)
		t.teams = min(grid/t.blocks, batches)
	}
	t.slots = min(batches, slotsATeam*t.teams)
	return t
}

// laneSumBytes is what a block needs to add up distances.
const laneSumBytes = 2 * 8 * weightedLanes

// bytes bounds the device memory of the run.
func (t weightedTeams) bytes(size kernels.Size, w Want) int64 {
	n, a := size.Nodes, arcs(size)
	keys, when := keysOfNode(maybeBounded(size))
	team := n*(8*weightedLanes+8*keys+8*when+4+16+12) + int64(t.blocks)*laneSumBytes + teamBytes + 8
	team += int64(t.blocks) * (min(n, 2*a/weightedHub)*4 + 2*a/shortRow*8)  // hubs, segments of long rows
	once := 12*a + 4*(n+1) + 4*a + 16*n + 8*n + 24*int64(w.Sources) + 1<<17 // rows, narrow ticks, lightest arcs, order
	if size.Directed {
		once += 16*a + 4*(n+1) + 8*n
	}
	if !w.levelsOnly() {
		team += n*8*weightedLanes + 8*a + 8*t.entries + 4*(t.rounds()+2)
		once += 8 * n // masses
	}
	slot := int64(16 + 4) // totals, and a turn
	switch {
	case w.Measure == distances && !w.Summary:
		team += n * 8 * weightedLanes
		once += 4 * n
	case w.levelsOnly():
		slot += 12 * n
		once += 24 * n // masses, and what lies inside
	case w.Nodes:
		slot += 8 * n
		once += 8 * n
	}
	if w.Edges {
		slot += 8 * a
		once += 4*a + 16*size.Edges
		if w.folds() {
			slot += 4 * a
		}
	}
	return int64(t.teams)*team + int64(t.slots)*slot + once
}

// profile says what the blocks counted, and about how many bytes they moved, with keys of so many bytes.
func (t weightedTeams) profile(numbers []int64, seconds float64, n, arcs, key int64) *profile.Profile {
	p, _ := profileOf(numbers, seconds, t.teams)
	const row = 4 * weightedLanes                          // of counts
	keys := key * weightedLanes                            // of distances
	p.Bytes = p.Rows*row + p.Arcs*8                        // rows, targets, weights or tight lanes
	p.Bytes += p.Entries * (3*row + 28)                    // its row, as by hops
	p.Bytes += p.Batches * (n*(3*keys+2*key+16) + arcs*12) // cleared, tallied and looked at for tight arcs
	if w := p.Weighted; w != nil {
		p.Bytes += (w.Relaxed + w.Compared) * keys
	}
	return p
}

// planWeights is Plan by weights. Equal weights may take the plan by hops, so that both must fit.
func (b batched) planWeights(size kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	plan := Plan{HostBytes: b.hostBytes(size, w)}
	if w.equalByHops() {
		hops := w
		hops.Weighted = false
		var err error
		if plan, err = b.Plan(size, hops, d, free); err != nil {
			return Plan{}, err
		}
	}
	shape, least := fitWeightedTeams(size, w, d, free)
	if shape.teams == 0 {
		return Plan{}, &gpu.TooLarge{What: b.Name(), Need: least, Free: free}
	}
	plan.DeviceBytes = max(plan.DeviceBytes, shape.bytes(size, w))
	plan.Blocks, plan.Threads = shape.teams*shape.blocks, shape.threads
	plan.HostBytes += 40*size.Nodes + 32*arcs(size)
	if small := fitSmall(size, w, d); small.blocks > 0 && small.bytes(size, w) <= free {
		plan.DeviceBytes = max(plan.DeviceBytes, small.bytes(size, w))
	}
	switch {
	case w.Measure == distances && !w.Summary:
		plan.HostBytes += int64(shape.teams) * weightedLanes * size.Nodes * 8
	case !w.levelsOnly():
		fallback := b.narrowest().state(size, w, 16, map[bool]int64{true: wideSum, false: 8}[w.kind() == kernels.PathCounts])
		plan.DeviceBytes = max(plan.DeviceBytes, fallback.block()+fallback.once)
	}
	if plan.DeviceBytes > free {
		return Plan{}, &gpu.TooLarge{What: b.Name(), Need: plan.DeviceBytes, Free: free}
	}
	return plan, nil
}
