package client

import (
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// staying is a client whose worker stays.
func staying(t *testing.T, mode string) *Client {
	c := testClient(mode)
	c.Stay()
	t.Cleanup(c.Close)
	return c
}

// TestWorkerStays: orders go to one process, until one fails.
func TestWorkerStays(t *testing.T) {
	c := staying(t, "crash-second")
	mustAnswer(t, c)
	first := c.stayed
	if first == nil {
		t.Fatal("no worker stayed")
	}
	_, err := c.Devices(t.Context())
	if r, _ := ReasonOf(err); r != protocol.Crashed || c.stayed != nil {
		t.Errorf("the second order: %v, worker %p", err, c.stayed)
	}
	if mustAnswer(t, c); c.stayed == first {
		t.Error("a worker that crashed stayed")
	}
	last := c.stayed
	c.Close()
	if state := mustEnd(t, last); !state.Success() {
		t.Errorf("after its client the worker ended with %v", state)
	}
}

// TestWorkerRests: the worker ends, and the next one stays.
func TestWorkerRests(t *testing.T) {
	c := staying(t, "good")
	c.Rest()
	for range 2 {
		mustAnswer(t, c)
		worker := c.stayed
		if worker == nil {
			t.Fatal("no worker stayed")
		}
		c.Rest()
		mustEnd(t, worker)
	}
}

// TestWorkerThatEndedIsReplaced: it ended between two orders.
func TestWorkerThatEndedIsReplaced(t *testing.T) {
	c := staying(t, "good")
	for range 3 {
		mustAnswer(t, c)
		if err := c.stayed.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-c.stayed.ended
	}
}

// TestDevicesAreRemembered: a second process does not open every device to ask, and another device is noticed.
func TestDevicesAreRemembered(t *testing.T) {
	forget()
	c := testClient("good")
	found, err := c.Known(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if kept, ok := recall(c.Program); !ok || kept[0] != found[0] {
		t.Errorf("%v, %t", kept, ok)
	}
	if _, ok := recall("another worker"); ok {
		t.Error("remembered for another worker")
	}
	c.meet("another device", 0)
	if _, ok := recall(c.Program); ok {
		t.Error("not forgotten when another device answered")
	}
}
