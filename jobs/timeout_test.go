package jobs_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/jobs"
)

// endless is an engine that computes until it is told to stop.
type endless struct{ jobs.Engine }

func (endless) Compute(ctx context.Context, _ engine.Task) (*engine.Outcome, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A run that takes longer than the job's timeout fails, says so, and gives up its lock.
func TestTimeoutEndsTheRun(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("late", betweenness())
	j.Timeout = 3 * time.Second
	working := b.runner.Engine
	b.runner.Engine = endless{working}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := b.runner.Run(ctx, j, jobs.Options{})
	if err == nil || !strings.HasSuffix(err.Error(), ": took longer than its timeout of 3s") ||
		jobs.FailureOf(err) != jobs.Broken {
		t.Errorf("got %v, a failure of kind %q", err, jobs.FailureOf(err))
	}
	if r.Run.Status != connector.Failed || err != nil && r.Run.Error != err.Error() {
		t.Errorf("the record: %+v", r.Run)
	}
	j.Timeout = 0
	b.runner.Engine = working
	b.run(j, jobs.Options{})
}

// Time spent waiting for another process's run does not count.
func TestTimeoutBeginsAfterTheWait(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("waits", betweenness())
	j.Timeout = 15 * time.Second
	held, err := b.db.Acquire(t.Context(), j.Name, "another", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(j.Timeout+time.Second, func() {
		if err := held.Release(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if _, err := b.runner.Run(t.Context(), j, jobs.Options{Wait: time.Minute}); err != nil {
		t.Error(err)
	}
}
