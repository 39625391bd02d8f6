package engine

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// TestBuiltWorker asks the worker of LINCHPIN_WORKER, which make cuda-checks builds, or the one that make worker built.
// Without a driver it must say so.
func TestBuiltWorker(t *testing.T) {
	path, err := filepath.Abs(cmp.Or(os.Getenv("LINCHPIN_WORKER"), "../bin/"+client.Name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("bin/linchpin-worker is not built (make worker)")
	}
	t.Setenv("LINCHPIN_WORKER", path)
	r := Devices(t.Context())
	libraries, err := exec.Command("/sbin/ldconfig", "-p").Output()
	if err != nil {
		t.Fatal(err)
	}
	if driver := strings.Contains(string(libraries), "libcuda.so.1"); !driver && os.Getenv("LD_LIBRARY_PATH") == "" {
		if r.Reason != protocol.NoDriver || len(r.Devices) > 0 {
			t.Errorf("without a driver: %+v", r)
		}
		_, err := NewEngine(1).Compute(t.Context(), testTask(GPU))
		if reason, _ := ReasonOf(err); reason != protocol.NoDriver {
			t.Errorf("device gpu: %v", err)
		}
		out, err := NewEngine(1).Compute(t.Context(), testTask(Auto))
		if err != nil || out.Fallback != protocol.NoDriver || out.Scores.Nodes[2] != 4 {
			t.Errorf("device auto: %+v, %v", out, err)
		}
		return
	}
	if (r.Reason == "") != (len(r.Devices) > 0) || r.Reason != "" && r.Reason != protocol.NoDevice {
		t.Errorf("with a driver: %+v", r)
	}
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	if r := Devices(t.Context()); r.Reason != protocol.NoDevice {
		t.Errorf("with CUDA_VISIBLE_DEVICES empty: %+v", r)
	}
}
