package cuts

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// scores are those of a block on the device; see communities.Scores.
type scores struct {
	keeper    *keeper
	block     communities.Block
	places    []uint32 // the two arcs of each edge
	arguments cutsArguments
	buffers   device.Buffers
	at        gpu.Ptr // the arguments on the device
	alive     int64   // nodes that are left
	bytes     int64
}

// begun returns the arguments without the arrays of the block.
func (s *scores) begun() cutsArguments {
	a := s.keeper.shared
	a.n, a.m = int64(len(s.block.Masses)), int64(len(s.block.Edges)/2)
	a.unit, a.shift = s.block.Unit, int64(s.block.Shift)
	return a
}

// launch starts a kernel with a thread block for each of so many items.
func (s *scores) launch(kernel gpu.Kernel, items int64, args ...any) {
	s.keeper.calls.Launch(kernel, s.keeper.shape(items), append([]any{s.at}, args...)...)
}

// Fill computes all scores.
func (s *scores) Fill() {
	c := s.keeper.calls
	c.Do(func() error {
		return device.Chunks(c, int(s.alive), s.keeper.slots, func(int) {}, func(first, count int) error {
			return c.Device.Launch(kernelCutsFill, s.keeper.shape(int64(count)), s.at, s.alive, int64(first), int64(first+count))
		})
	})
}

// Drop takes an edge out of the block.
func (s *scores) Drop(edge int32) {
	s.keeper.calls.Launch(kernelCutsDrop, gpu.Shape{Grid: 1, Block: 32}, s.at, uint32(edge))
}

// Cut brings the scores up to date after an edge was dropped.
func (s *scores) Cut(sources []int32, edge int32) {
	if int64(len(sources)) < s.alive { // the others leave with this cut
		s.alive = int64(len(sources))
		s.copyIn(s.arguments.alive, gpu.Bytes(sources))
	}
	u, v := s.block.Targets[s.places[2*edge]], s.block.Targets[s.places[2*edge+1]]
	s.launch(kernelCutsCut, s.alive, s.alive, uint32(u), uint32(v))
}

// Leave takes back what nodes contribute that have left.
func (s *scores) Leave(nodes []int32, gone []bool) {
	s.copyIn(s.arguments.leaving, device.BytesOf(gone))
	s.launch(kernelCutsLeave, s.arguments.m/cutThreads+1)
	less := make([]int64, len(nodes))
	for i, v := range nodes {
		less[i] = -s.block.Masses[v]
	}
	s.pass(nodes, less)
}

// Weigh adds to the masses of some nodes.
func (s *scores) Weigh(nodes []int32, more []int64) {
	if len(nodes) == 0 {
		return
	}
	s.pass(nodes, more)
	for i, v := range nodes {
		s.block.Masses[v] += more[i]
	}
	listed := int64(len(nodes))
	s.launch(kernelCutsWeigh, listed/cutThreads+1, listed)
	s.launch(kernelCutsReseed, s.alive, s.alive, listed)
}

// pass adds so many times what each of some nodes contributes for each node of its mass.
func (s *scores) pass(nodes []int32, factors []int64) {
	s.copyIn(s.arguments.listed, gpu.Bytes(nodes))
	s.copyIn(s.arguments.more, gpu.Bytes(factors))
	s.launch(kernelCutsPass, int64(len(nodes))*(s.alive/cutThreads+1), s.alive, int64(len(nodes)))
}

func (s *scores) copyIn(to gpu.Ptr, from []byte) {
	s.keeper.calls.Do(func() error { return s.keeper.calls.Device.CopyIn(to, from) })
}

// Best finds the edge that is cut next.
func (s *scores) Best() (edge int32, sum int64) {
	c, best := s.keeper.calls, make([]int64, bestWords)
	c.Launch(kernelCutsBest, gpu.Shape{Grid: 1, Block: bestThreads}, s.at)
	device.Download(c, best, s.keeper.shared.best)
	c.Do(func() error {
		if best[2] != 0 {
			return communities.ErrPaths
		}
		return nil
	})
	return int32(best[0]), best[1]
}

// Sums returns those of all edges.
func (s *scores) Sums() []int64 {
	out := make([]int64, s.arguments.m)
	device.Download(s.keeper.calls, out, s.arguments.sums)
	return out
}

// Free gives the memory back.
func (s *scores) Free() {
	s.buffers.Free(s.keeper.calls)
	s.keeper.calls.Free(s.at)
	s.keeper.left += s.bytes
}
