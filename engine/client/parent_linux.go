package client

import "syscall"

// endWithParent makes the kernel kill the worker when the thread that started it ends.
func endWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
