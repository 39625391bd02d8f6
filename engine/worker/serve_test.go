package worker

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// job is an order for the degrees of path(), with its files.
func job(t *testing.T) protocol.Order {
	t.Helper()
	dir := t.TempDir()
	s := &export.Snapshot{Graph: path(), Nodes: export.IDs{Ints: []int64{7, 8, 9}}}
	o := protocol.Order{
		Version: protocol.ProtocolVersion, Kind: protocol.OrderCompute, Snapshot: filepath.Join(dir, "graph.arrow"),
		Scores: filepath.Join(dir, "scores"), Graph: protocol.Fingerprint(s.Graph), Measure: "degree", Nodes: true,
		Strategy: "auto",
	}
	if err := export.WriteSnapshot(o.Snapshot, s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.Scores, make([]byte, 24), 0o600); err != nil {
		t.Fatal(err)
	}
	return o
}

// serve runs a worker on a fake device and returns its events without beats.
func serve(t *testing.T, d *devicetest.Fake, e device.Engine, in io.Reader) []protocol.Event {
	t.Helper()
	return fakeHost(d, e).serve(t, in)
}

// hosting is a Host of tests.
type hosting Host

// fakeHost has one device and one engine.
func fakeHost(d *devicetest.Fake, e device.Engine) hosting {
	return hosting{
		Count: func() (int, error) { return 1, nil }, Engines: []device.Engine{e}, Beat: time.Hour,
		Open: func(i int) (gpu.OpenDevice, error) {
			if i != 0 {
				return nil, refusal{errors.New("there is no device 1"), protocol.NoDevice}
			}
			return d, nil
		},
	}
}

func (h hosting) serve(t *testing.T, in io.Reader) []protocol.Event {
	t.Helper()
	out := listener{last: func() {}}
	if f, ok := in.(*feed); ok {
		out.last = f.next
	}
	if err := Serve(context.Background(), in, &out, Host(h)); err != nil {
		t.Fatal(err)
	}
	var events []protocol.Event
	for line := range strings.Lines(out.String()) {
		e, err := protocol.DecodeEvent([]byte(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		events = append(events, e)
	}
	if events[0].Event != protocol.EventHello {
		t.Fatalf("began with %+v", events[0])
	}
	return events[1:]
}

// listener keeps events and calls last after each that answers an order.
type listener struct {
	bytes.Buffer
	last func()
}

func (l *listener) Write(line []byte) (int, error) {
	n, err := l.Buffer.Write(line)
	if e, bad := protocol.DecodeEvent(line); bad == nil &&
		(e.Event == protocol.EventResult || e.Event == protocol.EventDevices || e.Event == protocol.EventError) {
		l.last()
	}
	return n, err
}

// feed is an input of orders: each comes when the one before has been answered, and its end after the last.
type feed struct {
	*io.PipeReader
	answered chan struct{}
}

// next lets the next order come.
func (f *feed) next() {
	select {
	case f.answered <- struct{}{}:
	default:
	}
}

func input(t *testing.T, orders ...protocol.Order) io.Reader {
	t.Helper()
	read, write := io.Pipe()
	f := &feed{read, make(chan struct{}, 1)}
	t.Cleanup(func() { write.Close() })
	go func() {
		defer write.Close()
		for _, o := range orders {
			line, err := protocol.Encode(o)
			if err != nil {
				t.Error(err)
			}
			if _, err := write.Write(line); err != nil {
				return
			}
			<-f.answered
		}
	}()
	return f
}

// TestServeTakesOrdersInTurn: the device stays open from one order to the next, and a failure is the end.
func TestServeTakesOrdersInTurn(t *testing.T) {
	begun := time.Now().UnixNano()
	first, second, d := job(t), job(t), newFake(t)
	bad := first
	bad.Measure = "fame"
	events := serve(t, d, degrees{}, input(t, first, second, bad, first))
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Event)
	}
	want := []string{protocol.EventPlanned, protocol.EventProgress, protocol.EventResult, protocol.EventPlanned,
		protocol.EventProgress, protocol.EventResult, protocol.EventError}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	if one, two := events[2].Result.Launched, events[5].Result.Launched; one < begun || two != 0 {
		t.Errorf("the first kernel was launched at %d and %d, after %d", one, two, begun)
	}
	for _, o := range []protocol.Order{first, second} {
		if diff := cmp.Diff([]float64{1, 2, 1}, scoresOf(t, o)); diff != "" {
			t.Error(diff)
		}
	}
	if d.Renewed != 1 || !d.Closed || len(d.Ledger().Left()) != 0 {
		t.Errorf("renewed %d times, closed %t, left %v", d.Renewed, d.Closed, d.Ledger().Left())
	}
}

// TestExitingProcessClosesNothing: a worker whose process ends leaves its device, with nothing allocated, to the
// system; but for one that it looked at, which another process may want.
func TestExitingProcessClosesNothing(t *testing.T) {
	devices := protocol.Order{Version: protocol.ProtocolVersion, Kind: protocol.OrderDevices}
	for name, in := range map[string]io.Reader{"result": input(t, job(t)), "devices": input(t, devices)} {
		d := newFake(t)
		h := fakeHost(d, degrees{})
		h.Exits = true
		if last := lastEvent(h.serve(t, in)); last.Event != name || d.Closed != (name == protocol.EventDevices) ||
			len(d.Ledger().Left()) != 0 {
			t.Errorf("%+v, closed %t, left %v", last, d.Closed, d.Ledger().Left())
		}
	}
}

func TestServe(t *testing.T) {
	o, d := job(t), newFake(t)
	events := serve(t, d, degrees{}, input(t, o))
	if len(events) < 3 || events[0].Event != protocol.EventPlanned || events[len(events)-1].Event != protocol.EventResult {
		t.Fatalf("%+v", events)
	}
	plan := events[0].Planned
	if plan.Strategy != "degrees" || plan.Device != "Fake 9000" || !strings.HasSuffix(plan.Reason, "; three blocks") ||
		plan.Blocks != 3 {
		t.Errorf("%+v", plan)
	}
	if last := events[len(events)-2]; last.Progress == nil || *last.Progress != (protocol.Progress{Done: 3, Total: 3}) {
		t.Errorf("%+v", last)
	}
	result := events[len(events)-1].Result
	if result.Note != "counted" || result.PeakBytes != d.Peak() || result.PeakBytes > plan.DeviceBytes ||
		result.Compute < result.Preprocess {
		t.Errorf("%+v of %+v", result, plan)
	}
	if d := cmp.Diff([]float64{1, 2, 1}, scoresOf(t, o)); d != "" {
		t.Error(d)
	}
	if !d.Closed || len(d.Ledger().Left()) != 0 {
		t.Errorf("closed %t, left %v", d.Closed, d.Ledger().Left())
	}
}

func scoresOf(t *testing.T, o protocol.Order) []float64 {
	t.Helper()
	data, err := os.ReadFile(o.Scores)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(data)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return out
}

func TestServeTakesSources(t *testing.T) {
	o := job(t)
	o.Sources = filepath.Join(t.TempDir(), "sources")
	for data, want := range map[string]string{
		"\x01\x00\x00\x00":                 "",
		"\x03\x00\x00\x00":                 "node 3",
		"\xff\xff\xff\xff":                 "node 4294967295",
		"\x01\x00\x00\x00\x01\x00\x00\x00": "node 1",
		"\x01\x00\x00":                     "a file of 3 bytes",
	} {
		if err := os.WriteFile(o.Sources, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		o.Measure = "betweenness" // a sum over sources
		last := lastEvent(serve(t, newFake(t), betweennessOfDegrees{}, input(t, o)))
		switch {
		case want == "" && last.Event != protocol.EventResult:
			t.Errorf("%q: %+v", data, last)
		case want != "" && (last.Reason != protocol.BadTask || !strings.Contains(last.Detail, want)):
			t.Errorf("%q: %+v", data, last)
		}
	}
}

// betweennessOfDegrees passes degrees off as betweenness.
type betweennessOfDegrees struct{ degrees }

func (betweennessOfDegrees) Accepts(device.Want, bool) bool { return true }

func lastEvent(events []protocol.Event) protocol.Event { return events[len(events)-1] }

// TestEveryAllocationFails: whichever fails, the reason is the same, everything is freed and the device closed.
func TestEveryAllocationFails(t *testing.T) {
	o := job(t)
	for n := 1; ; n++ {
		d := newFake(t)
		d.FailAt = n
		last := lastEvent(serve(t, d, degrees{}, input(t, o)))
		if !d.Closed || len(d.Ledger().Left()) != 0 {
			t.Fatalf("allocation %d: closed %t, left %v", n, d.Closed, d.Ledger().Left())
		}
		if last.Event == protocol.EventResult {
			if n < 6 {
				t.Errorf("only %d allocations", n-1)
			}
			return
		}
		if last.Reason != protocol.OutOfMemory {
			t.Fatalf("allocation %d: %+v", n, last)
		}
	}
}

func TestFailedLaunch(t *testing.T) {
	d := newFake(t)
	d.FailLaunch = 1
	last := lastEvent(serve(t, d, degrees{}, input(t, job(t))))
	if last.Reason != protocol.LaunchFailed || !strings.Contains(last.Detail, "IllegalAddress") ||
		len(d.Ledger().Left()) != 0 {
		t.Errorf("%+v", last)
	}
}

func TestPlanThatDoesNotFit(t *testing.T) {
	for _, free := range []int64{0, reserve, reserve + 1630} {
		d := newFake(t)
		d.About.Free = free
		last := lastEvent(serve(t, d, degrees{}, input(t, job(t))))
		if last.Reason != protocol.TooLarge || d.Allocs != 0 {
			t.Errorf("%d bytes free: %+v after %d allocations", free, last, d.Allocs)
		}
	}
}

func TestUnwrittenScoresAreNaN(t *testing.T) {
	o := job(t)
	o.Kind, o.Measure = protocol.OrderDistances, ""
	if err := os.WriteFile(o.Scores, make([]byte, 8*3*3), 0o600); err != nil {
		t.Fatal(err)
	}
	last := lastEvent(serve(t, newFake(t), forgetful{}, input(t, o)))
	if last.Event != protocol.EventResult {
		t.Errorf("%+v", last)
	}
	if s := scoresOf(t, o); !math.IsNaN(s[0]) {
		t.Errorf("scores that nobody wrote are %v", s)
	}
}

func TestServeRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, o *protocol.Order)
		reason protocol.Reason
		detail string
	}{
		"unknown strategy": {func(_ *testing.T, o *protocol.Order) { o.Strategy = "hybrid" }, protocol.NotOnGPU,
			"no device code for strategy hybrid"},
		"unfit strategy": {func(_ *testing.T, o *protocol.Order) { o.Strategy, o.Measure = "degrees", "betweenness" },
			protocol.NotOnGPU, "degrees does not compute betweenness of nodes"},
		"nothing fits": {func(_ *testing.T, o *protocol.Order) { o.Measure = "betweenness" }, protocol.NotOnGPU,
			"no device code for betweenness"},
		"unknown measure": {func(_ *testing.T, o *protocol.Order) { o.Measure = "fame" }, protocol.BadTask,
			`unknown measure "fame"`},
		"bad option": {func(_ *testing.T, o *protocol.Order) { o.Params.Weighted = true }, protocol.BadTask,
			"reads no weights"},
		"other length": {func(t *testing.T, o *protocol.Order) { truncate(t, o.Scores, 16) }, protocol.BadTask,
			"16 bytes; the order asks for 24"},
		"no scores": {func(_ *testing.T, o *protocol.Order) { o.Scores += "x" }, protocol.BadTask, "no such file"},
		"no snapshot": {func(_ *testing.T, o *protocol.Order) { o.Snapshot += "x" }, protocol.BadSnapshot,
			"no such file"},
		"half a snapshot": {func(t *testing.T, o *protocol.Order) { truncate(t, o.Snapshot, 200) }, protocol.BadSnapshot,
			"snapshot"},
		"altered snapshot": {func(t *testing.T, o *protocol.Order) { alter(t, o.Snapshot) }, protocol.BadSnapshot,
			"snapshot"},
		"another snapshot": {func(t *testing.T, o *protocol.Order) { o.Snapshot, _, _ = longPath(t) }, protocol.BadSnapshot,
			"another graph"},
		"no such device": {func(_ *testing.T, o *protocol.Order) { o.Device = 1 }, protocol.NoDevice, "there is no gpu:1"},
	} {
		t.Run(name, func(t *testing.T) {
			o, d := job(t), newFake(t)
			c.change(t, &o)
			last := lastEvent(serve(t, d, degrees{}, input(t, o)))
			if last.Reason != c.reason || !strings.Contains(last.Detail, c.detail) {
				t.Errorf("%+v", last)
			}
			if d.Allocs > 0 {
				t.Errorf("%d allocations before the refusal", d.Allocs)
			}
		})
	}
}

func truncate(t *testing.T, path string, bytes int64) {
	t.Helper()
	if err := os.Truncate(path, bytes); err != nil {
		t.Fatal(err)
	}
}

func alter(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestServeBadOrders(t *testing.T) {
	for _, text := range []string{"", "\n", "rubbish\n", "{}\n", `{"version":999,"kind":"devices"}` + "\n",
		`{"version":1`, strings.Repeat("x", 1<<20)} {
		events := serve(t, newFake(t), degrees{}, strings.NewReader(text))
		if last := lastEvent(events); len(events) != 1 || last.Reason != protocol.Protocol {
			t.Errorf("%.40q: %+v", text, events)
		}
	}
}

func TestServeListsDevices(t *testing.T) {
	d := newFake(t)
	events := serve(t, d, degrees{},
		input(t, protocol.Order{Version: protocol.ProtocolVersion, Kind: protocol.OrderDevices}))
	if diff := cmp.Diff([]protocol.Event{{Event: protocol.EventDevices, Devices: []gpu.Info{d.About}}},
		events); diff != "" || !d.Closed {
		t.Error(diff, d.Closed)
	}
}

// TestEndOfInputCancels: linchpin closes the pipe, or dies, while the device works.
func TestEndOfInputCancels(t *testing.T) {
	o, d := job(t), newFake(t)
	o.Snapshot, o.Scores, o.Graph = longPath(t)
	line, err := protocol.Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	read, write := io.Pipe()
	s := degrees{chunk: func() {
		write.Close()
		time.Sleep(100 * time.Millisecond)
	}}
	last := lastEvent(serve(t, d, s, io.MultiReader(bytes.NewReader(line), read)))
	if last.Reason != protocol.Cancelled || d.Launches > 2 || len(d.Ledger().Left()) != 0 || !d.Closed {
		t.Errorf("%+v after %d launches", last, d.Launches)
	}
}

// longPath is a directed path of 100 nodes.
func longPath(t *testing.T) (snapshot, scores string, fingerprint uint32) {
	t.Helper()
	g := &export.Graph{Directed: true, EdgeCount: 99, Offsets: []int64{0}}
	for v := range int32(100) {
		if v < 99 {
			g.Targets = append(g.Targets, v+1)
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	dir := t.TempDir()
	snapshot, scores = filepath.Join(dir, "graph.arrow"), filepath.Join(dir, "scores")
	if err := export.WriteSnapshot(snapshot,
		&export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, 100)}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(scores, make([]byte, 800), 0o600); err != nil {
		t.Fatal(err)
	}
	return snapshot, scores, protocol.Fingerprint(g)
}
