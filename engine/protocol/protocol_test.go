package protocol

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

func someEvents() []Event {
	out := []Event{
		{Event: EventHello, Version: ProtocolVersion},
		{Event: EventBeat},
		{Event: EventDevices},
		{Event: EventDevices, Devices: []gpu.Info{{Name: "Fake 9000", Major: 9, SMs: 132, Free: 1, Total: 2, Driver: 13000}}},
		{Event: EventPlanned, Planned: &Planned{Device: "Fake 9000", Strategy: "hybrid", Reason: "asked for", DeviceBytes: 1 << 40, Blocks: 264}},
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
		Version: ProtocolVersion, Kind: OrderCompute, Device: 2, Snapshot: "/a b/graph.arrow", Sources: "/s", Scores: "/t", Measure: "closeness",
		Params: kernels.Params{Weighted: true, Normalized: &yes, Radius: &radius, Variant: "classic", Tolerance: 1e-9},
		Nodes:  true, Edges: true, Scale: 2.5, Strategy: "auto", Single: true, Bucket: 4, Profile: true,
	}
	line, err := Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeOrder(line); err != nil || !cmp.Equal(o, got) {
		t.Errorf("%v %s", err, cmp.Diff(o, got))
	}
}

func TestBadLines(t *testing.T) {
	for _, text := range []string{
		"", "null", "[]", "{}", "hello", `{"event":"hello"}`, `{"event":"hello","version":3,"x":2}`, `{"event":"beat"} {}`,
		`{"event":"beat","version":1}`, `{"event":"progress"}`, `{"event":"progress","progress":{"done":2,"total":1}}`,
		`{"event":"progress","progress":{"done":-1,"total":1}}`, `{"event":"result","result":{"pairs":-1}}`,
		`{"event":"result","result":{"distance":1e999}}`, `{"event":"result","result":{"compute":-1}}`,
		`{"event":"error"}`, `{"event":"error","reason":"","detail":"x"}`, `{"event":"error","reason":"bad-mood"}`,
		`{"event":"planned","planned":{}}`, `{"event":"party"}`, `{"event":"result","result":{"pairs":1.5}}`,
		`{"event":"beat","detail":"` + strings.Repeat("x", MaxLine) + `"}`,
	} {
		if e, err := DecodeEvent([]byte(text)); err == nil {
			t.Errorf("%.80q was taken as %+v", text, e)
		}
	}
	for _, text := range []string{
		"", "null", "{}", `{"version":1,"kind":"devices","device":0,"params":{}}`, `{"version":3,"kind":"party","device":0}`,
		`{"version":3,"kind":"devices","device":-1}`, `{"version":3,"kind":"compute"}`, `{"version":3,"kind":"devices","x":1}`,
		`{"version":3,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{"colour":1}}`,
		`{"version":3,"kind":"compute","snapshot":"a","scores":"b","params":{}}`, `{"version":3,"kind":"distances","snapshot":"a","params":{}}`,
		`{"version":3,"kind":"adaptive","snapshot":"a","scores":"b","sources":"c","params":{}}`,
		`{"version":3,"kind":"adaptive","snapshot":"a","scores":"b","c":5,"params":{}}`,
	} {
		if o, err := DecodeOrder([]byte(text)); err == nil {
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
	f.Add([]byte(`{"version":3,"kind":"devices","device":0,"params":{"weighted":false}}`))
	f.Add([]byte(`{"version":3,"kind":"adaptive","snapshot":"a","scores":"b","sources":"c","params":{},"nodes":true,"c":5,"wanted":"d"}`))
	f.Add([]byte(`{"version":3,"kind":"compute","snapshot":"a","scores":"b","measure":"c","params":{"weighted":true,"radius":3},"nodes":true,"scale":1.5}`))
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
