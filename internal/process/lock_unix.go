//go:build unix

package process

import (
	"os"
	"syscall"
)

// LocksFolders reports whether LockFolder can lock here.
const LocksFolders = true

// LockFolder locks a folder until the file is closed or this process ends, however it ends. nil means another process
// holds it, or it cannot be locked.
func LockFolder(path string) *os.File {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil
	}
	return f
}
