// Package prefetch asks the processor to read memory into its caches, while the program goes on with something else.
// Nothing but speed depends on it: it asks for numbers of nodes that a search comes to next, which lie in no order.
package prefetch

import "unsafe"

// Few is how many nodes to ask for at a time: what they need should have come by the time when that of as many others
// was used.
const Few = 16

// Pays is from how many nodes on it pays to ask: what a search keeps of fewer is in the cache.
const Pays = 1 << 18

// Offsets asks for where the rows of nodes begin.
func Offsets(offsets []int64, nodes []int32) {
	if len(nodes) > 0 {
		askOffsets(unsafe.SliceData(offsets), unsafe.SliceData(nodes), len(nodes))
	}
}

// Sums asks for where the rows of nodes begin, and for three numbers of each.
func Sums(offsets []int64, a, b, c []float64, nodes []int32) {
	if len(nodes) > 0 {
		askSums(unsafe.SliceData(offsets), unsafe.SliceData(a), unsafe.SliceData(b), unsafe.SliceData(c),
			unsafe.SliceData(nodes), len(nodes))
	}
}

// Rows asks for the beginnings of the rows of nodes. It reads where they begin.
func Rows(offsets []int64, targets, nodes []int32) { rows(offsets, targets, nodes, 1) }

// LongRows is Rows for nodes whose rows are long: it asks for 64 targets of each.
func LongRows(offsets []int64, targets, nodes []int32) { rows(offsets, targets, nodes, 4) }

// rows asks for so many lines of the cache, of 64 bytes each, of every row.
func rows(offsets []int64, targets, nodes []int32, lines int) {
	if len(nodes) > 0 {
		askRows(unsafe.SliceData(offsets), unsafe.SliceData(targets), unsafe.SliceData(nodes), len(nodes), lines)
	}
}

// mostTargets is how many of a row's targets Targets asks for.
const mostTargets = 8

// Targets asks for the numbers and the levels of the first targets of each node. It reads these targets.
func Targets(offsets []int64, targets []int32, numbers []float64, levels, nodes []int32) {
	if len(nodes) > 0 {
		askTargets(unsafe.SliceData(offsets), unsafe.SliceData(targets), unsafe.SliceData(numbers), unsafe.SliceData(levels),
			unsafe.SliceData(nodes), len(nodes), mostTargets)
	}
}
