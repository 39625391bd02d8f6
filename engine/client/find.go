package client

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// Name is the file name of the worker program.
const Name = "linchpin-worker"

// Find returns the path of the worker program: the environment's LINCHPIN_WORKER, or else linchpin-worker beside
// this program, or else on PATH. The error is *Unavailable with NoWorker, or with BrokenWorker for one that
// LINCHPIN_WORKER names.
func Find() (string, error) {
	if path := os.Getenv("LINCHPIN_WORKER"); path != "" {
		if err := executable(path); err != nil {
			return "", Refuse(protocol.BrokenWorker, "LINCHPIN_WORKER: %v", err)
		}
		return path, nil
	}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		if path := filepath.Join(filepath.Dir(self), Name); executable(path) == nil {
			return path, nil
		}
	}
	if path, err := exec.LookPath(Name); err == nil {
		return path, nil
	}
	return "", Refuse(protocol.NoWorker, "%s is not installed: it is neither next to linchpin nor on PATH", Name)
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s is not an executable file", path)
	}
	return nil
}
