package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// overtime is why a run ended that took too long. It is a failure, not a cancellation.
type overtime struct{ timeout time.Duration }

func (e overtime) Error() string { return "took longer than its timeout of " + brief(e.timeout) }

// brief is a duration without units that are zero: 1m for 1m0s.
func brief(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// limit is how long the run may take.
func (r *run) limit() time.Duration { return cmp.Or(r.job.Timeout, math.MaxInt64) }

// limited is guarded within the job's timeout. While the run waits for the lock, its clock stands still.
func (r *run) limited(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := overtime{r.job.Timeout}
	r.clock = time.AfterFunc(r.limit(), func() { cancel(late) })
	defer r.clock.Stop()
	err := r.guarded(ctx)
	if err != nil && context.Cause(ctx) == late && !errors.Is(err, late) { // each step has its own words for it
		return fmt.Errorf("%s: %w", cmp.Or(r.record.Step, string(Export)), late)
	}
	return err
}
