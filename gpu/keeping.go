package gpu

import (
	"errors"
	"fmt"
)

// Keeping is a device that keeps what is freed for the next allocation of as many bytes, until Release: runs one after
// the other that take the same arrays wait for none of them. The driver takes about a second for 70 GB, and another one
// to free them.
type Keeping struct {
	Device
	taken map[Ptr]int64
	spare FreeList
}

// Alloc is Device.Alloc. Where memory is short, it gives back what is kept.
func (k *Keeping) Alloc(bytes int64) (p Ptr, err error) {
	if p = k.spare.Take(bytes); p == 0 {
		p, err = k.Device.Alloc(bytes)
	}
	if errors.Is(err, ErrMemory) && k.spare.Bytes > 0 {
		if err := k.Release(); err != nil {
			return 0, err
		}
		p, err = k.Device.Alloc(bytes)
	}
	if err == nil {
		if k.taken == nil {
			k.taken = map[Ptr]int64{}
		}
		k.taken[p] = bytes
	}
	return p, err
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
	k.spare.Keep(p, bytes)
	return nil
}

// Kept is the number of bytes that are kept.
func (k *Keeping) Kept() int64 { return k.spare.Bytes }

// Release gives back all that is kept.
func (k *Keeping) Release() (all error) {
	for _, p := range k.spare.Shrink(0) {
		all = errors.Join(all, k.Device.Free(p))
	}
	return all
}
