package volume

import (
	"sort"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// layout is the shape of launches and the memory of a run.
type layout struct {
	sources                 int64
	blocks, threadsPerBlock int
	// sharedPerBlock is the bitmap of a block in shared memory, in bytes, or 0; scratchPerBlock its nodes and bitsPerBlock
	// its bitmap in device memory.
	sharedPerBlock, scratchPerBlock, bitsPerBlock int64
	// queue asks for a list of the sources with large balls.
	queue bool
}

// arrays are the arrays of a run: see Volumes in volume.cu and NearVolumes in volume_near.cu.
type arrays struct{ sources, volumes, queue, scratch, bits gpu.Ptr }

// buffers lists the arrays of a run.
func (l layout) buffers(a *arrays) device.Buffers {
	b := int64(l.blocks)
	list := device.Buffers{
		{Name: "volumes", Bytes: 8 * l.sources, Zero: true, Into: &a.volumes},
		{Name: "nodes of balls", Bytes: l.scratchPerBlock * b, Into: &a.scratch},
		{Name: "bitmaps", Bytes: l.bitsPerBlock * b, Into: &a.bits},
	}
	if l.queue {
		list = append(list, device.Buffer{Name: "large balls", Bytes: 4*l.sources + 8, Into: &a.queue})
	}
	return list
}

// bytes bounds the device memory of a run.
func (l layout) bytes() int64 {
	const arguments = 1 << 16
	return l.buffers(&arrays{}).Bytes() + 4*l.sources + arguments
}

// fit takes as many blocks as free bytes hold, up to those that there are. It reports whether they hold one; if not,
// one is left.
func (l *layout) fit(free int64) bool {
	fits := sort.Search(l.blocks, func(i int) bool {
		tried := *l
		tried.blocks = i + 1
		return tried.bytes() > free
	})
	l.blocks = max(1, fits)
	return fits > 0
}

// shape is that of a launch.
func (l layout) shape() gpu.Shape {
	return gpu.Shape{Grid: l.blocks, Block: l.threadsPerBlock, Shared: int(l.sharedPerBlock)}
}

func bitmapBytes(n int64) int64 { return (n + 31) / 32 * 4 }

// layout is the layout that memory without end would get.
func (e Engine) layout(w device.Want, d gpu.Info) layout {
	if e.lists {
		return listLayout(w, d)
	}
	return bitmapLayout(w, d)
}

// bitmapLayout keeps the bitmap in shared memory if it fits.
func bitmapLayout(w device.Want, d gpu.Info) layout {
	n, shared, threads := w.Size.Nodes, int(bitmapBytes(w.Size.Nodes)), ballThreads
	if shared+device.StaticShared > d.SharedBlock {
		shared = 0
	}
	perSM := d.SharedBlock / (shared + device.StaticShared)
	for threads < device.ResidentThreads && perSM < device.ResidentThreads/threads {
		threads *= 2
	}
	perSM = max(1, min(device.ResidentThreads/threads, perSM))
	l := layout{
		sources: int64(w.Sources), blocks: min(d.SMs*perSM, max(1, w.Sources)), threadsPerBlock: threads,
		sharedPerBlock: int64(shared),
	}
	if w.Radius() > nearRadius {
		l.scratchPerBlock, l.bitsPerBlock = 4*n, bitmapBytes(n)
		return l
	}
	if l.queue = true; shared == 0 {
		l.bitsPerBlock = bitmapBytes(n)
	}
	return l
}

// listLayout has three lists per warp.
func listLayout(w device.Want, d gpu.Info) layout {
	return layout{
		sources: int64(w.Sources), blocks: min(d.SMs*listBlocks, max(1, w.Sources)), threadsPerBlock: listThreads,
		scratchPerBlock: 12 * w.Size.Nodes * (listThreads / 32),
	}
}
