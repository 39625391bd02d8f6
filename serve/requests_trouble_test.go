package serve

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// readOnly is a database that shows a request and does not let it be taken, until open is set.
type readOnly struct {
	Database
	open  bool
	looks int
}

func (d *readOnly) RequestsNow(context.Context) (connector.Requests, error) {
	d.looks++
	return connector.Requests{New: true}, nil
}

func (d *readOnly) TakeRequests(
	context.Context, string, string, string, []string, func(connector.Request) (bool, string),
) (int, int, error) {
	if d.open {
		return 0, 0, nil
	}
	return 0, 0, &connector.Error{Kind: connector.Unreachable, Msg: "the database is read-only",
		Err: errors.New("refused"), Hint: "see there"}
}

func (d *readOnly) PruneRequests(context.Context, time.Duration) (int64, error) { return 0, nil }

// A user that may only read is told so once, and the database is left in peace.
func TestRequestsThatMayNotBeTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, db := &lockedBuffer{}, &readOnly{}
		s := &Service{o: Options{Logger: slog.New(slog.NewTextHandler(log, nil))}, metrics: newMetrics("test"),
			conn: &connection{db: db}}
		c := &config.Config{Serve: config.DefaultServe()}
		s.config.Store(c)
		q := newRequests(s)
		q.begin()
		time.Sleep(time.Hour)
		if n := strings.Count(log.String(), "level=WARN"); n != 1 || !strings.Contains(log.String(), "read-only") {
			t.Errorf("%d warnings: %s", n, log)
		}
		if db.looks > 70 {
			t.Errorf("%d looks in an hour", db.looks)
		}
		db.open = true
		time.Sleep(2 * time.Minute)
		if !strings.Contains(log.String(), "taken and answered again") {
			t.Errorf("the end of it is not told: %s", log)
		}
		q.stop()
	})
}

func TestWhatEventsMeanForRequests(t *testing.T) {
	record := func(status connector.RunStatus, note string) *connector.Run {
		return &connector.Run{Status: status, Note: note,
			Error: map[connector.RunStatus]string{connector.Failed: "no node"}[status]}
	}
	for name, c := range map[string]struct {
		event jobs.Event
		state connector.RequestState
		error string
		again bool
	}{
		"reads the graph": {event: jobs.Event{Kind: jobs.Stepped, Step: jobs.Export}},
		"computes":        {event: jobs.Event{Kind: jobs.Stepped, Step: jobs.Compute}, state: connector.RequestRunning},
		"progress":        {event: jobs.Event{Kind: jobs.Advanced, Step: jobs.Compute}},
		"succeeded": {event: jobs.Event{Kind: jobs.Ended, Record: record(connector.Succeeded, "")},
			state: connector.RequestSucceeded},
		"unchanged": {event: jobs.Event{Kind: jobs.WasSkipped,
			Record: record(connector.Skipped, "unchanged since the last run")},
			state: connector.RequestSucceeded},
		"no change": {event: jobs.Event{Kind: jobs.WasSkipped,
			Record: record(connector.Skipped, "the graph did not change: 5 nodes")},
			state: connector.RequestSucceeded},
		"failed": {event: jobs.Event{Kind: jobs.Ended, Record: record(connector.Failed, ""), Failure: jobs.Misused,
			Hint: "add one"},
			state: connector.RequestFailed, error: "no node (add one)"},
		"cancelled": {event: jobs.Event{Kind: jobs.Ended, Record: record(connector.Cancelled, "cancelled on request"),
			Failure: jobs.Interrupted},
			state: connector.RequestFailed, error: "cancelled on request"},
		"job removed": {event: jobs.Event{Kind: jobs.WasSkipped,
			Record:  record(connector.Skipped, "the job was removed from the config"),
			Failure: jobs.Misused}, state: connector.RequestRefused, error: "the job was removed from the config"},
		"locked": {event: jobs.Event{Kind: jobs.WasSkipped, Record: record(connector.Skipped, "job a is locked by x"),
			Failure: jobs.Locked},
			again: true},
		"overlap: cancel": {event: jobs.Event{Kind: jobs.WasSkipped,
			Record: record(connector.Skipped, "a newer run was due (overlap: cancel)")},
			again: true},
	} {
		t.Run(name, func(t *testing.T) {
			got := outcomeOf(c.event)
			if nothing := c.state == "" && !c.again; nothing != (got == nil) {
				t.Fatalf("got %+v", got)
			}
			if got != nil && (got.again != c.again || got.reply.State != c.state || got.reply.Error != c.error) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A run that came to nothing is asked for again; the nodes say so if they said that it was running. A service that is
// about to stop leaves failures to the next one.
func TestRequestsAreAskedForAgain(t *testing.T) {
	locked := outcome{again: true}
	failed := outcome{reply: connector.Reply{State: connector.RequestFailed, Run: "1", Error: "no node"}}
	for name, c := range map[string]struct {
		outcome  outcome
		said     connector.RequestState
		stopping bool
		run      string
		reply    connector.RequestState
	}{
		"locked, was waiting": {outcome: locked},
		"locked, was running": {outcome: locked, said: connector.RequestRunning, reply: connector.RequestWaiting},
		"failed":              {outcome: failed, run: "1", reply: connector.RequestFailed},
		"failed by a stop":    {outcome: failed, stopping: true},
		"failed by a stop later": {outcome: failed, said: connector.RequestRunning, stopping: true,
			reply: connector.RequestWaiting},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Service{}
			s.health.stopping.Store(c.stopping)
			h := &heldRequests{run: "1", said: connector.Reply{State: c.said}}
			newRequests(s).judgeRun(h, c.outcome)
			var got connector.RequestState
			if h.reply != nil {
				got = h.reply.State
			}
			if h.run != c.run || got != c.reply {
				t.Errorf("run %q, reply %q", h.run, got)
			}
		})
	}
}
