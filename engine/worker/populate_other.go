//go:build unix && !linux

package worker

// populate is for Linux only.
func populate([]byte) {}
