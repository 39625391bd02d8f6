package batches

import (
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// Counted runs a pass of a kernel's counting form, whose arguments hold the counters' address. It returns what the pass
// left, what its blocks counted, and the seconds that it took.
func Counted(
	c *device.Calls, blocks int, counters *gpu.Ptr, pass func() []int32,
) (left []int32, numbers []int64, seconds float64) {
	*counters = c.Zeros(8 * Profiled * int64(blocks))
	c.Sync()
	start := time.Now()
	left = pass()
	seconds = time.Since(start).Seconds()
	numbers = make([]int64, Profiled*blocks)
	device.Download(c, numbers, *counters)
	c.Free(*counters)
	*counters = 0
	return left, numbers, seconds
}

// ProfileOf sums up what the blocks counted; vectors are the 16 bytes read along arcs. Cycles become seconds by
// the block that was busy for longest, which was so all the time.
func ProfileOf(numbers []int64, seconds float64) (p *profile.Profile, vectors int64) {
	var sums [Profiled]int64
	longest, blocks := int64(1), len(numbers)/Profiled
	for i, x := range numbers {
		sums[i%Profiled] += x
		if i%Profiled == SpentTotal {
			longest = max(longest, x)
		}
	}
	mean := func(what, over int) float64 { return seconds * float64(sums[what]) / float64(over) / float64(longest) }
	p = &profile.Profile{
		Seconds: seconds, Forward: mean(SpentForward, blocks), Backward: mean(SpentBackward, blocks),
		Meeting: mean(SpentMeeting, blocks), Counting: mean(SpentCounting, blocks), Idle: seconds - mean(SpentTotal, blocks),
		Batches: sums[SeenBatches], Levels: sums[SeenLevels], Entries: sums[SeenEntries], Arcs: sums[SeenArcs],
		Rows: sums[SeenRows],
	}
	if sums[SeenRounds] > 0 {
		p.Weighted = &profile.Weighted{
			Starting: mean(SpentStarting, blocks), Distances: mean(SpentDistances, blocks),
			PathArcs: mean(SpentPathArcs, blocks), Counts: mean(SpentCounts, blocks), Picking: mean(SpentPicking, blocks),
			Rounds: sums[SeenRounds], Passed: sums[SeenPassed], Lowered: sums[SeenLowered], Picks: sums[SeenPicks],
			Looks: sums[SeenLooks], Relaxed: sums[SeenRelaxed], Compared: sums[SeenCompared],
		}
	}
	return p, sums[SeenVectors]
}
