package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// wordsOf begins the line for a person that the detail ends.
func wordsOf(r protocol.Reason) string {
	switch {
	case r == protocol.NotOnGPU:
		return "not possible on a GPU"
	case r == protocol.TooLarge:
		return "too large for the GPU"
	case r.Missing():
		return "no GPU"
	}
	return "the GPU failed"
}

// Unavailable is returned under the policy GPU when nothing here can run the task on a device.
type Unavailable struct {
	Reason protocol.Reason
	// Detail is one line for a person.
	Detail string
}

func (e *Unavailable) Error() string { return wordsOf(e.Reason) + ": " + e.Detail }

// Failed is returned under the policy GPU when a device took the task and failed at it.
type Failed struct {
	Reason protocol.Reason
	// Detail is one line for a person.
	Detail string
}

func (e *Failed) Error() string {
	if e.Reason == protocol.Cancelled {
		return e.Detail
	}
	return wordsOf(e.Reason) + ": " + e.Detail
}

// Unwrap makes a cancelled task a cancelled context.
func (e *Failed) Unwrap() error {
	if e.Reason == protocol.Cancelled {
		return context.Canceled
	}
	return nil
}

// Refuse makes the error of a reason.
func Refuse(r protocol.Reason, format string, args ...any) error {
	detail := fmt.Sprintf(format, args...)
	if r.Missing() {
		return &Unavailable{r, detail}
	}
	return &Failed{r, detail}
}

// ReasonOf returns the reason that err carries, and its detail; "" when it carries none.
func ReasonOf(err error) (protocol.Reason, string) {
	var missing *Unavailable
	var failed *Failed
	switch {
	case errors.As(err, &missing):
		return missing.Reason, missing.Detail
	case errors.As(err, &failed):
		return failed.Reason, failed.Detail
	}
	return "", ""
}
