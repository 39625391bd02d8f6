//go:build !cuda && !emulate

package fleet_test

// serveAsWorker does nothing: this build has no device.
func serveAsWorker() {}
