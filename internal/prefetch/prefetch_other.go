//go:build !amd64

package prefetch

func askOffsets(*int64, *int32, int) {}

func askSums(*int64, *float64, *float64, *float64, *int32, int) {}

func askRows(*int64, *int32, *int32, int, int) {}

func askTargets(*int64, *int32, *float64, *int32, *int32, int, int) {}
