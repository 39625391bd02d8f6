//go:build !linux

package engine

import "syscall"

// endWithParent does nothing here: the worker ends when its standard input does.
func endWithParent() *syscall.SysProcAttr { return nil }
