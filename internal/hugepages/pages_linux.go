// Package hugepages asks the system for pages of 2 MiB. Numbers of many nodes are met in no order, and there are more
// pages of 4 KiB than a processor knows the places of.
package hugepages

import (
	"syscall"
	"unsafe"
)

// size is that of a huge page in bytes.
const size = 2 << 20

// Of asks the system to back a slice, up to its capacity, by huge pages, before it is first written. It returns the
// slice. A system that has none goes on without.
func Of[T any](values []T) []T {
	all := values[:cap(values)]
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(all))), uintptr(len(all))*unsafe.Sizeof(*new(T)))
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(all))) % size
	if uintptr(len(bytes)) < skip+size {
		return values
	}
	bytes = bytes[skip:]
	_ = syscall.Madvise(bytes[:len(bytes)/size*size], syscall.MADV_HUGEPAGE) // only speed depends on it
	return values
}
