package worker

import "golang.org/x/sys/unix"

// populate makes the pages of a mapped file ready to be written, all at once, which takes less than one by one. Kernels
// before 5.14 do not know how; then each page is made when it is written.
func populate(data []byte) { _ = unix.Madvise(data, unix.MADV_POPULATE_WRITE) }
