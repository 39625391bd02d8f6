package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// path is 0 - 1 - 2.
func path() *export.Graph {
	return &export.Graph{EdgeCount: 2, Offsets: []int64{0, 1, 3, 4}, Targets: []int32{1, 0, 2, 1},
		Edges: []int32{0, 0, 1, 1}}
}

// newFake is a fake device with the kernel of the engine degrees.
func newFake(t *testing.T) *devicetest.Fake {
	d := devicetest.NewFake(t)
	d.Kernels["degrees"] = degreesKernel
	return d
}

// degreesKernel(offsets, n, first, count, sources, out): out[v] = degree of v for sources first to first+count.
func degreesKernel(d *devicetest.Fake, _ gpu.Shape, args []any) {
	offsets, sources, out := args[0].(gpu.Ptr), args[3].(gpu.Ptr), args[4].(gpu.Ptr)
	for i := args[1].(int32); i < args[1].(int32)+args[2].(int32); i++ {
		v := gpu.Ptr(binary.LittleEndian.Uint32(d.At(sources+4*gpu.Ptr(i), 4)))
		begin := binary.LittleEndian.Uint64(d.At(offsets+8*v, 8))
		end := binary.LittleEndian.Uint64(d.At(offsets+8*v+8, 8))
		binary.LittleEndian.PutUint64(d.At(out+8*v, 8), math.Float64bits(float64(end-begin)))
	}
}

// degrees is an engine of tests: the smallest that allocates, launches and runs in chunks.
type degrees struct {
	// chunk, when set, is called before each chunk.
	chunk func()
}

func (degrees) Name() string                       { return "degrees" }
func (degrees) Accepts(w device.Want, _ bool) bool { return w.Measure == "degree" }
func (degrees) Parts(device.Want, bool) device.Parts {
	return device.Parts{Tails: true, Edges: true, Transpose: true}
}

func (e degrees) Prepare(j *device.Job, _ gpu.Info, free int64) (device.Prepared, error) {
	need := 12 * j.Size.Nodes
	if need > free {
		return nil, &gpu.TooLarge{What: "degrees", Need: need, Free: free}
	}
	return degreesPrepared{e, device.Plan{DeviceBytes: need, HostBytes: 8, Blocks: 3, Note: "three blocks"}}, nil
}

type degreesPrepared struct {
	engine degrees
	plan   device.Plan
}

func (p degreesPrepared) Plan() device.Plan { return p.plan }

func (p degreesPrepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (device.Result, error) {
	out, err := gpu.Zeros[float64](d, j.Graph.N)
	if err != nil {
		return device.Result{}, err
	}
	sources, err := gpu.Upload(d, j.Sources)
	if err != nil {
		return device.Result{}, err
	}
	calls := &device.Calls{Ctx: ctx, Device: d}
	err = device.Chunks(calls, len(j.Sources), p.plan.Blocks, j.Progress, func(first, count int) error {
		if p.engine.chunk != nil {
			p.engine.chunk()
		}
		shape := gpu.Shape{Grid: p.plan.Blocks, Block: 32}
		return d.Launch(gpu.Kernel{Name: "degrees"}, shape, j.Graph.Offsets, int32(first), int32(count), sources, out)
	})
	if err != nil {
		return device.Result{}, err
	}
	found := make([]float64, j.Graph.N)
	err = errors.Join(gpu.Download(d, found, out), d.Free(out))
	fill(j.Partial, j.Host)
	j.Partial.Nodes.Move(found)
	return device.Result{Note: "counted"}, err
}

// forgetful is an engine for distances that writes none.
type forgetful struct{ degrees }

func (forgetful) Accepts(w device.Want, _ bool) bool { return w.Measure == device.Distances }

func (forgetful) Prepare(*device.Job, gpu.Info, int64) (device.Prepared, error) {
	return forgets{}, nil
}

type forgets struct{}

func (forgets) Plan() device.Plan { return device.Plan{} }

func (forgets) Run(context.Context, gpu.Device, *device.Job) (device.Result, error) {
	return device.Result{}, nil
}

var _, _ device.Engine = degrees{}, forgetful{}
