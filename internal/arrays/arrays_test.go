package arrays

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

type pair struct {
	A, B int64
}

// padded has a gap in memory that its bytes have not.
type padded struct {
	A int64
	B int32
}

func written(t *testing.T, floats []float64, pairs []pair, gaps []padded) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Value([]int64{Length(floats), Length(pairs), Length(gaps)})
	Write(w, floats)
	Write(w, pairs)
	Write(w, gaps)
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(data []byte, wrong error) (floats []float64, pairs []pair, gaps []padded, err error) {
	r := NewReader(bytes.NewReader(data), int64(len(data)), wrong)
	lengths := make([]int64, 3)
	r.Value(lengths)
	Read(r, lengths[0], &floats)
	Read(r, lengths[1], &pairs)
	Read(r, lengths[2], &gaps)
	return floats, pairs, gaps, r.End()
}

// TestRoundTrip: what was written is read, also over several pieces, and no array stays none.
func TestRoundTrip(t *testing.T) {
	floats, gaps := make([]float64, 2*pieceLength+3), make([]padded, pieceLength+1)
	for i := range floats {
		floats[i] = float64(i) / 3
	}
	for i := range gaps {
		gaps[i] = padded{int64(i) << 33, int32(-i)}
	}
	for _, pairs := range [][]pair{nil, {}, {{1, 2}, {3, -4}}} {
		f, p, g, err := read(written(t, floats, pairs, gaps), errors.ErrUnsupported)
		if err != nil || !slices.Equal(f, floats) || !slices.Equal(g, gaps) || !slices.Equal(p, pairs) ||
			(p == nil) != (pairs == nil) {
			t.Fatalf("%d floats, %v, %d gaps: %v", len(f), p, len(g), err)
		}
	}
}

// TestHarmed: bytes that are cut or changed give the error of the reader's maker.
func TestHarmed(t *testing.T) {
	wrong := errors.New("wrong")
	data := written(t, []float64{1, 2}, []pair{{1, 2}}, []padded{{1, 2}})
	for i := range data {
		if _, _, _, err := read(data[:i], wrong); !errors.Is(err, wrong) {
			t.Errorf("cut after %d bytes: %v", i, err)
		}
		harmed := slices.Clone(data)
		harmed[i] ^= 1
		if _, _, _, err := read(harmed, wrong); !errors.Is(err, wrong) {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
}
