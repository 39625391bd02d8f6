//go:build !linux

package client

import "syscall"

// endWithParent does nothing here: the worker ends when its standard input does.
func endWithParent() *syscall.SysProcAttr { return nil }
