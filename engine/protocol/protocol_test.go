package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

func someEvents() []Event {
	out := []Event{
		{Event: EventHello, Version: ProtocolVersion},
		{Event: EventBeat},
		{Event: EventDevices},
		{Event: EventDevices, Devices: []gpu.Info{{Name: "Fake 9000", Major: 9, SMs: 132, Free: 1, Total: 2, Driver: 13000}}},
		{Event: EventPlanned, Planned: &Planned{Device: "Fake 9000", Strategy: "hybrid", Reason: "asked for",
			DeviceBytes: 1 << 40, Blocks: 264}},
		{Event: EventProgress, Progress: &Progress{Done: 3, Total: 7}},
		{Event: EventResult, Result: &Result{Pairs: 1 << 60, Distance: 1e300, Ties: "exact", Preprocess: 0.5, Compute: 1}},
	}
	for _, r := range reasons() {
		out = append(out, Event{Event: EventError, Reason: r, Detail: "one line"})
	}
	return out
}

func TestEventsGoThere(t *testing.T) {
	for _, e := range someEvents() {
		line, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(line), "\n") != 1 {
			t.Errorf("not one line: %q", line)
		}
		got, err := DecodeEvent(line)
		if err != nil || !cmp.Equal(e, got) {
			t.Errorf("%s: %v %s", line, err, cmp.Diff(e, got))
		}
	}
}

func TestOrdersGoThere(t *testing.T) {
	yes, radius := true, 3
	o := Order{
		Version: ProtocolVersion, Kind: OrderCompute, Device: 2, Snapshot: "/a b/graph.arrow", Sources: "/s", Scores: "/t",
		Measure: "closeness", Params: kernels.Params{Weighted: true, Normalized: &yes, Radius: &radius, Variant: "classic",
			Tolerance: 1e-9},
		Nodes: true, Edges: true, Scale: 2.5, Strategy: "auto", Single: true, Bucket: 4, Profile: true,
		Within: 5, Ranges: []float64{0.5, 2, 5},
		Measured: &plan.Measured{
			Degrees: &plan.Degrees{Leaves: 3, Squares: 1e300}, Depth: &order.Depth{Levels: 9, Deep: true, Found: 7, End: 5},
			Reach: new(float64), Weights: &plan.Weights{Class: plan.Reals, Least: 0.1, Greatest: 1.0 / 3, Ticks: lanes.NotWhole},
		},
		Common: &gpu.Info{Name: "Fake 9000", SMs: 66, Free: 1 << 30, Total: 80 << 30},
		Calibration: &plan.Calibration{Device: "Fake 9000", Driver: 13000, Model: 1,
			Factors: plan.Factors{Device: 1.1, CPU: 0.7}},
	}
	line, err := Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeOrder(line); err != nil || !cmp.Equal(o, got) {
		t.Errorf("%v %s", err, cmp.Diff(o, got))
	}
}

// ofThisVersion puts the version of the protocol into an order.
func ofThisVersion(text string) []byte {
	return []byte(strings.Replace(text, `"version":now`, fmt.Sprintf(`"version":%d`, ProtocolVersion), 1))
}

func TestBadLines(t *testing.T) {
	for _, text := range []string{
		"", "null", "[]", "{}", "hello", `{"event":"hello"}`, `{"event":"hello","version":3,"x":2}`, `{"event":"beat"} {}`,
		`{"event":"beat","version":1}`, `{"event":"progress"}`, `{"event":"progress","progress":{"done":2,"total":1}}`,
		`{"event":"progress","progress":{"done":-1,"total":1}}`, `{"event":"result","result":{"pairs":-1}}`,
		`{"event":"result","result":{"distance":1e999}}`, `{"event":"result","result":{"compute":-1}}`,
		`{"event":"result","result":{"ranges":[{"pairs":-1}]}}`,
		`{"event":"error"}`, `{"event":"error","reason":"","detail":"x"}`, `{"event":"error","reason":"bad-mood"}`,
		`{"event":"planned","planned":{}}`, `{"event":"party"}`, `{"event":"result","result":{"pairs":1.5}}`,
		`{"event":"beat","detail":"` + strings.Repeat("x", MaxLine) + `"}`,
	} {
		if e, err := DecodeEvent([]byte(text)); err == nil {
			t.Errorf("%.80q was taken as %+v", text, e)
		}
	}
	for _, text := range []string{
		"", "null", "{}", `{"version":1,"kind":"devices","device":0,"params":{}}`,
		`{"version":now,"kind":"party","device":0}`, `{"version":now,"kind":"devices","device":-1}`,
		`{"version":now,"kind":"compute"}`, `{"version":now,"kind":"devices","x":1}`,
		`{"version":now,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{"colour":1}}`,
		`{"version":now,"kind":"compute","snapshot":"a","scores":"b","params":{}}`,
		`{"version":now,"kind":"distances","snapshot":"a","params":{}}`,
		`{"version":now,"kind":"adaptive","snapshot":"a","scores":"b","sources":"c","params":{}}`,
		`{"version":now,"kind":"adaptive","snapshot":"a","scores":"b","c":5,"params":{}}`,
		`{"version":now,"kind":"devices","params":{},"common":{"sms":0,"free":1}}`,
		`{"version":now,"kind":"devices","params":{},"common":{"sms":1,"free":-1}}`,
		`{"version":now,"kind":"open","device":-1,"params":{}}`,
		`{"version":now,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{},"within":2,"ranges":[2]}`,
		`{"version":now,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{},"within":2,"ranges":[3,2]}`,
		`{"version":now,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{},"within":2,"ranges":[0,2]}`,
		`{"version":now,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{},"within":3,"ranges":[1,2]}`,
		`{"version":now,"kind":"compute","snapshot":"a","measure":"c","params":{},"within":2,"ranges":[1,2],"scores":"b","joined":"d"}`,
		`{"version":now,"kind":"devices","params":{},"measured":{"reach":-1}}`,
		`{"version":now,"kind":"devices","params":{},"measured":{"degrees":{"Leaves":-1}}}`,
		`{"version":now,"kind":"devices","params":{},"measured":{"depth":{"Levels":3,"End":-1}}}`,
		`{"version":now,"kind":"devices","params":{},"measured":{"weights":{"Class":4}}}`,
		`{"version":now,"kind":"devices","params":{},"measured":{"colour":1}}`,
		`{"version":now,"kind":"devices","params":{},"calibration":{"device":"x","factors":{"device":0,"cpu":1}}}`,
	} {
		if o, err := DecodeOrder(ofThisVersion(text)); err == nil {
			t.Errorf("%.80q was taken as %+v", text, o)
		}
	}
}

func FuzzDecodeEvent(f *testing.F) {
	for _, e := range someEvents() {
		line, err := Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"event":"hello","version":999,"x":[{}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := DecodeEvent(line)
		if err != nil {
			return
		}
		again, err := Encode(e)
		if err != nil {
			t.Skip("grew over the limit by escapes")
		}
		back, err := DecodeEvent(again)
		if err != nil || !cmp.Equal(e, back) {
			t.Fatalf("%q, then %q: %v %s", line, again, err, cmp.Diff(e, back))
		}
		if e.Event == EventError && !slices.Contains(reasons(), e.Reason) {
			t.Fatalf("reason %q", e.Reason)
		}
	})
}

func FuzzDecodeOrder(f *testing.F) {
	f.Add(ofThisVersion(`{"version":now,"kind":"devices","device":0,"params":{"weighted":false}}`))
	f.Add(ofThisVersion(`{"version":now,"kind":"adaptive","snapshot":"a","scores":"b","sources":"c","params":{},"nodes":true,"c":5,"wanted":"d"}`))
	f.Add(ofThisVersion(`{"version":now,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{"weighted":true,"radius":3},"nodes":true,"scale":1.5}`))
	f.Add(ofThisVersion(`{"version":now,"kind":"devices","params":{},"measured":{"reach":0.5,"depth":{"Levels":3}},"calibration":{"factors":{"device":1,"cpu":1}}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		o, err := DecodeOrder(line)
		if err != nil {
			return
		}
		again, err := Encode(o)
		if err != nil {
			t.Skip("grew over the limit by escapes")
		}
		if back, err := DecodeOrder(again); err != nil || !cmp.Equal(o, back) {
			t.Fatalf("%q, then %q: %v", line, again, err)
		}
	})
}
