package weighted

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// teams is how a device is shared out: teams of blocks, each with one batch of weightedLanes sources at a time.
type teams struct {
	threads, blocks, teams int
	// entries is the size of a team's stack: one entry per node and round at which some lanes of it are counted.
	entries int64
}

// rounds bounds the rounds of a batch.
func (t teams) rounds() int64 { return t.entries }

// fitTeams returns the teams that fit into free bytes, of the most that the device runs. A stack of an entry for every
// node and lane, which nothing overflows, is given up first for shorter ones, then teams. Without any that fit it
// returns none, and what the least would take.
func fitTeams(w device.Want, d gpu.Info, free int64) (teams, int64) {
	t := wantTeams(w, d)
	n := max(w.Size.Nodes, 1)
	for {
		for _, perNode := range []int64{fullStack, 16, 8} {
			t.entries = batches.StackEntries(n, perNode, weightedLanes)
			if t.bytes(w) <= free {
				return t, 0
			}
			if w.LevelsOnly() {
				break
			}
		}
		if t.teams == 1 {
			return teams{}, t.bytes(w)
		}
		t.teams = (t.teams + 1) / 2
	}
}

// wantTeams is the shape that memory without end would get: one block per batch where there are batches for every
// place, larger blocks, then teams, where there are few, or where a wave of them would be long.
func wantTeams(w device.Want, d gpu.Info) teams {
	t := teams{threads: batchThreads, blocks: 1}
	arcs, count := device.Arcs(w.Size), max(1, int(batchesOf(w.Sources)))
	perSM, large := batchesPerSM, !w.LevelsOnly() || arcs >= denserDegree*w.Size.Nodes
	for perSM > 1 && (large || count <= d.SMs*perSM/2) {
		perSM, t.threads = perSM/2, 2*t.threads
	}
	grid := max(1, d.SMs*perSM)
	t.blocks = min(grid, max(1, min(largestTeam, grid/count, int(arcs/arcsPerBlock))))
	t.teams = min(grid/t.blocks, count)
	for t.blocks < min(grid, largestTeam) && int64(t.teams)*weightedLanes*arcs > wave {
		t.blocks = min(grid, 2*t.blocks)
		t.teams = min(grid/t.blocks, count)
	}
	return t
}

// longer returns fewer teams with longer stacks in the same memory; false where there are none longer.
func (t teams) longer(n int64) (teams, bool) {
	entries := min(batches.StackEntries(n, fullStack, weightedLanes), int64(t.teams)*t.entries)
	if entries <= t.entries {
		return t, false
	}
	t.teams = max(1, int(int64(t.teams)*t.entries/entries))
	t.entries = entries
	return t, true
}

// bytes bounds the device memory of a run, whatever lengths turn out to be.
func (t teams) bytes(w device.Want) int64 {
	n, a := w.Size.Nodes, device.Arcs(w.Size)
	once := batches.OrderBytes(w) + 12*a + 16*n + 16*int64(w.Sources) // weights, narrow ticks, masses and insides, lists
	if w.Size.Directed {
		once += 12 * a
	}
	return t.buffers(w, widest(w.Size)).list(&batchedWeightedArrays{}).Bytes() + once
}

// profile is what the blocks counted, and about how many bytes they moved, with keys of so many bytes.
func (t teams) profile(numbers []int64, seconds float64, g *device.Graph, key int64) *profile.Profile {
	p, _ := batches.ProfileOf(numbers, seconds)
	const row = 4 * weightedLanes                              // of counts
	keys := key * weightedLanes                                // of distances
	p.Bytes = p.Rows*row + p.Arcs*8                            // rows, targets, weights or shortest-path arcs
	p.Bytes += p.Entries * (3*row + 28)                        // its row, as by hops
	p.Bytes += p.Batches * (g.N*(3*keys+2*key+16) + g.Arcs*12) // cleared, tallied and looked at for shortest-path arcs
	if w := p.Weighted; w != nil {
		p.Bytes += (w.Relaxed + w.Compared) * keys
	}
	return p
}
