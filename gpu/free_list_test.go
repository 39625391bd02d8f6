package gpu

import (
	"slices"
	"testing"
)

func TestSpare(t *testing.T) {
	const mb = 1 << 20
	s := FreeList{Most: 256 * mb}
	if out := s.Give(1, leastSpare-1); !slices.Equal(out, []Ptr{1}) {
		t.Errorf("a small block is kept: %v go", out)
	}
	if out := s.Give(2, s.Most+1); !slices.Equal(out, []Ptr{2}) {
		t.Errorf("a huge block is kept: %v go", out)
	}
	for i, mbs := range []int64{100, 50, 100} {
		if out := s.Give(Ptr(10+i), mbs*mb); out != nil {
			t.Errorf("%v go", out)
		}
	}
	if p := s.Take(100*mb - 1); p != 0 {
		t.Errorf("%d is of another size", p)
	}
	if p := s.Take(100 * mb); p != 12 {
		t.Errorf("%d, not the last that was freed", p)
	}
	if out := s.Give(13, 110*mb); !slices.Equal(out, []Ptr{10}) || s.Bytes != 160*mb {
		t.Errorf("%v go for 110 MB more, %d bytes stay", out, s.Bytes)
	}
	if out := s.Shrink(0); !slices.Equal(out, []Ptr{11, 13}) || s.Bytes != 0 || s.Take(50*mb) != 0 {
		t.Errorf("%v go in the end", out)
	}
}
