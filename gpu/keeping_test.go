package gpu_test

import (
	"errors"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
)

// small is a device of 100 bytes.
type small struct {
	gpu.Device
	used  map[gpu.Ptr]int64
	last  gpu.Ptr
	calls int
}

func (s *small) Alloc(bytes int64) (gpu.Ptr, error) {
	s.calls++
	all := bytes
	for _, b := range s.used {
		all += b
	}
	if all > 100 {
		return 0, gpu.ErrMemory
	}
	s.last++
	s.used[s.last] = bytes
	return s.last, nil
}

func (s *small) Free(p gpu.Ptr) error {
	if _, ok := s.used[p]; !ok && p != 0 {
		return errors.New("free of what is not there")
	}
	delete(s.used, p)
	return nil
}

// TestKeeping: what is freed is taken again, given back where memory is short, and in the end.
func TestKeeping(t *testing.T) {
	s := &small{used: map[gpu.Ptr]int64{}}
	k := &gpu.Keeping{Device: s}
	alloc := func(bytes int64) gpu.Ptr {
		t.Helper()
		p, err := k.Alloc(bytes)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	free := func(p gpu.Ptr) {
		t.Helper()
		if err := k.Free(p); err != nil {
			t.Fatal(err)
		}
	}
	a, b := alloc(30), alloc(40)
	free(a)
	free(b)
	free(0)
	if k.Kept() != 70 || len(s.used) != 2 {
		t.Errorf("%d bytes of %v are kept", k.Kept(), s.used)
	}
	if alloc(40) != b || s.calls != 2 || k.Kept() != 30 {
		t.Errorf("after %d calls %d bytes are kept", s.calls, k.Kept())
	}
	c := alloc(60) // only without what is kept
	if k.Kept() != 0 || len(s.used) != 2 {
		t.Errorf("%d bytes of %v are kept", k.Kept(), s.used)
	}
	if _, err := k.Alloc(1); !errors.Is(err, gpu.ErrMemory) {
		t.Errorf("beyond all memory: %v", err)
	}
	free(c)
	if err := k.Free(c); err == nil {
		t.Error("freed twice")
	}
	free(b)
	if err := k.Release(); err != nil || len(s.used) != 0 || k.Kept() != 0 {
		t.Errorf("%v: %v is left", err, s.used)
	}
}
