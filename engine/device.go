package engine

import (
	"context"
	"os"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
)

// DeviceInfo describes a device.
type DeviceInfo = gpu.Info

// Report is what Devices found.
type Report struct {
	// Worker is the path of the worker program; "" when there is none.
	Worker  string       `json:"worker"`
	Devices []DeviceInfo `json:"devices"`
	// Reason and Detail say what is missing; "" when a device can be used.
	Reason protocol.Reason `json:"reason,omitempty"`
	Detail string          `json:"detail,omitempty"`
	// Visible is CUDA_VISIBLE_DEVICES, when it is set.
	Visible *string `json:"visible,omitempty"`
}

// Devices looks for the worker and asks it for its devices. What is missing stands in the report.
func Devices(ctx context.Context) Report {
	r := Report{Devices: []DeviceInfo{}}
	if v, set := os.LookupEnv("CUDA_VISIBLE_DEVICES"); set {
		r.Visible = &v
	}
	c := client.New()
	path, err := c.Path()
	if err == nil {
		c.Program, r.Worker = path, path
		var found []DeviceInfo
		found, err = c.Devices(ctx)
		r.Devices = append(r.Devices, found...)
	}
	if err != nil {
		if r.Reason, r.Detail = ReasonOf(err); r.Reason == "" {
			r.Reason, r.Detail = protocol.Crashed, err.Error()
		}
	}
	return r
}
