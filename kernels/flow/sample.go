package flow

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

const (
	// exactNodes is the number of nodes up to which a block is solved exactly, unless the request names an error.
	exactNodes = 10_000
	// Errors of what is drawn, unless the request names one: of resistances relative, of currents a share of all pairs.
	resistanceError, currentError = 0.1, 0.05
	// delta is the probability with which any score may miss its bound.
	delta = 0.01
)

// drawing says how many right-hand sides are drawn for each block; 0 for none, where the block is solved exactly.
type drawing struct {
	of    []int
	error float64 // the bound; 0 if nothing is drawn
}

// drawn is the number of all right-hand sides that are drawn.
func (d drawing) drawn() (sum int) {
	for _, count := range d.of {
		sum += count
	}
	return sum
}

// mayDraw reports whether a block of so many nodes is drawn from rather than solved, if that takes count right-hand
// sides instead of exact ones. asked is the error that the request names, or 0.
func mayDraw(nodes, asked, count, exact float64) bool {
	return count >= 1 && count < exact && (asked > 0 || nodes > exactNodes)
}

// projections is how many keep an error of so many resistances at once.
func projections(resistances, bound float64) float64 {
	return math.Ceil(2 * math.Log(2*resistances/delta) / (bound*bound/2 - bound*bound*bound/3))
}

// draws is how many pairs keep an error of so many scores at once.
func draws(scores, bound float64) float64 {
	return math.Ceil(math.Log(2*scores/delta) / (2 * bound * bound))
}

// drawResistances decides for resistances. Projections of that number change all resistances by no more than the error
// times each, except with the probability delta (Achlioptas, "Database-friendly random projections", 2003). between is
// the pairs of nodes of a block whose resistances are used.
func drawResistances(blocks []block, r kernels.Request, between func(b *block) float64) drawing {
	d := drawing{of: make([]int, len(blocks))}
	bound, all := orElse(r.Error, resistanceError), 0.0
	for i := range blocks {
		if !blocks[i].isBridge() {
			all += between(&blocks[i])
		}
	}
	count := projections(all, bound)
	for i := range blocks {
		if b := &blocks[i]; !b.isBridge() && mayDraw(float64(len(b.nodes)), r.Error, count, float64(len(b.nodes))) {
			d.of[i], d.error = int(count), bound
		}
	}
	return d
}

// allPairs are the pairs of nodes of a block, ofResistors those that resistors join.
func allPairs(b *block) float64    { return float64(len(b.nodes)) * float64(len(b.nodes)-1) / 2 }
func ofResistors(b *block) float64 { return float64(len(b.resistors)) }

// drawCurrents decides for currents. The current of a pair in a resistor, and through a node, is at most 1, so the mean
// of that number of drawn pairs misses the mean of all by no more than the error, except with the probability delta
// (Hoeffding, 1963). Errors of all blocks together are that error of all pairs of the graph.
func drawCurrents(n int, blocks []block, r kernels.Request) drawing {
	d := drawing{of: make([]int, len(blocks))}
	bound, scores, through := orElse(r.Error, currentError), 0.0, 0.0
	for i := range blocks {
		if b := &blocks[i]; !b.isBridge() && (r.Error > 0 || len(b.nodes) > exactNodes) {
			scores += float64(len(b.nodes) + len(b.resistors))
			through += b.pairs()
		}
	}
	each := bound * float64(n) * float64(n-1) / 2 / through
	count := draws(scores, each)
	for i := range blocks {
		if b := &blocks[i]; !b.isBridge() && mayDraw(float64(len(b.nodes)), r.Error, count, float64(len(b.resistors))) {
			d.of[i], d.error = int(count), bound
		}
	}
	return d
}

func orElse(asked, otherwise float64) float64 {
	if asked > 0 {
		return asked
	}
	return otherwise
}
