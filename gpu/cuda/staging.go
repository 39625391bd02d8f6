//go:build cuda

package cuda

// #include <cuda.h>
import "C"

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/linchpin-graph/linchpin/gpu"
)

// The driver copies memory that is not locked through a buffer of its own, on one thread. Large copies go through slots
// of locked memory instead, which several threads fill or empty while the device copies others.
const (
	stagedFrom     = 2 << 20 // bytes from which on a copy is staged (not measured)
	stagingSlot    = 512 << 10
	stagingSlots   = 32
	stagingThreads = 8
)

// staging is the locked memory and what says that the device is done with a slot.
type staging struct {
	memory unsafe.Pointer
	slots  [stagingSlots][]byte
	done   [stagingSlots]cu.Event
}

// newStaging returns nil where there is no such memory to be had.
func newStaging() *staging {
	all := locked(stagingSlots * stagingSlot)
	if all == nil {
		return nil
	}
	s := &staging{memory: unsafe.Pointer(&all[0])}
	for i := range s.slots {
		s.slots[i] = all[i*stagingSlot : (i+1)*stagingSlot]
		var err error
		if s.done[i], err = cu.MakeEvent(cu.DisableTiming); err != nil {
			for k := range i {
				_ = cu.DestroyEvent(&s.done[k])
			}
			_ = cu.MemFreeHost(s.memory)
			return nil
		}
	}
	return s
}

// locked takes host memory that the driver locks. The device reads it at the same address. It returns nil where there
// is none; cu.MemFreeHost gives it back.
func locked(bytes int) []byte {
	var memory unsafe.Pointer
	if C.cuMemHostAlloc(&memory, C.size_t(bytes), C.CU_MEMHOSTALLOC_DEVICEMAP) != C.CUDA_SUCCESS {
		return nil
	}
	return unsafe.Slice((*byte)(memory), bytes)
}

// free gives the memory back; on nil it does nothing.
func (s *staging) free() (all error) {
	if s == nil {
		return nil
	}
	for i := range s.done {
		all = errors.Join(all, cu.DestroyEvent(&s.done[i]))
	}
	return errors.Join(all, cu.MemFreeHost(s.memory))
}

// piece is a part of a copy in a slot.
type piece struct{ slot, at int }

// pieces is how many slots a copy of so many bytes fills.
func pieces(bytes int) int { return (bytes + stagingSlot - 1) / stagingSlot }

// onThreads has threads of the host call do until it returns false, and returns what waits for them.
func onThreads(count int, do func() bool) *sync.WaitGroup {
	var running sync.WaitGroup
	for range min(stagingThreads, runtime.GOMAXPROCS(0), count) {
		running.Go(func() {
			for do() {
			}
		})
	}
	return &running
}

// ready waits until the device is done with all slots, and has their numbers.
func (s *staging) ready() (free chan int, err error) {
	free = make(chan int, stagingSlots)
	for k := range s.slots {
		if err := s.done[k].Synchronize(); err != nil {
			return nil, err
		}
		free <- k
	}
	return free, nil
}

// in copies src to the device, after all work and before what follows. src may be changed when it returns.
func (s *staging) in(dst gpu.Ptr, src []byte) error {
	count := pieces(len(src))
	free, err := s.ready()
	if err != nil {
		return err
	}
	filled := make(chan piece, stagingSlots)
	var next atomic.Int64
	filling := onThreads(count, func() bool {
		at := int(next.Add(1)-1) * stagingSlot
		if at >= len(src) {
			return false
		}
		p := piece{<-free, at}
		copy(s.slots[p.slot], src[at:])
		filled <- p
		return true
	})
	defer filling.Wait()
	var underWay []int // at most half of the slots, so that others can be filled
	for range count {
		if len(underWay) == stagingSlots/2 {
			if err == nil {
				err = s.done[underWay[0]].Synchronize()
			}
			free <- underWay[0]
			underWay = underWay[1:]
		}
		p := <-filled
		underWay = append(underWay, p.slot)
		if err == nil {
			part := s.slots[p.slot][:min(stagingSlot, len(src)-p.at)]
			err = cu.MemcpyHtoDAsync(cu.DevicePtr(dst.At(int64(p.at))), unsafe.Pointer(&part[0]), int64(len(part)), cu.NoStream)
		}
		if err == nil {
			err = s.done[p.slot].Record(cu.NoStream)
		}
	}
	return err
}

// out copies from the device, after all work.
func (s *staging) out(dst []byte, src gpu.Ptr) error {
	count := pieces(len(dst))
	free, err := s.ready()
	if err != nil {
		return err
	}
	filled := make(chan piece, stagingSlots)
	emptying := onThreads(count, func() bool {
		p, more := <-filled
		if more {
			copy(dst[p.at:min(p.at+stagingSlot, len(dst))], s.slots[p.slot])
			free <- p.slot
		}
		return more
	})
	defer emptying.Wait()
	defer close(filled)
	var underWay []piece
	for i := range count + stagingSlots/2 {
		if i < count {
			p := piece{<-free, i * stagingSlot}
			part := s.slots[p.slot][:min(stagingSlot, len(dst)-p.at)]
			if err = cu.MemcpyDtoHAsync(unsafe.Pointer(&part[0]), cu.DevicePtr(src.At(int64(p.at))),
				int64(len(part)), cu.NoStream); err == nil {
				err = s.done[p.slot].Record(cu.NoStream)
			}
			underWay = append(underWay, p)
		}
		if err == nil && len(underWay) > 0 && (i >= count || len(underWay) == stagingSlots/2) {
			err = s.done[underWay[0].slot].Synchronize()
			filled <- underWay[0]
			underWay = underWay[1:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}
