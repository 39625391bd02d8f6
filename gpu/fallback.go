package gpu

import (
	"context"
	"fmt"
)

// fallback says whether a task that failed on a device with err goes to the CPU instead, and the line that says why.
// It does under Auto, unless the caller gave up or the error carries no Reason: then the task itself is at fault.
func fallback(ctx context.Context, p Policy, err error) (reason string, back bool) {
	r, detail := ReasonOf(err)
	if p == GPU || r == "" || r == Cancelled || ctx.Err() != nil {
		return "", false
	}
	return fmt.Sprintf("%s: %s; using the CPU", r, detail), true
}
