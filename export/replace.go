package export

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// PendingFile is a file that takes its name only when it is complete: it is written under a temporary name in the same
// folder. Call Commit, then Discard, which removes what was not committed.
type PendingFile struct {
	*bufio.Writer
	file   *os.File
	path   string
	direct bool // a device or pipe: nothing to rename
}

// CreatePending begins a file that will replace path. A symbolic link is followed. A device or a pipe (/dev/stdout) is
// written to directly.
func CreatePending(path string) (*PendingFile, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &PendingFile{Writer: bufio.NewWriterSize(f, 1<<18), file: f, path: path, direct: true}, nil
	case err == nil:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	return pend(path, 0o666)
}

// CreatePrivate begins a file that only its owner can read. It replaces path itself, a symbolic link included.
func CreatePrivate(path string) (*PendingFile, error) { return pend(path, 0o600) }

func pend(path string, mode fs.FileMode) (*PendingFile, error) {
	for {
		name := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		return &PendingFile{Writer: bufio.NewWriterSize(f, 1<<18), file: f, path: path}, nil
	}
}

// Prepare writes everything to stable storage: after it, little can go wrong in Commit. Several files that belong
// together are all prepared before the first is committed.
func (p *PendingFile) Prepare() error {
	if err := p.Flush(); err != nil || p.direct {
		return err
	}
	return p.file.Sync()
}

// Commit prepares the file and gives it its name.
func (p *PendingFile) Commit() error {
	if err := p.Prepare(); err != nil {
		return err
	}
	if direct, err := p.direct, p.Show(); err != nil || direct {
		return err
	}
	return SyncFolder(filepath.Dir(p.path))
}

// SyncFolder waits until the names of a folder's files are on stable storage.
func SyncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// Show gives the file its name without waiting for stable storage: for a reader on this machine, which is to come at
// once.
func (p *PendingFile) Show() error {
	if err := errors.Join(p.Flush(), p.file.Close()); err != nil || p.direct {
		return err
	}
	if err := os.Rename(p.file.Name(), p.path); err != nil {
		return err
	}
	p.direct = true // nothing left to remove
	return nil
}

// Discard removes what was written, unless it was committed.
func (p *PendingFile) Discard() {
	p.file.Close()
	if !p.direct {
		_ = os.Remove(p.file.Name()) // the error that led here is the one to report
		p.direct = true
	}
}

// IsDiskFull reports whether an error is one of a disk or a quota that is full: somebody may make room.
func IsDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
