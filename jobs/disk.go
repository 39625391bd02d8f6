package jobs

import (
	"errors"
	"syscall"
)

// isDiskFull says that the error is one of a disk or a quota that is full: somebody may make room.
func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
