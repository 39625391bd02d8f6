//go:build cuda

package cuda

// #include <cuda.h>
import "C"

import (
	"errors"
	"sync"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/linchpin-graph/linchpin/gpu"
)

// The driver copies memory that is not locked through a buffer of its own, on one thread. Large copies go through two
// halves of a locked buffer instead, which several threads fill or empty while the device copies the other half.
const (
	stagedFrom    = 2 << 20 // bytes from which on a copy is staged (not measured)
	stagingHalf   = 4 << 20
	stagingCopies = 4 // goroutines a half (not measured)
)

// staging is the locked buffer and what says that the device is done with a half.
type staging struct {
	memory unsafe.Pointer
	halves [2][]byte
	done   [2]cu.Event
	next   int
}

// newStaging returns nil where there is no such memory to be had.
func newStaging() *staging {
	all := locked(2 * stagingHalf)
	if all == nil {
		return nil
	}
	s := &staging{memory: unsafe.Pointer(&all[0])}
	for i := range s.halves {
		s.halves[i] = all[i*stagingHalf : (i+1)*stagingHalf]
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

// locked takes host memory that the driver locks. The device reads it at the same address. It returns nil where there is
// none; cu.MemFreeHost gives it back.
func locked(bytes int) []byte {
	var memory unsafe.Pointer
	if C.cuMemHostAlloc(&memory, C.size_t(bytes), C.CU_MEMHOSTALLOC_DEVICEMAP) != C.CUDA_SUCCESS {
		return nil
	}
	return unsafe.Slice((*byte)(memory), bytes)
}

// free gives the buffer back; on nil it does nothing.
func (s *staging) free() error {
	if s == nil {
		return nil
	}
	return errors.Join(cu.DestroyEvent(&s.done[0]), cu.DestroyEvent(&s.done[1]), cu.MemFreeHost(s.memory))
}

// in copies src to the device, after all work and before what follows. src may be changed when it returns.
func (s *staging) in(dst gpu.Ptr, src []byte) error {
	for at := 0; at < len(src); at += stagingHalf {
		k := s.next
		s.next = 1 - k
		if err := s.done[k].Synchronize(); err != nil {
			return err
		}
		part := s.halves[k][:min(stagingHalf, len(src)-at)]
		copyShared(part, src[at:])
		if err := cu.MemcpyHtoDAsync(cu.DevicePtr(dst.At(int64(at))), unsafe.Pointer(&part[0]), int64(len(part)),
			cu.NoStream); err != nil {
			return err
		}
		if err := s.done[k].Record(cu.NoStream); err != nil {
			return err
		}
	}
	return nil
}

// out copies from the device, after all work.
func (s *staging) out(dst []byte, src gpu.Ptr) error {
	var waiting [2][]byte // where what is under way to each half belongs
	take := func(k int) error {
		if err := s.done[k].Synchronize(); err != nil {
			return err
		}
		copyShared(waiting[k], s.halves[k])
		waiting[k] = nil
		return nil
	}
	for at := 0; at < len(dst); at += stagingHalf {
		k := s.next
		s.next = 1 - k
		if err := take(k); err != nil {
			return err
		}
		waiting[k] = dst[at:min(at+stagingHalf, len(dst))]
		if err := cu.MemcpyDtoHAsync(unsafe.Pointer(&s.halves[k][0]), cu.DevicePtr(src.At(int64(at))), int64(len(waiting[k])),
			cu.NoStream); err != nil {
			return err
		}
		if err := s.done[k].Record(cu.NoStream); err != nil {
			return err
		}
	}
	return errors.Join(take(s.next), take(1-s.next))
}

// copyShared copies len(dst) bytes on several threads.
func copyShared(dst, src []byte) {
	piece := (len(dst) + stagingCopies - 1) / stagingCopies
	if piece == 0 {
		return
	}
	var copying sync.WaitGroup
	for at := piece; at < len(dst); at += piece {
		copying.Go(func() { copy(dst[at:min(at+piece, len(dst))], src[at:]) })
	}
	copy(dst[:piece], src)
	copying.Wait()
}
