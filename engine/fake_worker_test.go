package engine

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/profile"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// fakeEnv makes this test binary a worker that behaves as its value says.
const fakeEnv = "LINCHPIN_TEST_WORKER"

// parentEnv makes it a linchpin that computes with such a worker.
const parentEnv = "LINCHPIN_TEST_PARENT"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeEnv); mode != "" && os.Getenv(parentEnv) == "" {
		os.Exit(fakeWorker(mode))
	}
	if os.Getenv(parentEnv) != "" {
		os.Exit(fakeParent())
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

// fakeWorker is a worker without a device. Most modes misbehave.
func fakeWorker(mode string) int {
	w := &fake{out: os.NewFile(3, "events"), in: bufio.NewReader(os.Stdin)}
	switch mode {
	case "no-hello":
		hang()
	case "no-driver":
		fmt.Fprintln(os.Stderr,
			"worker: error while loading shared libraries: libcuda.so.1: cannot open shared object file: No such file or directory")
		return 127
	case "old-driver":
		fmt.Fprintln(os.Stderr, "worker: symbol lookup error: worker: undefined symbol: cuLaunchKernelEx")
		return 127
	case "other-library":
		fmt.Fprintln(os.Stderr, "worker: error while loading shared libraries: libm.so.6: cannot open shared object file")
		return 127
	case "no-device":
		fmt.Println(`Error in initialization, please refer to "https://example.org" for details on: NoDevice`)
		return 1
	case "exit-1":
		fmt.Fprintln(os.Stderr, "something else")
		return 1
	case "other-version":
		w.text(`{"event":"hello","version":999}`)
		return 0
	case "newer-hello":
		w.text(`{"event":"hello","version":999,"colour":"blue"}`)
		return 0
	case "begins-with-result":
		w.say(protocol.Event{Event: protocol.EventResult, Result: &protocol.Result{}})
		hang()
	}
	w.say(protocol.Event{Event: protocol.EventHello, Version: protocol.ProtocolVersion})
	switch mode {
	case "silent":
		hang()
	case "never-reads":
		w.beatForever()
	}
	for w.order() {
		if code := w.answer(mode); code != next {
			return code
		}
	}
	return 0
}

// next is what an answer returns when the worker takes another order.
const next = -1

// reportPid writes the worker's process id to the file that the test named, if any.
func reportPid() {
	if path := os.Getenv("LINCHPIN_TEST_PID"); path != "" {
		_ = os.WriteFile(path, fmt.Appendln(nil, os.Getpid()), 0o600)
	}
}

// hang does nothing, and unlike select {} is no deadlock that the runtime would end.
func hang() { time.Sleep(time.Hour) }

// answer goes on after the order.
func (w *fake) answer(mode string) int {
	name := "Fake 9000"
	if mode == "says-its-number" {
		name = fmt.Sprintf("Fake %d", w.want.Device)
	}
	switch w.want.Kind {
	case protocol.OrderDevices:
		w.say(protocol.Event{Event: protocol.EventDevices, Devices: fakeDevices()})
		return next
	case protocol.OrderOpen:
		return w.introduce(mode)
	}
	w.say(protocol.Event{Event: protocol.EventPlanned,
		Planned: &protocol.Planned{Device: name, Strategy: "imagined", Reason: "asked for"}})
	switch mode {
	case "stall":
		w.beatForever()
	case "reports-pid":
		reportPid()
		w.beatForever()
	case "rubbish":
		w.text("\x00\xff rubbish")
	case "long-line":
		w.text(strings.Repeat("x", 10*protocol.MaxLine))
	case "endless-line":
		for {
			if _, err := w.out.WriteString("xxxxxxxxxxxxxxxxxxxxxxxx"); err != nil {
				return 0
			}
		}
	case "flood":
		for {
			if w.say(protocol.Event{Event: protocol.EventProgress, Progress: &protocol.Progress{Done: 1, Total: 2}}) != nil {
				return 0
			}
		}
	case "impossible-progress":
		w.say(protocol.Event{Event: protocol.EventProgress, Progress: &protocol.Progress{Done: 3, Total: 2}})
	case "planned-again":
		w.say(protocol.Event{Event: protocol.EventPlanned,
			Planned: &protocol.Planned{Device: name, Strategy: "imagined next"}})
		return w.compute(mode)
	case "unknown-reason":
		w.text(`{"event":"error","reason":"bad-mood","detail":"no"}`)
	case "panic":
		panic("something that cannot be")
	case "crash":
		fmt.Fprintln(os.Stderr, "fatal: something broke")
		return 2
	case "killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		hang()
	case "half-a-result":
		w.out.WriteString(`{"event":"result","result":{"pairs":`)
		return 0
	case "closes-pipe":
		w.out.Close()
		hang()
	case "no-result":
		return 0
	case "out-of-memory":
		w.say(protocol.Event{Event: protocol.EventError, Reason: protocol.OutOfMemory,
			Detail: "out of device memory: take 5 bytes"})
		return 0
	case "bad-task":
		w.say(protocol.Event{Event: protocol.EventError, Reason: protocol.BadTask,
			Detail: "stress overflows float64; use log"})
		return 0
	default:
		if w.want.Shard != nil || w.want.Joined != "" {
			return w.part(mode)
		}
		return w.compute(mode)
	}
	w.beatForever()
	return 0
}

// fake is the worker's end of the pipes.
type fake struct {
	out  *os.File
	in   *bufio.Reader
	want protocol.Order
	// count is how many orders came, parts how many of them for shards.
	count, parts int
}

func (w *fake) say(e protocol.Event) error {
	line, err := protocol.Encode(e)
	if err != nil {
		return err
	}
	_, err = w.out.Write(line)
	return err
}

func (w *fake) text(s string) { _, _ = io.WriteString(w.out, s+"\n") }

// beatForever beats until nobody listens, whatever happens to standard input.
func (w *fake) beatForever() {
	for w.say(protocol.Event{Event: protocol.EventBeat}) == nil {
		time.Sleep(20 * time.Millisecond)
	}
}

// order waits for an order; it returns false when there are no more.
func (w *fake) order() bool {
	line, err := w.in.ReadBytes('\n')
	if err != nil {
		return false
	}
	w.count++
	if w.want, err = protocol.DecodeOrder(line); err != nil {
		os.Exit(9)
	}
	return true
}

// compute gives the right answer, or one that is wrong in the way of the mode.
func (w *fake) compute(mode string) int {
	s, err := export.OpenSnapshot(w.want.Snapshot)
	if err != nil {
		w.say(protocol.Event{Event: protocol.EventError, Reason: protocol.BadSnapshot, Detail: err.Error()})
		return 0
	}
	r := kernels.Request{Params: w.want.Params, Nodes: w.want.Nodes, Edges: w.want.Edges, Scale: w.want.Scale,
		Sources: readNodes(w.want.Sources), Reduce: kernels.ReduceOff, Journal: w.want.Journal, JournalOf: w.want.JournalOf}
	scores, values, err := w.scores(s.Graph, r)
	if err != nil {
		return 9
	}
	if mode == "crash-second" && w.count == 2 {
		return 3
	}
	switch mode {
	case "nan":
		values[0] = math.NaN()
	case "off-by-one":
		values[0]++
	case "too-long":
		values = append(values, 1)
	case "too-short":
		values = values[1:]
	case "chatty":
		for range 1000 {
			fmt.Println(strings.Repeat("chatter ", 1000))
		}
	case "grandchild":
		c := exec.Command("sleep", "5")
		c.Stdout = os.Stdout
		if c.Start() != nil {
			return 9
		}
	}
	data := make([]byte, 0, 8*len(values))
	for _, x := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	if os.WriteFile(w.want.Scores, data, 0o600) != nil {
		return 9
	}
	if mode == "lingers" {
		reportPid()
	}
	w.say(protocol.Event{Event: protocol.EventProgress,
		Progress: &protocol.Progress{Done: s.Graph.N(), Total: s.Graph.N()}})
	var spent *profile.Profile
	if w.want.Profile {
		spent = &profile.Profile{Seconds: 1, Forward: 0.5, Batches: 3, Bytes: 1 << 40}
	}
	w.say(protocol.Event{Event: protocol.EventResult, Result: &protocol.Result{
		Profile: spent,
		Pairs:   scores.Totals.Pairs, Distance: scores.Totals.Distance, Ties: scores.Ties, Compute: 1, Preprocess: 0.5,
		PeakBytes: 77, Launched: time.Now().UnixNano(),
	}})
	switch mode {
	case "crash-after-result":
		return 3
	case "killed-after-result":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		hang()
	case "lingers":
		hang()
	}
	return next
}

// scores computes what the order asks for.
func (w *fake) scores(g *export.Graph, r kernels.Request) (*kernels.Scores, []float64, error) {
	ctx := context.Background()
	switch {
	case w.want.Kind == protocol.OrderDistances && w.want.Summary:
		d, err := distances.Summarize(ctx, g, r)
		if err != nil {
			return nil, nil, err
		}
		values := make([]float64, 1+g.N())
		values[0] = d.Diameter
		for h, pairs := range d.Hops {
			values[1+h] = float64(pairs)
		}
		return &kernels.Scores{Ties: d.Ties,
			Totals: kernels.Totals{Pairs: d.Pairs, Distance: math.Round(d.Mean * float64(d.Pairs))}}, values, nil
	case w.want.Kind == protocol.OrderDistances:
		var values []float64
		err := distances.Rows(ctx, g, r, func(_ int32, row []float64) error {
			values = append(values, row...)
			return nil
		})
		return &kernels.Scores{}, values, err
	case w.want.Kind == protocol.OrderAdaptive:
		drawn := r.Sources
		r.Sources = nil
		a := adaptive.Sample{C: w.want.C, Nodes: readNodes(w.want.Wanted), Limit: len(drawn), Seed: 4}
		scores, taken, err := samples.Adaptive(ctx, g, r, a)
		if err != nil || !slices.Equal(drawn, a.Sources(g)) {
			return nil, nil, errors.Join(err, errors.New("other sources"))
		}
		values := slices.Clone(scores.Nodes)
		for _, count := range taken {
			values = append(values, float64(count))
		}
		return scores, values, nil
	}
	m, _ := kernels.Lookup(w.want.Measure)
	scores, err := cpu.Compute(ctx, m, g, r)
	if err != nil {
		return nil, nil, err
	}
	return scores, append(append([]float64{}, scores.Nodes...), scores.Edges...), nil
}

// readNodes reads a file of nodes; nil for no file.
func readNodes(path string) []int32 {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	nodes := []int32{}
	for ; len(data) > 0; data = data[4:] {
		nodes = append(nodes, int32(binary.LittleEndian.Uint32(data)))
	}
	return nodes
}

// fakeParent is a linchpin whose worker stalls or lingers, for ever if it may.
func fakeParent() int {
	_ = os.Unsetenv(parentEnv)
	c := testMachine(os.Getenv(fakeEnv))
	c.client.Limits.Stall, c.client.Limits.Leave = time.Minute, time.Hour
	_, err := (&Engine{device: c}).Compute(context.Background(), testTask(GPU))
	fmt.Println(err)
	return 0
}
