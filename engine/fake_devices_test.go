package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// devicesEnv says how many devices a fake worker has; none is one.
const devicesEnv = "LINCHPIN_TEST_DEVICES"

// fakeDevices are those that a fake worker sees.
func fakeDevices() []DeviceInfo {
	count, err := strconv.Atoi(os.Getenv(devicesEnv))
	if err != nil {
		return []DeviceInfo{slowCPU}
	}
	out := make([]DeviceInfo, count)
	for i := range out {
		out[i] = slowCPU
		out[i].Name = fmt.Sprintf("Fake %d", 9000+i/2) // two of a kind
		out[i].SMs -= i
	}
	return out
}

// introduce says what the device of an order is. Devices of some modes fail at that.
func (w *fake) introduce(mode string) int {
	if mode == fmt.Sprintf("absent-%d", w.want.Device) || mode == "absent" {
		w.say(protocol.Event{Event: protocol.EventError, Reason: protocol.LaunchFailed, Detail: "the bus is gone"})
		return 0
	}
	all := fakeDevices()
	if w.want.Device >= len(all) {
		w.say(protocol.Event{Event: protocol.EventError, Reason: protocol.NoDevice,
			Detail: fmt.Sprintf("there is no gpu:%d", w.want.Device)})
		return 0
	}
	w.say(protocol.Event{Event: protocol.EventDevices, Devices: []DeviceInfo{all[w.want.Device]}})
	return next
}

// part does a shard on the CPU, or makes scores of all, unless the mode is plain: then linchpin makes them itself. A
// mode such as breaks-1-3 has the worker of device 1 end at its third shard, with time for all to come to one; slow-1
// has it take its time, and hangs-1 for ever.
func (w *fake) part(mode string) int {
	s, err := export.OpenSnapshot(w.want.Snapshot)
	if err != nil {
		return 9
	}
	defer s.Close()
	misdeed, rest, _ := strings.Cut(mode, "-")
	if w.want.Shard != nil {
		w.parts++
	}
	if misdeed == "breaks" {
		time.Sleep(100 * time.Millisecond)
	}
	device, at, _ := strings.Cut(rest, "-")
	if device == "all" || device == strconv.Itoa(w.want.Device) {
		switch {
		case misdeed == "breaks" && at == strconv.Itoa(w.parts):
			fmt.Fprintln(os.Stderr, "fatal: it fell off the bus")
			return 2
		case misdeed == "slow":
			time.Sleep(500 * time.Millisecond)
		case misdeed == "hangs" && w.want.Shard != nil:
			w.beatUntilEnd()
			return 0
		}
	}
	m, _ := kernels.Lookup(w.want.Measure)
	r := kernels.Request{Params: w.want.Params, Nodes: w.want.Nodes, Edges: w.want.Edges, Scale: w.want.Scale,
		Sources: readNodes(w.want.Sources), Reduce: kernels.ReduceOff}
	run, err := cpu.Prepare(context.Background(), m, s.Graph, r, nil)
	if err != nil {
		return 9
	}
	name := fmt.Sprintf("Fake %d", 9000+w.want.Device/2)
	w.say(protocol.Event{Event: protocol.EventPlanned,
		Planned: &protocol.Planned{Device: name, Strategy: "imagined", Reason: "asked for"}})
	if w.want.Shard == nil && misdeed == "plain" {
		return 9
	}
	if w.want.Shard == nil {
		return w.join(run, s.Graph, m)
	}
	found := run.Empty()
	if run.Search(context.Background(), w.want.Shard.Part, found) != nil {
		return 9
	}
	data, err := found.MarshalBinary()
	if err != nil || os.WriteFile(w.want.Shard.Partial, data, 0o600) != nil ||
		os.WriteFile(w.want.Shard.Partial+protocol.LeftSuffix, nil, 0o600) != nil {
		return 9
	}
	w.say(protocol.Event{Event: protocol.EventProgress,
		Progress: &protocol.Progress{Done: 1, Total: w.want.Shard.Part.Of}})
	w.say(protocol.Event{Event: protocol.EventResult,
		Result: &protocol.Result{Ties: "exact", Compute: 1, PeakBytes: 77, Plain: misdeed == "plain"}})
	return next
}

// join makes scores of the partial result of all shards.
func (w *fake) join(run *cpu.Run, g *export.Graph, m kernels.Measure) int {
	data, err := os.ReadFile(w.want.Joined)
	if err != nil {
		return 9
	}
	var all kernels.Partial
	if all.UnmarshalBinary(data) != nil {
		return 9
	}
	joined := run.Empty()
	if joined.Join(&all) != nil {
		return 9
	}
	scores, err := run.Finish(joined)
	if err != nil {
		return 9
	}
	var out []byte
	for _, x := range append(append([]float64{}, scores.Nodes...), scores.Edges...) {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	if os.WriteFile(w.want.Scores, out, 0o600) != nil {
		return 9
	}
	w.say(protocol.Event{Event: protocol.EventResult, Result: &protocol.Result{
		Pairs: scores.Totals.Pairs, Distance: scores.Totals.Distance, NoDistance: scores.Totals.NoDistance,
		Ties: scores.Ties, Compute: 1,
	}})
	return next
}

// beatUntilEnd beats until the orders end.
func (w *fake) beatUntilEnd() {
	ended := make(chan struct{})
	go func() {
		_, _ = w.in.ReadByte()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			return
		case <-time.After(20 * time.Millisecond):
			w.say(protocol.Event{Event: protocol.EventBeat})
		}
	}
}
