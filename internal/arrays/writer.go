package arrays

import (
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"
	"slices"
)

// Writer writes values and arrays one after another, and keeps the first error.
type Writer struct {
	to  io.Writer
	sum hash.Hash32
	err error
}

// NewWriter begins to write.
func NewWriter(to io.Writer) *Writer {
	sum := newSum()
	return &Writer{to: io.MultiWriter(to, sum), sum: sum}
}

func newSum() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// Value writes a value of a size that encoding/binary knows.
func (w *Writer) Value(data any) {
	if w.err == nil {
		w.err = binary.Write(w.to, binary.LittleEndian, data)
	}
}

// Write writes the elements of an array, without their number.
func Write[T any](w *Writer, array []T) {
	for piece := range slices.Chunk(array, pieceLength) {
		if raw := memoryOf(piece); raw != nil && w.err == nil {
			_, w.err = w.to.Write(raw)
			continue
		}
		w.Value(piece)
	}
}

// End writes the checksum of all that was written, and returns the first error.
func (w *Writer) End() error {
	w.Value(w.sum.Sum32())
	return w.err
}
