package hops

import (
	"math"
	"math/bits"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// kind is what lanes are folded into: HopFold of hops.cuh.
type kind string

const (
	nodes   kind = "nodes"
	ends    kind = "ends"
	turns   kind = "turns"
	gaps    kind = "gaps"
	arcs    kind = "arcs"
	weights kind = "weights"
	lanes   kind = "lanes"
)

func kindOf(w device.Want, directed, deep bool) kind {
	fold, _ := kernels.FoldOf(w.Measure)
	switch {
	case w.Seeks():
		return lanes
	case w.Kind() == kernels.Balls:
		return weights
	case !w.Edges:
		return nodes
	case directed:
		return arcs
	case fold != kernels.FoldInverse:
		return ends
	case deep:
		return gaps
	}
	return turns
}

// arcBytes is the size of the sum that an arc keeps, and arcCounts that of its count.
func (k kind) arcBytes() int64 {
	if k == gaps || k == arcs {
		return 8
	}
	return 0
}

func (k kind) arcCounts() int64 {
	if k == arcs {
		return 4
	}
	return 0
}

// pairBytes is the size of what a pair keeps.
func (k kind) pairBytes() int64 { return map[kind]int64{ends: 4, turns: 8}[k] }

// marks is how many marks a node has, masks how many masks with them.
func (k kind) marks() int64 { return map[kind]int64{ends: 1, turns: 2}[k] }
func (k kind) masks() int64 { return 3 + k.marks() }

// backwards reports whether searches go against the arcs, so that the folds of their sources are those of what they
// reach.
func (k kind) backwards() bool { return k == weights || k == lanes }

// pairs reports whether the ends of edges are listed.
func (k kind) pairs() bool { return k == ends || k == turns || k == gaps }

// numbers are the whole numbers that a run adds up.
type numbers struct {
	fold kernels.Fold
	// wide reports that sums have 96 bits and not 64.
	wide bool
}

// numbersOf are those of a job. Inverses of long distances need more than 64 bits next to those of short ones.
func numbersOf(w device.Want, deep bool) numbers {
	fold, _ := kernels.FoldOf(w.Measure)
	return numbers{fold: fold, wide: fold == kernels.FoldInverse && deep}
}

// mostPoint is what the device makes a signed number of.
const mostPoint = 62

// point is by how many bits the sums are moved, so that all of so many sources fit, and the host's sums hold them
// exactly. It depends on the whole run alone.
func (n numbers) point(s exact.Scale, sources int) int {
	if n.fold != kernels.FoldInverse {
		return 0
	}
	most := min(mostPoint, math.Ilogb(s.Unit)+math.Ilogb(s.Fine))
	if n.wide {
		return most
	}
	return min(most, 64-bits.Len(uint(sources)))
}

// overBytes is the size of the upper bits of a sum.
func (n numbers) overBytes() int64 {
	if n.wide {
		return 4
	}
	return 0
}

// longBytes is the size of Long in hop_sums.cu.
const longBytes = 16

// edgeBytes is the size of what is folded at an edge.
func (n numbers) edgeBytes() int64 {
	if n.fold == kernels.FoldGreatest {
		return 4
	}
	return longBytes
}
