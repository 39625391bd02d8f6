package gpu

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Keeping is a device that keeps what is freed for the next allocation of as many bytes, until Release: runs one after the other
// that take the same arrays wait for none of them. The driver takes about a second for 70 GB, and another one to free them.
type Keeping struct {
	Device
	taken map[Ptr]int64
	spare map[int64][]Ptr
}

// Alloc is Device.Alloc. Where memory is short, it gives back what is kept.
func (k *Keeping) Alloc(bytes int64) (Ptr, error) {
	if k.taken == nil {
		k.taken, k.spare = map[Ptr]int64{}, map[int64][]Ptr{}
	}
	p, err := k.take(bytes)
	if errors.Is(err, ErrMemory) && len(k.spare) > 0 {
		if err := k.Release(); err != nil {
			return 0, err
		}
		p, err = k.Device.Alloc(bytes)
	}
	if err == nil {
		k.taken[p] = bytes
	}
	return p, err
}

func (k *Keeping) take(bytes int64) (Ptr, error) {
	spare := k.spare[bytes]
	if len(spare) == 0 {
		return k.Device.Alloc(bytes)
	}
	p := spare[len(spare)-1]
	if k.spare[bytes] = spare[:len(spare)-1]; len(spare) == 1 {
		delete(k.spare, bytes)
	}
	return p, nil
}

// Free keeps memory of Alloc. 0 is ignored.
func (k *Keeping) Free(p Ptr) error {
	if p == 0 {
		return nil
	}
	bytes, ok := k.taken[p]
	if !ok {
		return fmt.Errorf("free of %#x, which is not taken", uint64(p))
	}
	delete(k.taken, p)
	k.spare[bytes] = append(k.spare[bytes], p)
	return nil
}

// Kept is the number of bytes that are kept.
func (k *Keeping) Kept() (bytes int64) {
	for each, spare := range k.spare {
		bytes += each * int64(len(spare))
	}
	return bytes
}

// Release gives back all that is kept.
func (k *Keeping) Release() (all error) {
	for _, bytes := range slices.Sorted(maps.Keys(k.spare)) {
		for _, p := range k.spare[bytes] {
			all = errors.Join(all, k.Device.Free(p))
		}
	}
	clear(k.spare)
	return all
}
