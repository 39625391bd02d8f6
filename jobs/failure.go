package jobs

import (
	"context"
	"errors"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// Failure says in one word why a run did not end well, for those who get no error, and decide by it what to do.
type Failure string

// The failures. Unfinished comes before all others: the database holds scores of two runs.
const (
	Unfinished  Failure = "unfinished"
	Interrupted Failure = "interrupted"
	Misused     Failure = "usage" // settings, names, properties, queries: the user has to change something
	Locked      Failure = "locked"
	Unreachable Failure = "unreachable"
	NoGPU       Failure = "noGPU"
	TooLarge    Failure = "tooLarge"
	Broken      Failure = "failed" // data, or the run itself
)

// FailureOf returns the failure that an error stands for, "" for none.
func FailureOf(err error) Failure {
	var mistakes *config.Error
	var noGPU *engine.Unavailable
	var foreign *parts.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrUnfinished):
		return Unfinished
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, &mistakes), errors.Is(err, errUnknownJob), errors.As(err, &foreign) && foreign.Err == nil:
		return Misused
	case errors.As(err, &noGPU):
		return NoGPU
	}
	if r, _ := engine.ReasonOf(err); r == protocol.TooLarge || r == protocol.OutOfMemory {
		return TooLarge
	}
	switch connector.KindOf(err) {
	case connector.UnknownName, connector.Empty, connector.NotOurs, connector.BadQuery, connector.NoWayBack:
		return Misused
	case connector.Locked, connector.Busy:
		return Locked
	case connector.Unreachable, connector.Lost:
		return Unreachable
	case connector.TooLarge:
		return TooLarge
	}
	return Broken
}
