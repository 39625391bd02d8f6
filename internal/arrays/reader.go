package arrays

import (
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"slices"
)

// Reader reads what a Writer wrote, in the same order.
type Reader struct {
	// Err is the first error.
	Err error

	from  io.Reader
	sum   hash.Hash32
	left  int64 // bytes
	wrong error
}

// NewReader begins to read at most so many bytes. All errors wrap wrong, which says what the bytes are not.
func NewReader(from io.Reader, most int64, wrong error) *Reader {
	return &Reader{from: from, sum: newSum(), left: most, wrong: wrong}
}

// Value reads a value of a size that encoding/binary knows.
func (r *Reader) Value(into any) {
	if r.takes(int64(binary.Size(into))) {
		r.failed(binary.Read(io.TeeReader(r.from, r.sum), binary.LittleEndian, into))
	}
}

// takes reports whether there are so many bytes, and counts them.
func (r *Reader) takes(size int64) bool {
	if r.Err == nil && size > r.left {
		r.Err = fmt.Errorf("%w: it ends early", r.wrong)
	}
	if r.Err != nil {
		return false
	}
	r.left -= size
	return true
}

// fill reads the memory of an array as it lies in the file.
func (r *Reader) fill(raw []byte) {
	if !r.takes(int64(len(raw))) {
		return
	}
	_, err := io.ReadFull(r.from, raw)
	r.failed(err)
	r.sum.Write(raw) // which has no error
}

// failed keeps an error of reading.
func (r *Reader) failed(err error) {
	if err != nil {
		r.Err = fmt.Errorf("%w: %v", r.wrong, err)
	}
}

// Read reads an array of so many elements, none for a negative count.
func Read[T any](r *Reader, count int64, into *[]T) {
	if r.Err != nil || count < 0 {
		return
	}
	if each := int64(binary.Size(new(T))); count > r.left/each {
		r.Err = fmt.Errorf("%w: an array of %d elements in %d bytes", r.wrong, count, r.left)
		return
	}
	*into = make([]T, count)
	for piece := range slices.Chunk(*into, pieceLength) {
		if raw := memoryOf(piece); raw != nil {
			r.fill(raw)
			continue
		}
		r.Value(piece)
	}
}

// End reads the checksum and compares it, and returns the first error.
func (r *Reader) End() error {
	want, got := r.sum.Sum32(), uint32(0)
	if r.Value(&got); r.Err == nil && got != want {
		return fmt.Errorf("%w: its checksum is wrong", r.wrong)
	}
	return r.Err
}
