package coordinator

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/filehash"
)

// file is a file that nodes can read, by its hash. One on disk is open while the run lasts, so that its content stays
// when another file takes its name.
type file struct {
	hash string
	size int64
	data io.ReaderAt
	open *os.File // nil for one in memory
}

func inMemory(data []byte) file {
	return file{hash: fmt.Sprintf("%x", sha256.Sum256(data)), size: int64(len(data)), data: bytes.NewReader(data)}
}

// onDisk opens a file and reads it once, for its hash.
func onDisk(path string) (file, error) {
	f, err := os.Open(path)
	if err != nil {
		return file{}, err
	}
	hash, size, err := filehash.Of(f)
	if err != nil {
		f.Close()
		return file{}, err
	}
	return file{hash: hash, size: size, data: f, open: f}, nil
}

// snapshotFile is the file of a snapshot: the one at path, or a temporary one in dir where there is none. The
// temporary one loses its name at once, so that it goes with the process.
func snapshotFile(path, dir string, s *export.Snapshot) (file, error) {
	if _, err := os.Stat(path); err == nil {
		return onDisk(path)
	}
	path = filepath.Join(dir, uploadName+"graph.arrow")
	if err := export.ShowSnapshot(path, s); err != nil {
		return file{}, fmt.Errorf("the graph for nodes: %w", err)
	}
	defer os.Remove(path)
	return onDisk(path)
}

func (f *file) close() {
	if f.open != nil {
		f.open.Close()
	}
}

// reader reads the file from its beginning.
func (f *file) reader() io.ReadSeeker { return io.NewSectionReader(f.data, 0, f.size) }
