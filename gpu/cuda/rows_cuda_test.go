//go:build cuda

package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/linchpin-graph/linchpin/gpu"
)

const (
	// rowsBytes is the size of the memory that is read: far more than the caches. It is a power of 2.
	rowsBytes = 8 << 30
	// farStride spreads visits over all rows: it is odd, and about the golden ratio of 2^32.
	farStride = 2654435769
	// rowsRead is how many bytes one launch reads.
	rowsRead = 4 << 30
)

// BenchmarkRows reads rows of a graph from the memory of the host, and from that of the device, in order and all over.
// The words of a row are the neighbours of a node. docs/howto/planning.md says what follows from the rates.
func BenchmarkRows(b *testing.B) {
	d := open(b)
	host := locked(rowsBytes)
	if host == nil {
		b.Fatal("there is no locked memory of 8 GiB")
	}
	for at := 0; at < len(host); at += 4096 {
		host[at] = 1 // the first touch places the page
	}
	device, err := d.Alloc(rowsBytes)
	if err != nil {
		b.Fatal(err)
	}
	if err := d.Memset(device, 1, rowsBytes); err != nil {
		b.Fatal(err)
	}
	memories := []struct {
		name string
		at   gpu.Ptr
	}{{"host", gpu.Ptr(uintptr(unsafe.Pointer(&host[0])))}, {"device", device}}
	for _, memory := range memories {
		for _, words := range []int{8, 32, 128, 512} {
			for order, stride := range map[string]uint64{"in-order": 1, "random": farStride} {
				b.Run(fmt.Sprintf("%s/%s/%d", memory.name, order, words), func(b *testing.B) {
					useHere(b, d)
					benchmarkRows(b, d, memory.at, words, stride)
				})
			}
		}
	}
	b.Run("copy", func(b *testing.B) {
		useHere(b, d)
		benchmarkLockedCopy(b, d, device, host)
	})
	if err := errors.Join(d.Free(device), cu.MemFreeHost(unsafe.Pointer(&host[0]))); err != nil {
		b.Fatal(err)
	}
}

// useHere makes the device that of this goroutine, which is not the one that opened it.
func useHere(b *testing.B, d *GPU) {
	if err := d.context.Lock(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(runtime.UnlockOSThread)
}

// benchmarkRows reports the bytes per second, by the clock of the device.
func benchmarkRows(b *testing.B, d *GPU, memory gpu.Ptr, words int, stride uint64) {
	sum, err := gpu.Zeros[uint32](d, 1)
	if err != nil {
		b.Fatal(err)
	}
	visits := uint64(rowsRead / 4 / words)
	if stride != 1 {
		visits /= 8 // reads of short rows are slow
	}
	total := 0.0
	for b.Loop() {
		seconds, err := d.Time(func() error {
			return d.Launch(gpu.Kernel{Name: "read_rows", File: "probe"}, gpu.Shape{Grid: 8 * d.Info().SMs, Block: 256}, memory,
				uint64(rowsBytes/4/words), int32(words), visits, stride, sum)
		})
		if err != nil {
			b.Fatal(err)
		}
		total += seconds
	}
	b.ReportMetric(float64(b.N)*float64(visits)*float64(4*words)/total/1e9, "GB/s")
	b.ReportMetric(float64(b.N)*float64(visits)/total/1e6, "Mrows/s")
	if err := d.Free(sum); err != nil {
		b.Fatal(err)
	}
}

// benchmarkLockedCopy copies all of the host's memory to the device, without a kernel.
func benchmarkLockedCopy(b *testing.B, d *GPU, to gpu.Ptr, host []byte) {
	total := 0.0
	for b.Loop() {
		seconds, err := d.Time(func() error {
			return cu.MemcpyHtoDAsync(cu.DevicePtr(to), unsafe.Pointer(&host[0]), int64(len(host)), cu.NoStream)
		})
		if err != nil {
			b.Fatal(err)
		}
		total += seconds
	}
	b.ReportMetric(float64(b.N)*float64(len(host))/total/1e9, "GB/s")
}
