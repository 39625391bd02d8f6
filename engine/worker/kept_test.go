package worker

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// counted is the engine degrees in shards, which counts how often it prepares a run, and what it keeps for shards.
type counted struct {
	degrees
	prepared, kept, released *int
}

func (e counted) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	*e.prepared++
	p, err := e.degrees.Prepare(j, d, free)
	return countedRun{p, e}, err
}

type countedRun struct {
	device.Prepared
	engine counted
}

func (p countedRun) Keep(gpu.Device) (release func() error) {
	*p.engine.kept++
	return func() error { *p.engine.released++; return nil }
}

func (p countedRun) Run(ctx context.Context, d gpu.Device, j *device.Job) (device.Result, error) {
	part := *j
	first, last := j.Shard.Part(len(j.Sources))
	part.Sources = j.Sources[first:last]
	return p.Prepared.Run(ctx, d, &part)
}

// shardOf is the order of a shard of another one.
func shardOf(o protocol.Order, index, of int) protocol.Order {
	o.Shard = &protocol.Shard{
		Part:    kernels.Shard{Index: index, Of: of},
		Partial: filepath.Join(filepath.Dir(o.Snapshot), fmt.Sprint("partial-", index)),
	}
	return o
}

// joinedOf is the order for the scores of all shards of another one.
func joinedOf(o protocol.Order) protocol.Order {
	o.Joined = filepath.Join(filepath.Dir(o.Snapshot), "joined")
	return o
}

// TestShardsPrepareOnce: a worker prepares a run for its first shard alone, and forgets it with the scores, or for
// another run.
func TestShardsPrepareOnce(t *testing.T) {
	var prepared, kept, released int
	e, d := counted{prepared: &prepared, kept: &kept, released: &released}, newFake(t)
	o := job(t)
	other := o
	other.Bucket = 2
	const shards = 3
	var orders []protocol.Order
	for i := range shards {
		orders = append(orders, shardOf(o, i, shards))
	}
	serveAll := func(orders ...protocol.Order) {
		t.Helper()
		if last := lastEvent(serve(t, d, e, input(t, orders...))); last.Event != protocol.EventResult {
			t.Fatalf("%+v", last)
		}
	}
	serveAll(orders...)
	if prepared != 1 || kept != 1 || released != 0 {
		t.Errorf("%d shards were prepared %d times, kept %d times, released %d times", shards, prepared, kept, released)
	}
	if len(d.Ledger().Left()) == 0 {
		t.Error("nothing of the device is kept for the next shard; a device that is closed frees it")
	}
	d = newFake(t)
	join(t, joinedOf(o), orders)
	serveAll(append(orders, joinedOf(o), orders[1], shardOf(other, 0, shards), o)...)
	if prepared != 1+4 || kept != 1+3 || released != 3 {
		t.Errorf("prepared %d times, kept %d times, released %d times", prepared, kept, released)
	}
	serveAll(joinedOf(o)) // by a worker that did no shard
	if diff := cmp.Diff([]float64{1, 2, 1}, scoresOf(t, o)); diff != "" {
		t.Error(diff)
	}
	if len(d.Ledger().Left()) != 0 {
		t.Errorf("left %v", d.Ledger().Left())
	}
}

// join joins the partial results of shards, as linchpin does.
func join(t *testing.T, o protocol.Order, shards []protocol.Order) {
	t.Helper()
	var all kernels.Partial
	for i, s := range shards {
		data, err := os.ReadFile(s.Shard.Partial)
		if err != nil {
			t.Fatal(err)
		}
		var p kernels.Partial
		if err := p.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			all = *p.Empty()
		}
		if err := all.Join(&p); err != nil {
			t.Fatal(err)
		}
	}
	data, err := all.MarshalBinary()
	if err == nil {
		err = os.WriteFile(o.Joined, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// seen is the engine counted, which notes for which device it plans.
type seen struct {
	counted
	infos *[]gpu.Info
}

func (e seen) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	*e.infos = append(*e.infos, d)
	return e.counted.Prepare(j, d, free)
}

// TestDevicesPlanForWhatTheyHaveInCommon: a worker says what its device is, and plans shards for the device of the
// order.
func TestDevicesPlanForWhatTheyHaveInCommon(t *testing.T) {
	var prepared, kept, released int
	var infos []gpu.Info
	e, d := seen{counted{prepared: &prepared, kept: &kept, released: &released}, &infos}, newFake(t)
	open := protocol.Order{Version: protocol.ProtocolVersion, Kind: protocol.OrderOpen}
	o := job(t)
	small := d.About
	small.Name, small.SMs, small.Free = "small", 2, d.About.Free/2
	o.Common = &small
	events := serve(t, d, e, input(t, open, shardOf(o, 0, 2), open, shardOf(o, 1, 2)))
	if diff := cmp.Diff([]gpu.Info{d.About}, events[0].Devices); diff != "" {
		t.Error(diff)
	}
	if len(infos) != 2 || infos[0] != small || infos[1] != small { // what is opened anew is prepared anew
		t.Errorf("planned for %+v", infos)
	}
	for _, event := range events {
		if event.Event == protocol.EventPlanned && event.Planned.Device != d.About.Name {
			t.Errorf("%s computes, not %s", event.Planned.Device, d.About.Name)
		}
	}
	missing := open
	missing.Device = 1
	if last := lastEvent(serve(t, d, e, input(t, missing))); last.Reason != protocol.NoDevice {
		t.Errorf("%+v", last)
	}
}

// resting is the engine degrees in shards, which notes when what is kept for them is given back.
type resting struct {
	counted
	dropped chan struct{}
}

func (e resting) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	p, err := e.counted.Prepare(j, d, free)
	return restingRun{p, e.dropped}, err
}

type restingRun struct {
	device.Prepared
	dropped chan struct{}
}

func (r restingRun) Keep(gpu.Device) (release func() error) {
	return func() error { r.dropped <- struct{}{}; return nil }
}

// TestIdleRunIsDropped: a worker without an order gives the memory of its device back, and goes on with the run when an
// order comes.
func TestIdleRunIsDropped(t *testing.T) {
	defer func(before time.Duration) { idle = before }(idle)
	idle = time.Millisecond
	var prepared, kept, released int
	e := resting{counted{prepared: &prepared, kept: &kept, released: &released}, make(chan struct{}, 2)}
	o, d := job(t), newFake(t)
	read, write := io.Pipe()
	go func() {
		defer write.Close()
		for i := range 2 {
			line, err := protocol.Encode(shardOf(o, i, 2))
			if err == nil {
				_, err = write.Write(line)
			}
			if err != nil {
				t.Error(err)
			}
			<-e.dropped
		}
	}()
	if last := lastEvent(serve(t, d, e, read)); last.Event != protocol.EventResult || prepared != 2 {
		t.Errorf("%+v; prepared %d times, not twice", last, prepared)
	}
	if d.Rested == 0 {
		t.Error("the device keeps what was freed")
	}
	join(t, joinedOf(o), []protocol.Order{shardOf(o, 0, 2), shardOf(o, 1, 2)})
	if last := lastEvent(serve(t, newFake(t), e, input(t, joinedOf(o)))); last.Event != protocol.EventResult {
		t.Errorf("%+v", last)
	}
	if diff := cmp.Diff([]float64{1, 2, 1}, scoresOf(t, o)); diff != "" {
		t.Error(diff)
	}
}
