package kernels

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/linchpin-graph/linchpin/internal/arrays"
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
		MostNodes: arrays.Length(p.MostNodes), MostEdges: arrays.Length(p.MostEdges), NodeCounts: arrays.Length(p.NodeCounts),
		EdgeCounts: arrays.Length(p.EdgeCounts), WideNodes: arrays.Length(p.WideNodes), WideEdges: arrays.Length(p.WideEdges),
		Alone: arrays.Length(p.Alone), Totals: p.Totals,
		NodeDemands: arrays.Length(p.NodeDemands), EdgeDemands: arrays.Length(p.EdgeDemands),
		Demands: arrays.Length(p.Demands),
	}
	for i, s := range p.sums() {
		if h.Sums[i] = -1; *s != nil {
			h.Sums[i], h.Scales[i] = int64(len((*s).Words)), (*s).Scale
		}
	}
	w := arrays.NewWriter(to)
	w.Value([]byte(partialMagic))
	w.Value(&h)
	for _, s := range p.sums() {
		if *s != nil {
			arrays.Write(w, (*s).Words)
		}
	}
	arrays.Write(w, p.MostNodes)
	arrays.Write(w, p.MostEdges)
	arrays.Write(w, p.NodeCounts)
	arrays.Write(w, p.EdgeCounts)
	arrays.Write(w, p.WideNodes)
	arrays.Write(w, p.WideEdges)
	arrays.Write(w, p.Alone)
	arrays.Write(w, p.NodeDemands)
	arrays.Write(w, p.EdgeDemands)
	arrays.Write(w, p.Demands)
	return w.End()
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
	r := arrays.NewReader(from, most, ErrPartial)
	magic := make([]byte, len(partialMagic))
	if r.Value(magic); r.Err == nil && string(magic) != partialMagic {
		return fmt.Errorf("%w: it begins otherwise", ErrPartial)
	}
	var h partialHead
	r.Value(&h)
	*p = Partial{Totals: h.Totals}
	for i, s := range p.sums() {
		if h.Sums[i] >= 0 {
			*s = &exact.Sums{Scale: h.Scales[i]}
			arrays.Read(r, h.Sums[i], &(*s).Words)
		}
	}
	arrays.Read(r, h.MostNodes, &p.MostNodes)
	arrays.Read(r, h.MostEdges, &p.MostEdges)
	arrays.Read(r, h.NodeCounts, &p.NodeCounts)
	arrays.Read(r, h.EdgeCounts, &p.EdgeCounts)
	arrays.Read(r, h.WideNodes, &p.WideNodes)
	arrays.Read(r, h.WideEdges, &p.WideEdges)
	arrays.Read(r, h.Alone, &p.Alone)
	arrays.Read(r, h.NodeDemands, &p.NodeDemands)
	arrays.Read(r, h.EdgeDemands, &p.EdgeDemands)
	arrays.Read(r, h.Demands, &p.Demands)
	return r.End()
}
