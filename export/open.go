package export

import (
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Mapped is a snapshot whose slices of numbers lie in a mapped file: writing to them crashes, and so does reading them
// after Close. Texts are copies.
type Mapped struct {
	*Snapshot
	unmap func() error
}

// Close unmaps the file. A second call does nothing.
func (m *Mapped) Close() error {
	if m.unmap == nil {
		return nil
	}
	unmap := m.unmap
	m.unmap = nil
	return unmap()
}

// OpenSnapshot maps a file that WriteSnapshot wrote. It reads it once, to verify its checksum, and checks the
// invariants of graph and relationships.
func OpenSnapshot(path string) (*Mapped, error) { return openPath(path, (*Snapshot).Validate) }

// OpenSealed is OpenSnapshot without a look at the invariants, which takes ten times as long as the checksum. It is for
// who knows by other means that the graph is one that was checked.
func OpenSealed(path string) (*Mapped, error) {
	return openPath(path, func(*Snapshot) error { return nil })
}

func openPath(path string, check func(*Snapshot) error) (*Mapped, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	defer f.Close()
	m, err := openSnapshot(f, check)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", path, err)
	}
	return m, nil
}

func openSnapshot(f *os.File, check func(*Snapshot) error) (*Mapped, error) {
	size, err := regularSize(f)
	if err != nil {
		return nil, err
	}
	data, unmap, err := mapFile(f, size)
	if err != nil {
		return nil, err
	}
	s, err := parseSnapshot(data)
	if err == nil {
		err = check(s)
	}
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	return &Mapped{Snapshot: s, unmap: unmap}, nil
}

// parseSnapshot makes a snapshot of the bytes of a file.
func parseSnapshot(data []byte) (s *Snapshot, err error) {
	if err := checkSeal(data); err != nil {
		return nil, err
	}
	// The Arrow reader panics on metadata that contradicts itself. A broken file cannot come here, a forged one can.
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("%w: %v", errNotOurs, r)
		}
	}()
	// The reader's own limits (256 MiB) are for streams that are read into memory; here the file bounds both.
	size := int64(len(data))
	in, err := ipc.NewMappedFileReader(data, ipc.WithBodySizeLimit(size), ipc.WithMetadataSizeLimit(size))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotOurs, err)
	}
	meta := in.Schema().Metadata()
	if v, _ := meta.GetValue(keyVersion); v != snapshotVersion {
		return nil, fmt.Errorf("version %q of the format; this program reads version %s: export the graph again", v,
			snapshotVersion)
	}
	if in.NumRecords() != 1 {
		return nil, fmt.Errorf("%w: %d record batches, not 1", errNotOurs, in.NumRecords())
	}
	batch, err := in.RecordBatchAt(0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotOurs, err)
	}
	return (&batchReader{batch: batch, meta: meta}).snapshot()
}
