package client

import (
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// TestInstancesHaveAWorkerEach: of several instances of MIG, CUDA shows a process one, so each worker is shown its own.
func TestInstancesHaveAWorkerEach(t *testing.T) {
	c := staying(t, "good")
	c.Env = append(c.Env, visibleVariable+"=MIG-a,MIG-b,MIG-c")
	for range 2 {
		found, err := c.Devices(t.Context())
		if err != nil || len(found) != 3 || found[0].Name != "number 0 of MIG-a" || found[2].Name != "number 0 of MIG-c" {
			t.Fatalf("%+v, %v", found, err)
		}
	}
	if len(c.stayed) != 3 {
		t.Errorf("%d workers stayed", len(c.stayed))
	}
	_, err := c.Worker(3)
	if r, _ := ReasonOf(err); r != protocol.NoDevice {
		t.Errorf("a fourth: %v", err)
	}
}

// TestVisibleDevicesReachTheWorker: it sees those and no others, and counts them from 0.
func TestVisibleDevicesReachTheWorker(t *testing.T) {
	for _, visible := range []string{"1,3", "MIG-a", "GPU-5f,GPU-6e", "GPU-5f,MIG-a"} {
		c := testClient("good")
		c.Env = append(c.Env, visibleVariable+"="+visible)
		w, err := c.Worker(1)
		if err != nil {
			t.Fatal(err)
		}
		info, err := w.Open(t.Context())
		w.Leave()
		if err != nil || info.Name != "number 1 of "+visible {
			t.Errorf("%s: %+v, %v", visible, info, err)
		}
	}
}
