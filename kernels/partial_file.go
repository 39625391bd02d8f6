package kernels

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
	"unsafe"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// partialMagic begins the bytes of a partial result. It changes with their form.
const partialMagic = "linchpin partial result 3\n"

// ErrPartial is the error of bytes that are not a partial result, or not a whole one.
var ErrPartial = errors.New("not a partial result")

// partialHead is what the bytes of a partial result begin with: how long each array is, -1 for none.
type partialHead struct {
	Sums                                                                      [5]int64
	Scales                                                                    [5]exact.Scale
	MostNodes, MostEdges, NodeCounts, EdgeCounts, WideNodes, WideEdges, Alone int64
	NodeDemands, EdgeDemands, Demands                                         int64
	Totals                                                                    Totals
}

// MarshalBinary returns the partial result as bytes, with a checksum at their end.
func (p *Partial) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	err := p.Encode(&b)
	return b.Bytes(), err
}

// Encode writes the bytes of MarshalBinary. It takes little memory.
func (p *Partial) Encode(to io.Writer) error {
	h := partialHead{
		MostNodes: arrayLength(p.MostNodes), MostEdges: arrayLength(p.MostEdges), NodeCounts: arrayLength(p.NodeCounts),
		EdgeCounts: arrayLength(p.EdgeCounts), WideNodes: arrayLength(p.WideNodes), WideEdges: arrayLength(p.WideEdges),
		Alone: arrayLength(p.Alone), Totals: p.Totals,
		NodeDemands: arrayLength(p.NodeDemands), EdgeDemands: arrayLength(p.EdgeDemands), Demands: arrayLength(p.Demands),
	}
	for i, s := range p.sums() {
		if h.Sums[i] = -1; *s != nil {
			h.Sums[i], h.Scales[i] = int64(len((*s).Words)), (*s).Scale
		}
	}
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	w := partialWriter{to: io.MultiWriter(to, sum)}
	w.write([]byte(partialMagic))
	w.write(&h)
	for _, s := range p.sums() {
		if *s != nil {
			writeArray(&w, (*s).Words)
		}
	}
	writeArray(&w, p.MostNodes)
	writeArray(&w, p.MostEdges)
	writeArray(&w, p.NodeCounts)
	writeArray(&w, p.EdgeCounts)
	writeArray(&w, p.WideNodes)
	writeArray(&w, p.WideEdges)
	writeArray(&w, p.Alone)
	writeArray(&w, p.NodeDemands)
	writeArray(&w, p.EdgeDemands)
	writeArray(&w, p.Demands)
	w.write(sum.Sum32())
	return w.err
}

// partialWriter keeps the first error.
type partialWriter struct {
	to  io.Writer
	err error
}

func (w *partialWriter) write(data any) {
	if w.err == nil {
		w.err = binary.Write(w.to, binary.LittleEndian, data)
	}
}

// arrayPiece is how many elements of an array are made bytes of at a time.
const arrayPiece = 1 << 14

func writeArray[T any](w *partialWriter, array []T) {
	for piece := range slices.Chunk(array, arrayPiece) {
		if raw := memoryOf(piece); raw != nil && w.err == nil {
			_, w.err = w.to.Write(raw)
			continue
		}
		w.write(piece)
	}
}

// littleEndian reports whether numbers lie in memory as they do in files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// memoryOf returns the memory of a slice where that is what is to be written; otherwise nil.
func memoryOf[T any](s []T) []byte {
	size := int(unsafe.Sizeof(*new(T)))
	if !littleEndian || len(s) == 0 || binary.Size(s) != size*len(s) {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), size*len(s))
}

// UnmarshalBinary reads what MarshalBinary returned. The error wraps ErrPartial.
func (p *Partial) UnmarshalBinary(data []byte) error {
	from := bytes.NewReader(data)
	if err := p.Decode(from, int64(len(data))); err != nil {
		return err
	}
	if from.Len() > 0 {
		return fmt.Errorf("%w: %d bytes too many", ErrPartial, from.Len())
	}
	return nil
}

// Decode reads what Encode wrote, of at most so many bytes, and no more than that. The error wraps ErrPartial.
func (p *Partial) Decode(from io.Reader, most int64) error {
	r := partialReader{from: from, sum: crc32.New(crc32.MakeTable(crc32.Castagnoli)), left: most}
	magic := make([]byte, len(partialMagic))
	if r.read(magic); r.err == nil && string(magic) != partialMagic {
		return fmt.Errorf("%w: it begins otherwise", ErrPartial)
	}
	var h partialHead
	r.read(&h)
	*p = Partial{Totals: h.Totals}
	for i, s := range p.sums() {
		*s = r.sums(h.Sums[i], h.Scales[i])
	}
	readArray(&r, h.MostNodes, &p.MostNodes)
	readArray(&r, h.MostEdges, &p.MostEdges)
	readArray(&r, h.NodeCounts, &p.NodeCounts)
	readArray(&r, h.EdgeCounts, &p.EdgeCounts)
	readArray(&r, h.WideNodes, &p.WideNodes)
	readArray(&r, h.WideEdges, &p.WideEdges)
	readArray(&r, h.Alone, &p.Alone)
	readArray(&r, h.NodeDemands, &p.NodeDemands)
	readArray(&r, h.EdgeDemands, &p.EdgeDemands)
	readArray(&r, h.Demands, &p.Demands)
	want, got := r.sum.Sum32(), uint32(0)
	if r.read(&got); r.err == nil && got != want {
		return fmt.Errorf("%w: its checksum is wrong", ErrPartial)
	}
	return r.err
}

// partialReader keeps the first error.
type partialReader struct {
	from io.Reader
	sum  hash.Hash32
	left int64 // bytes
	err  error
}

func (r *partialReader) read(into any) {
	if r.err != nil {
		return
	}
	size := int64(binary.Size(into))
	if size > r.left {
		r.err = fmt.Errorf("%w: it ends early", ErrPartial)
		return
	}
	r.left -= size
	r.failed(binary.Read(io.TeeReader(r.from, r.sum), binary.LittleEndian, into))
}

// fill reads the memory of an array as it lies in the file.
func (r *partialReader) fill(raw []byte) {
	if r.err != nil {
		return
	}
	if int64(len(raw)) > r.left {
		r.err = fmt.Errorf("%w: it ends early", ErrPartial)
		return
	}
	r.left -= int64(len(raw))
	_, err := io.ReadFull(r.from, raw)
	r.failed(err)
	r.sum.Write(raw) // which has no error
}

// failed keeps an error of reading.
func (r *partialReader) failed(err error) {
	if err != nil {
		r.err = fmt.Errorf("%w: %v", ErrPartial, err)
	}
}

func (r *partialReader) sums(count int64, s exact.Scale) *exact.Sums {
	if count < 0 {
		return nil
	}
	out := &exact.Sums{Scale: s}
	readArray(r, count, &out.Words)
	return out
}

// readArray reads an array of so many elements, none for a negative count.
func readArray[T any](r *partialReader, count int64, into *[]T) {
	if r.err != nil || count < 0 {
		return
	}
	if each := int64(binary.Size(new(T))); count > r.left/each {
		r.err = fmt.Errorf("%w: an array of %d elements in %d bytes", ErrPartial, count, r.left)
		return
	}
	*into = make([]T, count)
	for piece := range slices.Chunk(*into, arrayPiece) {
		if raw := memoryOf(piece); raw != nil {
			r.fill(raw)
			continue
		}
		r.read(piece)
	}
}

// arrayLength is the length of an array, -1 for none.
func arrayLength[T any](s []T) int64 {
	if s == nil {
		return -1
	}
	return int64(len(s))
}
