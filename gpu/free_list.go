package gpu

import "slices"

// FreeList keeps device memory that was freed, for the next allocation of just as many bytes: on an H200 the driver
// takes 55 to 130 us for one of 5 to 18 MB and 50 to 110 to free it, of 2.4 ms that closeness of air-routes took in
// all; and nearly as long for the first of what is small, and to free the last. For a GB it takes some 14 ms, and as
// long to free it.
type FreeList struct {
	// Most bounds the bytes that Give keeps.
	Most   int64
	Bytes  int64
	blocks []spareBlock // those freed last, last
}

type spareBlock struct {
	p     Ptr
	bytes int64
}

// leastSpare is the size from which on blocks are kept. The driver has smaller ones in hand itself, next to those that
// are kept.
const leastSpare = 16 << 10

// Take returns a block of that size, or 0.
func (s *FreeList) Take(bytes int64) Ptr {
	for i := len(s.blocks) - 1; i >= 0; i-- {
		if b := s.blocks[i]; b.bytes == bytes {
			s.blocks = slices.Delete(s.blocks, i, i+1)
			s.Bytes -= bytes
			return b.p
		}
	}
	return 0
}

// Give keeps a block, if it is of such a size, and returns those that are to be freed instead.
func (s *FreeList) Give(p Ptr, bytes int64) []Ptr {
	if bytes < leastSpare || bytes > s.Most {
		return []Ptr{p}
	}
	s.Keep(p, bytes)
	return s.Shrink(s.Most)
}

// Keep keeps a block of any size.
func (s *FreeList) Keep(p Ptr, bytes int64) {
	s.blocks, s.Bytes = append(s.blocks, spareBlock{p, bytes}), s.Bytes+bytes
}

// Shrink drops the oldest blocks until no more than so many bytes are kept, all for 0, and returns what it dropped.
func (s *FreeList) Shrink(bytes int64) (dropped []Ptr) {
	for len(s.blocks) > 0 && (s.Bytes > bytes || bytes == 0) {
		dropped = append(dropped, s.blocks[0].p)
		s.Bytes -= s.blocks[0].bytes
		s.blocks = slices.Delete(s.blocks, 0, 1)
	}
	return dropped
}
