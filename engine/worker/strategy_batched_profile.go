package worker

import (
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// withProfile runs a pass of a kernel's counting form, and returns what its blocks counted, and the seconds that it took.
func (r *reordered) withProfile(blocks int, pass func() []int32) (left []int32, numbers []int64, seconds float64) {
	r.profile = r.zeros(8 * profiled * int64(blocks))
	if r.err == nil {
		r.err = r.device.Sync()
	}
	start := time.Now()
	left = pass()
	seconds = time.Since(start).Seconds()
	numbers = make([]int64, profiled*blocks)
	if r.err == nil {
		r.err = gpu.Download(r.device, numbers, r.profile)
	}
	r.free(r.profile)
	r.profile = 0
	return left, numbers, seconds
}

// profile says what the blocks counted, and about how many bytes they moved.
func (t teams) profile(numbers []int64, seconds float64, n int64) *profile.Profile {
	p, vectors := profileOf(numbers, seconds, t.teams)
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

func (t deepTeams) profile(numbers []int64, seconds float64, n int64) *profile.Profile {
	p, vectors := profileOf(numbers, seconds, t.teams)
	p.Bytes = 16*vectors + p.Arcs*(4+8*deepWords)          // rows, targets, steps
	p.Bytes += p.Entries * (3*deepRow + 28 + 24*deepWords) // its row, and as above
	p.Bytes += p.Batches * n * (deepRow + 16*deepWords)    // distances, written and read, and what is kept of them
	return p
}

// profileOf sums up what the blocks of so many teams counted; vectors are the 16 bytes read along arcs. Cycles become seconds by
// the block that was busy for longest, which was so all the time.
func profileOf(numbers []int64, seconds float64, teams int) (p *profile.Profile, vectors int64) {
	var sums [profiled]int64
	longest, blocks := int64(1), len(numbers)/profiled
	for i, x := range numbers {
		sums[i%profiled] += x
		if i%profiled == spentTotal {
			longest = max(longest, x)
		}
	}
	mean := func(what, over int) float64 { return seconds * float64(sums[what]) / float64(over) / float64(longest) }
	p = &profile.Profile{
		Seconds: seconds, Forward: mean(spentForward, blocks), Backward: mean(spentBackward, blocks), Meeting: mean(spentMeeting, blocks),
		Turn: mean(spentTurn, teams), Counting: mean(spentCounting, blocks), Idle: seconds - mean(spentTotal, blocks),
		Batches: sums[seenBatches], Levels: sums[seenLevels], Entries: sums[seenEntries], Arcs: sums[seenArcs], Rows: sums[seenRows],
	}
	if sums[seenRounds] > 0 {
		p.Weighted = &profile.Weighted{
			Starting: mean(spentStarting, blocks), Distances: mean(spentDistances, blocks), Tight: mean(spentTight, blocks),
			Counts: mean(spentCounts, blocks), Picking: mean(spentPicking, blocks),
			Rounds: sums[seenRounds], Passed: sums[seenPassed], Lowered: sums[seenLowered], Picks: sums[seenPicks], Looks: sums[seenLooks],
			Relaxed: sums[seenRelaxed], Compared: sums[seenCompared],
		}
	}
	return p, sums[seenVectors]
}
