package kernels

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// partialMagic begins the bytes of a partial result. It changes with their form.
const partialMagic = "linchpin partial result 2\n"

// ErrPartial is the error of bytes that are not a partial result, or not a whole one.
var ErrPartial = errors.New("not a partial result")

// partialHead is what the bytes of a partial result begin with: how long each array is, -1 for none.
type partialHead struct {
	Sums                                                                      [5]int64
	Scales                                                                    [5]exact.Scale
	MostNodes, MostEdges, NodeCounts, EdgeCounts, WideNodes, WideEdges, Alone int64
	Totals                                                                    Totals
}

// MarshalBinary returns the partial result as bytes, with a checksum at their end.
func (p *Partial) MarshalBinary() ([]byte, error) {
	h := partialHead{
		MostNodes: arrayLength(p.MostNodes), MostEdges: arrayLength(p.MostEdges), NodeCounts: arrayLength(p.NodeCounts),
		EdgeCounts: arrayLength(p.EdgeCounts), WideNodes: arrayLength(p.WideNodes), WideEdges: arrayLength(p.WideEdges),
		Alone: arrayLength(p.Alone), Totals: p.Totals,
	}
	parts := []any{&h}
	for i, s := range p.sums() {
		if h.Sums[i] = -1; *s != nil {
			h.Sums[i], h.Scales[i] = int64(len((*s).Words)), (*s).Scale
			parts = append(parts, (*s).Words)
		}
	}
	parts = append(parts, p.MostNodes, p.MostEdges, p.NodeCounts, p.EdgeCounts, p.WideNodes, p.WideEdges, p.Alone)
	var b bytes.Buffer
	b.WriteString(partialMagic)
	for _, part := range parts {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	return binary.LittleEndian.AppendUint32(b.Bytes(), crc32.Checksum(b.Bytes(), crc32.MakeTable(crc32.Castagnoli))), nil
}

// UnmarshalBinary reads what MarshalBinary returned. The error wraps ErrPartial.
func (p *Partial) UnmarshalBinary(data []byte) error {
	body := len(data) - 4
	if body < len(partialMagic) || string(data[:len(partialMagic)]) != partialMagic {
		return fmt.Errorf("%w: it begins otherwise", ErrPartial)
	}
	if crc32.Checksum(data[:body], crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(data[body:]) {
		return fmt.Errorf("%w: its checksum is wrong", ErrPartial)
	}
	r := partialReader{from: bytes.NewReader(data[len(partialMagic):body])}
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
	if r.err == nil && r.from.Len() > 0 {
		r.err = fmt.Errorf("%w: %d bytes too many", ErrPartial, r.from.Len())
	}
	return r.err
}

// partialReader keeps the first error.
type partialReader struct {
	from *bytes.Reader
	err  error
}

func (r *partialReader) read(into any) {
	if r.err == nil {
		if err := binary.Read(r.from, binary.LittleEndian, into); err != nil {
			r.err = fmt.Errorf("%w: %v", ErrPartial, err)
		}
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
	if each := int64(binary.Size(new(T))); count > int64(r.from.Len())/each {
		r.err = fmt.Errorf("%w: an array of %d elements in %d bytes", ErrPartial, count, r.from.Len())
		return
	}
	*into = make([]T, count)
	r.read(*into)
}

// arrayLength is the length of an array, -1 for none.
func arrayLength[T any](s []T) int64 {
	if s == nil {
		return -1
	}
	return int64(len(s))
}
