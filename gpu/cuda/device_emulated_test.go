//go:build emulate && !cuda

package cuda

// emulated says that the tests run on the emulated device, which is slow: they take smaller graphs, and fewer.
const emulated = true
