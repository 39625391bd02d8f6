//go:build unix

package jobs

import (
	"io/fs"
	"syscall"
)

// ownerOf returns the user who owns a file.
func ownerOf(info fs.FileInfo) (user int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}
