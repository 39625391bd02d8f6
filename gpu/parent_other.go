//go:build !linux

package gpu

import "syscall"

// endWithParent does nothing here: the worker ends when its standard input does.
func endWithParent() *syscall.SysProcAttr { return nil }
