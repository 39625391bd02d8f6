//go:build emulate && !cuda

package devicetest

// Emulated says that the tests run on the emulated device, which is slow: they take smaller graphs, and fewer.
const Emulated = true
