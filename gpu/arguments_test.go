package gpu

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSlots(t *testing.T) {
	minus := int32(-1)
	got, err := Slots([]any{Ptr(7), minus, uint32(8), int64(-1), uint64(9), float32(1), 1.0})
	if d := cmp.Diff([]uint64{7, 0xffffffff, 8, 0xffffffffffffffff, 9, 0x3f800000, 0x3ff0000000000000}, got); d != "" ||
		err != nil {
		t.Error(d, err)
	}
	for _, bad := range []any{1, "x", nil, true, []int32{1}, int8(1)} {
		if _, err := Slots([]any{bad}); !errors.Is(err, ErrLaunch) {
			t.Errorf("%T: %v", bad, err)
		}
	}
}

func TestShapes(t *testing.T) {
	d := Info{SharedBlock: 1000}
	if err := (Shape{Grid: 1, Block: 1024, Shared: 1000}).Check(d); err != nil {
		t.Error(err)
	}
	for _, s := range []Shape{{}, {Grid: 1}, {Block: 1}, {Grid: 1, Block: 1025}, {Grid: 1 << 31, Block: 1},
		{Grid: 1, Block: 1, Shared: 1001}, {Grid: 1, Block: 1, Shared: -1}} {
		if err := s.Check(d); !errors.Is(err, ErrLaunch) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
