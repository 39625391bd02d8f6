//go:build !unix

package process

import (
	"os/exec"
	"strconv"
)

// EndWithChildren has c, when its context ends, killed with all that it has started. Call it before c starts.
func EndWithChildren(c *exec.Cmd) {
	c.Cancel = func() error {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run() == nil {
			return nil
		}
		return c.Process.Kill()
	}
}
