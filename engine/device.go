package engine

import "github.com/linchpin-graph/linchpin/gpu"

// DeviceInfo describes a device.
type DeviceInfo = gpu.Info
