//go:build emulate && !cuda

package worker

import (
	"path/filepath"
	"testing"
)

// TestKernelsOfEveryFolder: no folder with kernels is left out.
func TestKernelsOfEveryFolder(t *testing.T) {
	const folders = 13
	if found, err := filepath.Glob("../../kernels/*/kernels_gen.go"); err != nil || len(found) != folders {
		t.Errorf("%d folders have kernels, %v; allKernels knows %d", len(found), err, folders)
	}
}
