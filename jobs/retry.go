package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
)

// retryAfter says whether a run that ended with this error is tried again, and after which time. The wait doubles with
// each attempt.
func retryAfter(policy config.Retry, attempt int, err error) (time.Duration, bool) {
	if attempt > policy.Times || !mayPass(err) {
		return 0, false
	}
	wait := policy.Wait
	for range attempt - 1 {
		if wait *= 2; wait >= policy.Most {
			break
		}
	}
	return min(wait, policy.Most), true
}

// mayPass says whether the same run may succeed later: faults of the network, the server, the device and the disk may;
// mistakes in data and settings do not, nor do bugs.
func mayPass(err error) bool {
	var bug *PanicError
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &bug) {
		return false
	}
	if export.IsDiskFull(err) {
		return true
	}
	switch connector.KindOf(err) {
	case connector.Unreachable, connector.Lost, connector.Busy, connector.Changed:
		return true
	case connector.TooLarge: // memory that others take may be free later
		return true
	case connector.BadData, connector.UnknownName, connector.Empty, connector.NotOurs, connector.Locked,
		connector.BadQuery, connector.NoWayBack:
		return false
	}
	var device *engine.Failed
	return errors.As(err, &device)
}
