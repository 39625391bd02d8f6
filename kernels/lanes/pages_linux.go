package lanes

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page in bytes.
const hugePage = 2 << 20

// inHugePages asks the system to back rows by huge pages, before they are first written. Rows of many nodes are met in no
// order, and there are more pages of 4 KiB than a processor knows the places of. A system that has none goes on without.
func inHugePages(rows []float64) []float64 {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), 8*len(rows))
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(rows))) % hugePage
	if uintptr(len(bytes)) < skip+hugePage {
		return rows
	}
	bytes = bytes[skip:]
	_ = syscall.Madvise(bytes[:len(bytes)/hugePage*hugePage], syscall.MADV_HUGEPAGE) // only speed depends on it
	return rows
}
