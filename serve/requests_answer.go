package serve

import (
	"context"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// outcome is what an event of a run means for the requests that the run serves.
type outcome struct {
	reply connector.Reply
	// again asks for another run: this one came to nothing, for reasons that the job has no part in.
	again bool
}

// outcomeOf returns what an event means, or nil if that is nothing.
func outcomeOf(e jobs.Event) *outcome {
	v := &outcome{reply: connector.Reply{Run: e.Run}}
	switch {
	case e.Kind == jobs.Stepped && e.Step != jobs.Export: // it has read the graph and holds the lock
		v.reply.State = connector.RequestRunning
		return v
	case e.Kind != jobs.Ended && e.Kind != jobs.WasSkipped || e.Record == nil:
		return nil
	}
	v.reply.Note = shortened(e.Record.Note)
	switch {
	case e.Record.Status == connector.Succeeded, isUpToDate(*e.Record):
		v.reply.State = connector.RequestSucceeded
	case e.Kind == jobs.WasSkipped && e.Failure == jobs.Misused: // a reload has removed the job
		v.reply = connector.Reply{State: connector.RequestRefused, Error: v.reply.Note}
	case e.Kind == jobs.WasSkipped && e.Failure != jobs.Interrupted:
		v.again = true
	default:
		v.reply.State, v.reply.Error = connector.RequestFailed, failureText(e)
	}
	return v
}

// isUpToDate reports whether a run ended because the scores are those of the graph as it is.
func isUpToDate(r connector.Run) bool {
	return r.Status == connector.Skipped &&
		(strings.Contains(r.Note, "unchanged") || strings.Contains(r.Note, "did not change"))
}

func failureText(e jobs.Event) string {
	text := e.Record.Error
	if text == "" {
		text = e.Record.Note
	}
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return shortened(text)
}

// shortened bounds a text that is put on ten thousand nodes.
func shortened(text string) string {
	const most = 1000
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// settle works out from the events so far what is to be said on the nodes.
func (q *requests) settle() {
	q.mu.Lock()
	events := q.events
	q.events = nil
	q.mu.Unlock()
	for _, e := range events {
		for _, h := range q.held {
			if h.run == e.Run {
				q.judgeRun(h, *outcomeOf(e))
			}
		}
	}
}

// judgeRun takes over what has become of the run that serves h.
func (q *requests) judgeRun(h *heldRequests, v outcome) {
	v.reply.Request = h.Request
	h.reply = &v.reply
	if !v.again && (v.reply.State != connector.RequestFailed || !q.s.health.stopping.Load()) {
		return
	}
	h.run, h.reply = "", nil // to be asked for again, by this service or the next one
	if h.said.State == connector.RequestRunning {
		h.reply = &connector.Reply{Request: h.Request, State: connector.RequestWaiting}
	}
}

// answer writes what is to be said.
func (q *requests) answer(ctx context.Context) error {
	var replies []connector.Reply
	last := true
	for _, h := range q.held {
		if h.reply != nil && !h.told() {
			replies = append(replies, *h.reply)
		}
		last = last && h.reply != nil && h.reply.State.Answered()
	}
	if len(replies) == 0 {
		return nil
	}
	if err := q.s.database().ReplyToRequests(ctx, q.service, replies, last); err != nil {
		return err
	}
	for _, r := range replies {
		h := q.held[r.Request]
		if r.State.Answered() {
			q.s.metrics.requests.WithLabelValues(string(r.State)).Add(float64(h.Count))
			delete(q.held, r.Request)
			continue
		}
		h.said = *h.reply
		if r.State == connector.RequestWaiting {
			h.reply = nil // to be asked for again
		}
	}
	q.count()
	return nil
}

// told reports whether the nodes say what is to be said.
func (h *heldRequests) told() bool { return *h.reply == h.said }

// count brings what others see of the requests up to date.
func (q *requests) count() {
	all := int64(0)
	for _, h := range q.held {
		all += h.Count
	}
	q.open.Store(all)
	q.busy.Store(len(q.held) > 0)
}

// renew tells other services that this one lives, while it holds requests.
func (q *requests) renew(ctx context.Context) error {
	if len(q.held) == 0 || time.Since(q.renewed) < connector.RequestLease/3 {
		return nil
	}
	err := q.s.database().KeepRequests(ctx, q.service, q.owner())
	if err == nil {
		q.renewed = time.Now()
	}
	return err
}

// pruneEvery is the time between two looks for requests that were answered long ago.
const pruneEvery = time.Hour

// prune removes requests that were answered long ago.
func (q *requests) prune(ctx context.Context, keep time.Duration) error {
	if keep <= 0 || !q.pruned.IsZero() && time.Since(q.pruned) < pruneEvery {
		return nil
	}
	removed, err := q.s.database().PruneRequests(ctx, keep)
	if err != nil {
		return err
	}
	q.pruned = time.Now()
	if removed > 0 {
		q.s.o.Logger.Info("answered requests were removed from the database", "count", removed)
	}
	return nil
}
