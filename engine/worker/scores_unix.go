//go:build unix

package worker

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// scoreFile is a mapped file of float64; what is written to it is in the file.
type scoreFile struct {
	data   []byte
	values []float64
}

// mapScores maps a file that must be of this length already.
func mapScores(path string, bytes int64) (*scoreFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() != bytes:
		return nil, fmt.Errorf("%d bytes; the order asks for %d", info.Size(), bytes)
	case bytes == 0:
		return &scoreFile{}, nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	populate(data)
	return &scoreFile{data, unsafe.Slice((*float64)(unsafe.Pointer(&data[0])), bytes/8)}, nil
}

func (s *scoreFile) close() error {
	if s.data == nil {
		return nil
	}
	return unix.Munmap(s.data)
}
