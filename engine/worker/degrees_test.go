package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// newFake is a fake device with the kernel of the strategy degrees.
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

// degrees is a strategy of tests: the smallest that allocates, launches and runs in chunks.
type degrees struct {
	// chunk, when set, is called before each chunk.
	chunk func()
	// forget leaves the scores unwritten.
	forget bool
}

func (degrees) Name() string             { return "degrees" }
func (degrees) Fits(w Want, _ bool) bool { return w.Measure == "degree" }
func (degrees) Parts(Want, bool) Parts   { return Parts{Tails: true, Edges: true, Transpose: true} }

func (degrees) Plan(size kernels.Size, _ Want, _ gpu.Info, free int64) (Plan, error) {
	need := 12 * size.Nodes
	if need > free {
		return Plan{}, &gpu.TooLarge{What: "degrees", Need: need, Free: free}
	}
	return Plan{DeviceBytes: need, HostBytes: 8, Blocks: 3, Note: "three blocks"}, nil
}

func (s degrees) Run(ctx context.Context, d gpu.Device, j *Job) (Result, error) {
	out, err := gpu.Zeros[float64](d, j.Graph.N)
	if err != nil {
		return Result{}, err
	}
	sources, err := gpu.Upload(d, j.Sources)
	if err != nil {
		return Result{}, err
	}
	err = j.Chunks(ctx, d, j.Plan.Blocks, func(first, count int) error {
		if s.chunk != nil {
			s.chunk()
		}
		return d.Launch(gpu.Kernel{Name: "degrees"}, gpu.Shape{Grid: j.Plan.Blocks, Block: 32}, j.Graph.Offsets, int32(first), int32(count), sources, out)
	})
	if err != nil || s.forget {
		return Result{}, err
	}
	return Result{Note: "counted"}, errors.Join(gpu.Download(d, j.Nodes, out), d.Free(out))
}

var _ Strategy = degrees{}
