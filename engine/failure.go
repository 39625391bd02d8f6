package engine

import (
	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// Unavailable is returned under the policy GPU when nothing here can run the task on a device.
type Unavailable = client.Unavailable

// Failed is returned under the policy GPU when a device took the task and failed at it.
type Failed = client.Failed

// ReasonOf returns the reason that err carries, and its detail; "" when it carries none.
func ReasonOf(err error) (protocol.Reason, string) { return client.ReasonOf(err) }

// refuse makes the error of a reason.
func refuse(r protocol.Reason, format string, args ...any) error {
	return client.Refuse(r, format, args...)
}
