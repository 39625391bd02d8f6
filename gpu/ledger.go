package gpu

import (
	"fmt"
	"slices"
)

// Ledger counts what is allocated on a device.
type Ledger struct {
	live       map[Ptr]int64
	Used, Peak int64
}

// Take notes an allocation of so many bytes.
func (l *Ledger) Take(p Ptr, bytes int64) {
	if l.live == nil {
		l.live = map[Ptr]int64{}
	}
	l.live[p] = bytes
	l.Used += bytes
	l.Peak = max(l.Peak, l.Used)
}

// Give notes that an allocation was freed. It is an error to free what is not allocated.
func (l *Ledger) Give(p Ptr) error {
	bytes, ok := l.live[p]
	if !ok {
		return fmt.Errorf("free of %#x, which is not allocated", uint64(p))
	}
	delete(l.live, p)
	l.Used -= bytes
	return nil
}

// Renew forgets the peak.
func (l *Ledger) Renew() { l.Peak = l.Used }

// Bytes returns the size of an allocation.
func (l *Ledger) Bytes(p Ptr) int64 { return l.live[p] }

// Left lists what was not given back, in order.
func (l *Ledger) Left() []Ptr {
	out := make([]Ptr, 0, len(l.live))
	for p := range l.live {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}
