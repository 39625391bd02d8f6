package cuts

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// keeper keeps blocks on a device; see communities.Device.
type keeper struct {
	calls *device.Calls
	prepared
	// shared are the arguments that all blocks share: memory to work in.
	shared cutsArguments
	left   int64 // bytes
	kept   int   // blocks, ever
}

func newKeeper(c *device.Calls, p prepared) *keeper {
	k := &keeper{calls: c, prepared: p, left: p.bytes}
	if p.largest > 0 {
		scratch := p.scratch(&k.shared)
		k.left -= scratch.Bytes()
		scratch.Take(c)
	}
	return k
}

// scratch lists the arrays that all blocks share.
func (p prepared) scratch(a *cutsArguments) device.Buffers {
	a.slot = p.largest
	each := 4 * int64(p.slots) * p.largest
	return device.Buffers{
		{Name: "marks", Bytes: each, Zero: true, Into: &a.marks},
		{Name: "queues", Bytes: each, Into: &a.queue},
		{Name: "sorted nodes", Bytes: each, Into: &a.sorted},
		{Name: "nodes onward", Bytes: 2 * each, Into: &a.onward},
		{Name: "orphans", Bytes: each, Into: &a.orphans},
		{Name: "levels", Bytes: 4 * int64(p.slots) * (p.largest + 2), Into: &a.starts},
		{Name: "best edge", Bytes: 8 * bestWords, Zero: true, Into: &a.best},
	}
}

// bestWords is the length of Cuts.best.
const bestWords = 3

// Keep puts a block onto the device, if it is large enough and fits.
func (k *keeper) Keep(b communities.Block) communities.Scores {
	n, arcs := len(b.Masses), len(b.Targets)
	need := blockBytes(int64(n), int64(arcs))
	if !k.Worth(n) || need > k.left {
		return nil
	}
	k.left -= need
	k.kept++
	s := &scores{keeper: k, block: b, places: placesOf(b), alive: int64(n), bytes: need}
	s.buffers = buffersOf(&s.arguments, b, s.places)
	s.arguments = s.begun()
	s.buffers.Take(k.calls)
	s.at = device.Put(k.calls, s.arguments)
	return s
}

// Worth reports whether a block of so many nodes is large enough.
func (k *keeper) Worth(nodes int) bool { return nodes >= k.least }

// Err is the first error of the device.
func (k *keeper) Err() error { return k.calls.Err }

// blockBytes bounds the memory of a block.
func blockBytes(n, arcs int64) int64 {
	const slack = 20 * 256 // of alignment, with arguments
	return 18*n*n + 8*(n+1) + 4*arcs + 4*arcs + 4*arcs + 4*n + 8*n + 5*arcs + 12*n + slack
}

// placesOf returns the two arcs of each edge.
func placesOf(b communities.Block) []uint32 {
	places, seen := make([]uint32, len(b.Edges)), make([]bool, len(b.Edges)/2)
	for i, e := range b.Edges {
		if seen[e] {
			places[2*e+1] = uint32(i)
		} else {
			places[2*e], seen[e] = uint32(i), true
		}
	}
	return places
}

// buffersOf lists the arrays of a block.
func buffersOf(a *cutsArguments, b communities.Block, places []uint32) device.Buffers {
	n, m := int64(len(b.Masses)), int64(len(b.Edges)/2)
	alive := make([]uint32, n)
	for v := range alive {
		alive[v] = uint32(v)
	}
	return device.Buffers{
		device.Filled("offsets", b.Offsets, &a.offsets),
		device.Filled("targets", b.Targets, &a.targets),
		device.Filled("edges", b.Edges, &a.edges),
		device.Filled("places", places, &a.places),
		device.Filled("nodes left", alive, &a.alive),
		device.Filled("masses", b.Masses, &a.masses),
		{Name: "distances", Bytes: 2 * n * n, Into: &a.dist},
		{Name: "numbers of paths", Bytes: 8 * n * n, Into: &a.sigma},
		{Name: "shares", Bytes: 8 * n * n, Into: &a.share},
		{Name: "sums", Bytes: 8 * m, Zero: true, Into: &a.sums},
		{Name: "gone", Bytes: m, Zero: true, Into: &a.gone},
		{Name: "leaving", Bytes: m, Into: &a.leaving},
		{Name: "listed nodes", Bytes: 4 * n, Into: &a.listed},
		{Name: "masses gained", Bytes: 8 * n, Into: &a.more},
	}
}

// shape is that of a launch with a thread block for each of so many items.
func (k *keeper) shape(items int64) gpu.Shape {
	return gpu.Shape{Grid: int(max(1, min(items, int64(k.slots)))), Block: cutThreads}
}
