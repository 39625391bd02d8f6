//go:build cuda || emulate

package worker

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
)

// TestSeveralDevices gives each device the same order: they compute the same bits, and one that is not there is named.
func TestSeveralDevices(t *testing.T) {
	count, err := built.Count()
	if err != nil {
		t.Fatal(err)
	}
	h := hosting{
		Count: built.Count, Engines: Engines(), Beat: time.Hour,
		Open: func(i int) (gpu.OpenDevice, error) { return built.Open(i, nil) },
	}
	order := func(index int) (protocol.Order, []protocol.Event) {
		o := job(t)
		o.Measure, o.Device = "betweenness", index
		return o, h.serve(t, input(t, o))
	}
	var first []byte
	for i := range count {
		o, events := order(i)
		if last := events[len(events)-1]; last.Event != protocol.EventResult {
			t.Fatalf("gpu:%d: %+v", i, last)
		}
		scores, err := os.ReadFile(o.Scores)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = scores
		}
		if !bytes.Equal(first, scores) {
			t.Errorf("gpu:%d computes other bits than gpu:0", i)
		}
	}
	_, events := order(count)
	if last := events[len(events)-1]; last.Reason != protocol.NoDevice ||
		!strings.Contains(last.Detail, "there is no gpu:") {
		t.Errorf("one more: %+v", last)
	}
}
