package cuda

import (
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Numbers of a block as in Profiled of kernels/profile.cuh.
const (
	profiledForward = iota
	profiledBackward
	profiledMeeting
	profiledTurn
	profiledCounting
	profiledTotal
	profiledBatches
	profiledLevels
	profiledEntries
	profiledArcs
	profiledRows
	profiledVectors
	profiledNumbers
)

// withProfile runs a pass of the kernel's counting form, and keeps what it counted.
func (r *batchedRun) withProfile(pass func(suffix string) []int32) []int32 {
	blocks := r.team.teams * r.team.blocks
	r.profile = r.zeros(8 * profiledNumbers * int64(blocks))
	if r.err == nil {
		r.err = r.device.Sync()
	}
	start := time.Now()
	left := pass("_profile")
	seconds := time.Since(start).Seconds()
	numbers := make([]int64, profiledNumbers*blocks)
	if r.err == nil {
		r.err = Download(r.device, numbers, r.profile)
	}
	r.free(r.profile)
	r.profile = 0
	r.profiled = r.team.profile(numbers, seconds, r.job.Graph.N)
	return left
}

// profile sums up what the blocks counted. Cycles become seconds by the block that was busy for longest, which was so all the time.
func (t teams) profile(numbers []int64, seconds float64, n int64) *gpu.Profile {
	var sums [profiledNumbers]int64
	longest, blocks := int64(1), len(numbers)/profiledNumbers
	for i, x := range numbers {
		sums[i%profiledNumbers] += x
		if i%profiledNumbers == profiledTotal {
			longest = max(longest, x)
		}
	}
	mean := func(what, over int) float64 { return seconds * float64(sums[what]) / float64(over) / float64(longest) }
	words, entries, arcs, vectors := t.lanes/32, sums[profiledEntries], sums[profiledArcs], sums[profiledVectors]
	bytes := 16*vectors + arcs*(4+4*words) // rows, targets, masks
	// Of an entry: its node, offsets and masks; its row, written, read and written again, as wide as the rows along arcs.
	bytes += entries * (28 + 24*words)
	if rows := sums[profiledRows]; rows > 0 {
		bytes += 3 * entries * 16 * vectors / rows
	}
	bytes += sums[profiledBatches] * n * t.maskBytes() // cleared
	return &gpu.Profile{
		Seconds: seconds, Forward: mean(profiledForward, blocks), Backward: mean(profiledBackward, blocks), Meeting: mean(profiledMeeting, blocks),
		Turn: mean(profiledTurn, t.teams), Counting: mean(profiledCounting, blocks), Idle: seconds - mean(profiledTotal, blocks),
		Batches: sums[profiledBatches], Levels: sums[profiledLevels], Entries: entries, Arcs: arcs, Rows: sums[profiledRows], Bytes: bytes,
	}
}
