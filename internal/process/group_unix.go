//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// EndWithChildren has c, when its context ends, killed with all that it has started. Call it before c starts.
func EndWithChildren(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
