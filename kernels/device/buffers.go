package device

import (
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Buffer is one array in device memory.
type Buffer struct {
	Name  string
	Bytes int64
	// Zero asks for memory of zeros.
	Zero bool
	// From, unless nil, is copied to the array.
	From []byte
	// Stack marks what is taken again where a stack was too short.
	Stack bool
	// Into gets the array's address; nil where the array is only counted.
	Into *gpu.Ptr
}

// Filled is an array with the values of a slice.
func Filled[T any](name string, s []T, into *gpu.Ptr) Buffer {
	from := BytesOf(s)
	return Buffer{Name: name, Bytes: int64(len(from)), From: from, Into: into}
}

// Buffers lists the arrays of a run, once: for the sum of their bytes, and to allocate them. Arrays of 0 bytes are left
// out.
type Buffers []Buffer

// Stacks are those of the arrays that are marked.
func (b Buffers) Stacks() Buffers {
	return slices.DeleteFunc(slices.Clone(b), func(x Buffer) bool { return !x.Stack })
}

// alignment is that of allocations.
const alignment = 256

// Bytes is what the arrays take together.
func (b Buffers) Bytes() int64 {
	sum := int64(0)
	for _, x := range b {
		sum += (x.Bytes + alignment - 1) / alignment * alignment
	}
	return sum
}

// Take allocates the arrays.
func (b Buffers) Take(c *Calls) {
	for _, x := range b {
		switch {
		case x.Bytes == 0 || x.Into == nil:
		case x.Zero:
			*x.Into = c.Zeros(x.Bytes)
		case x.From != nil:
			*x.Into = c.Alloc(x.Bytes)
			c.Do(func() error { return c.Device.CopyIn(*x.Into, x.From) })
		default:
			*x.Into = c.Alloc(x.Bytes)
		}
	}
}

// Free frees the arrays.
func (b Buffers) Free(c *Calls) {
	for _, x := range b {
		if x.Into != nil {
			c.Free(*x.Into)
			*x.Into = 0
		}
	}
}
