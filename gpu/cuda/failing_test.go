package cuda

import "fmt"

// failing is a device of which allocation number at fails, from 1.
type failing struct {
	Device
	at, allocs int
}

func (f *failing) Alloc(bytes int64) (Ptr, error) {
	if f.allocs++; f.allocs == f.at {
		return 0, fmt.Errorf("%w: take %d bytes", ErrMemory, bytes)
	}
	return f.Device.Alloc(bytes)
}
