//go:build unix && !linux

package cuda

// populate is for Linux only.
func populate([]byte) {}
