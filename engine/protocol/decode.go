package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// DecodeOrder reads one order, strictly.
func DecodeOrder(line []byte) (Order, error) {
	var o Order
	if err := decode(line, &o); err != nil {
		return Order{}, fmt.Errorf("order: %w", err)
	}
	switch {
	case o.Version != ProtocolVersion:
		return Order{},
			fmt.Errorf("order: version %d; this worker speaks version %d: use linchpin and linchpin-worker of one build",
				o.Version, ProtocolVersion)
	case !slices.Contains([]string{OrderDevices, OrderOpen, OrderCompute, OrderDistances, OrderAdaptive, OrderSample},
		o.Kind):
		return Order{}, fmt.Errorf("order: unknown kind %q", o.Kind)
	case o.Device < 0:
		return Order{}, fmt.Errorf("order: device %d", o.Device)
	case o.Kind != OrderDevices && o.Kind != OrderOpen && (o.Snapshot == "" || o.Scores == ""),
		o.Kind == OrderCompute && o.Measure == "":
		return Order{}, errors.New("order: snapshot, scores or measure is missing")
	case (o.Shard != nil || o.Joined != "") && o.Kind != OrderCompute, o.Shard != nil && o.Joined != "", o.Way < 0:
		return Order{}, fmt.Errorf("order: shard %+v, joined %q, way %d of %s", o.Shard, o.Joined, o.Way, o.Kind)
	case o.Shard != nil && o.Shard.bad():
		return Order{}, fmt.Errorf("order: shard %d of %d, step %+v, into %q", o.Shard.Part.Index, o.Shard.Part.Of,
			o.Shard.Step, o.Shard.Partial)
	case o.Common != nil && (o.Common.SMs < 1 || o.Common.Free < 0):
		return Order{}, fmt.Errorf("order: a device of %d multiprocessors and %d bytes", o.Common.SMs, o.Common.Free)
	case o.Kind == OrderAdaptive && (!(o.C > 0) || o.Sources == ""):
		return Order{}, fmt.Errorf("order: an adaptive sample with c %v and sources %q", o.C, o.Sources)
	case (o.Kind == OrderSample) != (o.Accuracy != nil),
		o.Kind == OrderSample && !(o.Most >= 0 && (o.BySources || !o.Params.Weighted)):
		return Order{}, fmt.Errorf("order: %s with accuracy %+v and at most %v arcs or sources", o.Kind, o.Accuracy, o.Most)
	case !(o.Within >= 0 && o.Within <= math.MaxFloat64), o.Within > 0 && o.Kind != OrderCompute:
		return Order{}, fmt.Errorf("order: %s within %v", o.Kind, o.Within)
	case o.Chosen != nil && (o.Kind != OrderCompute || o.Chosen.Digest == ""):
		return Order{}, fmt.Errorf("order: %s of chosen pairs with digest %q", o.Kind, o.Chosen.Digest)
	case o.Ranges != nil && (len(o.Ranges) < 2 || !slices.IsSorted(o.Ranges) || !(o.Ranges[0] > 0) ||
		o.Ranges[len(o.Ranges)-1] != o.Within ||
		o.Shard != nil || o.Joined != "" || o.Chosen != nil):
		return Order{}, fmt.Errorf("order: ranges %v within %v of %s", o.Ranges, o.Within, o.Kind)
	case o.Measured != nil && !o.Measured.Sound(math.MaxInt32):
		return Order{}, fmt.Errorf("order: features that no graph has: %+v", *o.Measured)
	case o.Calibration != nil && !o.Calibration.Factors.Positive():
		return Order{}, fmt.Errorf("order: a calibration with factors %+v", o.Calibration.Factors)
	}
	return o, nil
}

// bad reports whether there is no such shard.
func (s *Shard) bad() bool {
	return s.Part.Index < 0 || s.Part.Index >= s.Part.Of || s.Partial == "" || s.Step.Engine < OnCPU || s.Step.Pass < 0
}

// DecodeEvent reads one event, strictly.
func DecodeEvent(line []byte) (Event, error) {
	var e Event
	if err := decode(line, &e); err != nil {
		if v, ok := otherVersion(line); ok {
			return Event{Event: EventHello, Version: v}, nil
		}
		return Event{}, fmt.Errorf("event: %w", err)
	}
	if err := e.check(); err != nil {
		return Event{}, fmt.Errorf("event: %w", err)
	}
	if len(e.Devices) == 0 {
		e.Devices = nil // as when there are none in the line
	}
	return e, nil
}

// otherVersion finds the version in the hello of a worker of another one, whatever else it says.
func otherVersion(line []byte) (version int, ok bool) {
	var e struct {
		Event   string `json:"event"`
		Version int    `json:"version"`
	}
	err := json.Unmarshal(line, &e)
	return e.Version, err == nil && e.Event == EventHello && e.Version > ProtocolVersion
}

// check demands the part that belongs to the kind, no other, and numbers that can be.
func (e Event) check() error {
	parts := map[string]bool{
		EventHello: e.Version != 0, EventDevices: e.Devices != nil || e.Event == EventDevices, EventPlanned: e.Planned != nil,
		EventProgress: e.Progress != nil, EventResult: e.Result != nil, EventError: e.Reason != "" || e.Detail != "",
	}
	if _, known := parts[e.Event]; !known && e.Event != EventBeat {
		return fmt.Errorf("unknown kind %q", e.Event)
	}
	for kind, set := range parts {
		if set != (kind == e.Event) {
			return fmt.Errorf("%s with the parts of %s", e.Event, kind)
		}
	}
	switch p, r := e.Progress, e.Result; {
	case e.About != nil && e.Event != EventError:
		return fmt.Errorf("%s about nodes", e.Event)
	case e.Event == EventError && !slices.Contains(reasons(), e.Reason):
		return fmt.Errorf("unknown reason %q", e.Reason)
	case p != nil && (p.Done < 0 || p.Done > p.Total):
		return fmt.Errorf("%d of %d sources are done", p.Done, p.Total)
	case e.Planned != nil && (e.Planned.Device == "" || e.Planned.Strategy == "" || e.Planned.HostBytes < 0 ||
		e.Planned.DeviceBytes < 0):
		return errors.New("a plan without a device or a strategy, or of negative size")
	case r != nil && (r.Left < 0 || r.Pass < 0 || r.Pairs < 0 || r.PeakBytes < 0 ||
		!positive(r.Distance, r.Demand, r.DemandDistance, r.Preprocess, r.Compute)):
		return errors.New("a negative number in the result")
	case r != nil && slices.ContainsFunc(r.Ranges, func(t RangeTotals) bool {
		return t.Pairs < 0 || !positive(t.Distance)
	}):
		return errors.New("a negative number in the totals of a range")
	}
	return nil
}

func positive(numbers ...float64) bool {
	for _, x := range numbers {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// decode reads one JSON object with known fields and nothing after it.
func decode(line []byte, into any) error {
	if len(line) > MaxLine {
		return fmt.Errorf("a line of %d bytes; at most %d are allowed", len(line), MaxLine)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value in a line")
	}
	return nil
}

// Encode returns an Order or Event as a line.
func Encode(v any) ([]byte, error) {
	line, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(line) > MaxLine {
		return nil, fmt.Errorf("a line of %d bytes; at most %d are allowed", len(line), MaxLine)
	}
	return append(line, '\n'), nil
}
