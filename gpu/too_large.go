package gpu

import "fmt"

// TooLarge is a plan that does not fit into the device's free memory.
type TooLarge struct {
	What       string
	Need, Free int64
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s needs %d MiB of device memory, %d MiB are free", e.What, (e.Need+1<<20-1)>>20, e.Free>>20)
}
