package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// keptRun is what a worker keeps of a run that is cut into shards, from one order to the next: the graph, what
// reductions leave of it, the way to compute it, and what that keeps on the device. So only the first order prepares
// the run and takes memory.
type keptRun struct {
	// run identifies the run; "" for none.
	run      string
	snapshot *export.Mapped
	task     *task
	way      *way
	// memory is the device, which keeps the arrays of one shard for the next. release frees what else is kept on it; nil
	// for nothing.
	memory  *gpu.Keeping
	release func() error
	// common is what the devices of the run have in common; nil where it has one. free is what its own device had free
	// when the run began.
	common *gpu.Info
	free   int64
}

// runOf identifies the run of an order.
func runOf(o protocol.Order) (string, error) {
	if o.Sources == "" {
		return o.Run(nil)
	}
	sources, err := os.ReadFile(o.Sources)
	if err != nil {
		return "", fmt.Errorf("sources: %w", err)
	}
	return o.Run(sources)
}

// begin begins to keep a run on a device.
func (k *keptRun) begin(
	run string, o protocol.Order, d gpu.Device, make func(*export.Mapped) (*task, error),
) (err error) {
	if k.snapshot, err = openSnapshot(o); err != nil {
		return err
	}
	if k.task, err = make(k.snapshot); err == nil {
		found := &foundLists{way: o.Way}
		if o.Common != nil && o.Shard != nil { // not alone
			found.dir = filepath.Dir(o.Shard.Partial)
		}
		k.task.job.Once = found.once
	}
	k.run, k.common, k.free, k.memory = run, o.Common, d.Info().Free, &gpu.Keeping{Device: d}
	return err
}

// info is the device as the run is planned for it: all that share the run plan for what they have in common, less what
// the run keeps of its memory for good.
func (k *keptRun) info() gpu.Info {
	own := k.memory.Info()
	own.Free += k.memory.Kept()
	if k.common == nil {
		return own
	}
	info := *k.common
	info.Free -= max(0, k.free-own.Free)
	return info
}

// prepared returns the way of the kept run, prepared.
func (k *keptRun) prepared(ctx context.Context, number int) (*way, error) {
	if k.way != nil {
		return k.way, nil
	}
	w, err := k.task.wayNumber(ctx, k.info(), number, true)
	if err != nil {
		return nil, err
	}
	if shared, ok := w.prepared.(device.Keeper); ok {
		k.release = shared.Keep(k.memory)
	}
	k.way = w
	return w, nil
}

// drop gives back all that is kept.
func (k *keptRun) drop() error {
	var err error
	if k.release != nil {
		err = k.release()
	}
	if k.memory != nil {
		err = errors.Join(err, k.memory.Release())
	}
	return errors.Join(err, k.forget())
}

// forget is drop without the memory of the device, which frees it when it is closed.
func (k *keptRun) forget() (err error) {
	if k.snapshot != nil {
		err = k.snapshot.Close()
	}
	*k = keptRun{}
	return err
}
