package gpu

import (
	"fmt"
	"math"
)

// Slots puts kernel arguments into slots of 8 bytes: that is how many gorgonia.org/cu reads of each, whatever its
// width.
func Slots(args []any) ([]uint64, error) {
	out := make([]uint64, len(args))
	for i, arg := range args {
		switch x := arg.(type) {
		case Ptr:
			out[i] = uint64(x)
		case int32:
			out[i] = uint64(uint32(x))
		case uint32:
			out[i] = uint64(x)
		case int64:
			out[i] = uint64(x)
		case uint64:
			out[i] = x
		case float32:
			out[i] = uint64(math.Float32bits(x))
		case float64:
			out[i] = math.Float64bits(x)
		default:
			return nil, fmt.Errorf("%w: argument %d has type %T; use Ptr, int32, uint32, int64, uint64, float32 or float64",
				ErrLaunch, i, arg)
		}
	}
	return out, nil
}

// Check refuses shapes that no device takes.
func (s Shape) Check(d Info) error {
	switch {
	case s.Grid < 1 || s.Grid > math.MaxInt32:
		return fmt.Errorf("%w: a grid of %d blocks", ErrLaunch, s.Grid)
	case s.Block < 1 || s.Block > 1024:
		return fmt.Errorf("%w: blocks of %d threads", ErrLaunch, s.Block)
	case s.Shared < 0 || s.Shared > d.SharedBlock:
		return fmt.Errorf("%w: %d bytes of shared memory a block; the device has %d", ErrLaunch, s.Shared, d.SharedBlock)
	}
	return nil
}
