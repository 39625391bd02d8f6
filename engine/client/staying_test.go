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

// stayed is the worker that stayed.
func stayed(t *testing.T, c *Client) *process {
	t.Helper()
	if len(c.stayed) != 1 {
		t.Fatalf("%d workers stayed", len(c.stayed))
	}
	return c.stayed[0]
}

// TestWorkersStayAtTheirDevices: one at each, and an order goes to the one that has its device.
func TestWorkersStayAtTheirDevices(t *testing.T) {
	c := staying(t, "good")
	open := func(index int) *Worker {
		w, err := c.Worker(index)
		if err == nil {
			_, err = w.Open(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	at := func(index int) *process {
		w := open(index)
		defer w.Leave()
		return w.process
	}
	zeroth, first := open(0), open(1)
	zero, one := zeroth.process, first.process
	zeroth.Leave()
	first.Leave()
	if !c.Warm() || len(c.stayed) != 2 {
		t.Fatalf("%d workers stayed", len(c.stayed))
	}
	if at(1) != one || at(0) != zero || at(1) != one {
		t.Error("an order went to the worker of another device")
	}
	if at(5); len(c.stayed) != 2 {
		t.Errorf("%d workers stayed", len(c.stayed))
	}
}

// TestWorkerStays: orders go to one process, until one fails.
func TestWorkerStays(t *testing.T) {
	c := staying(t, "crash-second")
	mustAnswer(t, c)
	first := stayed(t, c)
	_, err := c.Devices(t.Context())
	if r, _ := ReasonOf(err); r != protocol.Crashed || len(c.stayed) != 0 {
		t.Errorf("the second order: %v, workers %v", err, c.stayed)
	}
	mustAnswer(t, c)
	last := stayed(t, c)
	if last == first {
		t.Error("a worker that crashed stayed")
	}
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
		worker := stayed(t, c)
		c.Rest()
		mustEnd(t, worker)
	}
}

// TestWorkerThatEndedIsReplaced: it ended between two orders.
func TestWorkerThatEndedIsReplaced(t *testing.T) {
	c := staying(t, "good")
	for range 3 {
		mustAnswer(t, c)
		worker := stayed(t, c)
		if err := worker.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-worker.ended
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

// TestQuickOrdersAreNoFlood: a worker may answer more than maxRate orders in a second.
func TestQuickOrdersAreNoFlood(t *testing.T) {
	c := staying(t, "good")
	for range 3 * maxRate {
		mustAnswer(t, c)
	}
}
