package kernels

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// somePartial has every part.
func somePartial(random *rand.Rand) *Partial {
	sums := func(n int) *exact.Sums {
		s := exact.NewSums(n, exact.For(1e6, 100))
		for i := range s.Words {
			s.Add(i, random.Float64())
		}
		return s
	}
	return &Partial{
		Nodes: sums(5), Edges: sums(7), MostNodes: []float64{1, 2.5}, NodeCounts: []int64{3, 4}, EdgeCounts: []int64{},
		WideNodes: make([]exact.Wide, 3), Bins: sums(2), Distance: sums(1), Alone: []float64{0, 1.5},
		Totals: Totals{Pairs: 12, Distance: 34.5, NoDistance: true},
	}
}

// TestPartialBytes: what is written is read again, and no changed byte goes unnoticed.
func TestPartialBytes(t *testing.T) {
	p := somePartial(rand.New(rand.NewPCG(1, 1)))
	data, err := p.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got Partial
	if err := got.UnmarshalBinary(data); err != nil || !cmp.Equal(*p, got, cmpopts.IgnoreUnexported(Partial{})) {
		t.Fatal(err, cmp.Diff(*p, got, cmpopts.IgnoreUnexported(Partial{})))
	}
	for i := range data {
		changed := append([]byte(nil), data...)
		changed[i] ^= 1
		if err := new(Partial).UnmarshalBinary(changed); !errors.Is(err, ErrPartial) {
			t.Errorf("byte %d changed: %v", i, err)
		}
		if err := new(Partial).UnmarshalBinary(data[:i]); !errors.Is(err, ErrPartial) {
			t.Errorf("%d bytes: %v", i, err)
		}
	}
}

// TestJoinRefuses: partial results of different runs are not joined.
func TestJoinRefuses(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	p, q := somePartial(random), somePartial(random)
	q.Nodes.Scale = exact.For(1e3, 100)
	r := somePartial(random)
	r.Edges = nil
	for _, other := range []*Partial{q, r} {
		if p.Join(other) == nil {
			t.Error("joined")
		}
	}
	if err := p.Join(somePartial(random)); err != nil {
		t.Error(err)
	}
}

// FuzzPartial reads any bytes.
func FuzzPartial(f *testing.F) {
	data, err := somePartial(rand.New(rand.NewPCG(3, 1))).MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Partial
		if p.UnmarshalBinary(data) == nil {
			if again, err := p.MarshalBinary(); err != nil || !cmp.Equal(again, data) {
				t.Error("other bytes", err)
			}
		}
	})
}
