package client

import (
	"bufio"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
)

// fakeEnv makes this test binary a worker that behaves as its value says.
const fakeEnv = "LINCHPIN_TEST_WORKER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeEnv); mode != "" {
		os.Exit(fakeWorker(mode))
	}
	cache, err := os.MkdirTemp("", "linchpin-cache-")
	if err != nil {
		panic(err)
	}
	_ = os.Setenv("XDG_CACHE_HOME", cache) // what tests find out of devices is nobody's
	code := m.Run()
	_ = os.RemoveAll(cache)
	os.Exit(code)
}

// fakeWorker answers orders without computing, and ends as its mode says.
func fakeWorker(mode string) int {
	out, in := os.NewFile(3, "events"), bufio.NewReader(os.Stdin)
	say := func(e protocol.Event) {
		line, err := protocol.Encode(e)
		if err != nil {
			panic(err)
		}
		_, _ = out.Write(line)
	}
	say(protocol.Event{Event: protocol.EventHello, Version: protocol.ProtocolVersion})
	for count := 1; ; count++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return 0
		}
		order, err := protocol.DecodeOrder(line)
		if err != nil {
			return 9
		}
		if mode == "crash-second" && count == 2 {
			return 3
		}
		say(protocol.Event{Event: protocol.EventDevices, Devices: []gpu.Info{fakeInfo(order)}})
		switch mode {
		case "crash-after-result":
			return 3
		case "killed-after-result":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Hour)
		case "lingers":
			time.Sleep(time.Hour)
		}
	}
}

// fakeInfo is the device of an order. Its name has the number and what is visible, where instances are.
func fakeInfo(o protocol.Order) gpu.Info {
	if visible := os.Getenv(visibleVariable); visible != "" {
		return gpu.Info{Name: fmt.Sprintf("number %d of %s", o.Device, visible)}
	}
	return gpu.Info{Name: "Fake 9000"}
}

// testClient uses this test binary as the worker, with short limits.
func testClient(mode string) *Client {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return &Client{
		Program: self, Env: append(os.Environ(), fakeEnv+"="+mode, "GORACE=atexit_sleep_ms=0"),
		Limits: Limits{Start: time.Minute, Silence: 3 * time.Second, Stall: 5 * time.Second, Leave: 200 * time.Millisecond},
	}
}

// mustAnswer gives a worker an order that it does well.
func mustAnswer(t *testing.T, c *Client) {
	t.Helper()
	if found, err := c.Devices(t.Context()); err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
}
