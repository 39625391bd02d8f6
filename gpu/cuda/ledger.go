package cuda

import (
	"fmt"
	"slices"
)

// ledger counts what is allocated on a device.
type ledger struct {
	live       map[Ptr]int64
	used, peak int64
}

func (l *ledger) take(p Ptr, bytes int64) {
	if l.live == nil {
		l.live = map[Ptr]int64{}
	}
	l.live[p] = bytes
	l.used += bytes
	l.peak = max(l.peak, l.used)
}

func (l *ledger) give(p Ptr) error {
	bytes, ok := l.live[p]
	if !ok {
		return fmt.Errorf("free of %#x, which is not allocated", uint64(p))
	}
	delete(l.live, p)
	l.used -= bytes
	return nil
}

// left lists what was not given back, in order.
func (l *ledger) left() []Ptr {
	out := make([]Ptr, 0, len(l.live))
	for p := range l.live {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}
