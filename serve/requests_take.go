package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// Requested is what the service needs of a database to serve the requests in it.
type Requested interface {
	// RequestsNow looks at what is asked for, and writes nothing.
	RequestsNow(ctx context.Context) (connector.Requests, error)
	// TakeRequests takes or refuses some new requests, as judge says of each.
	TakeRequests(ctx context.Context, service, owner, together string, jobs []string,
		judge func(connector.Request) (take bool, refusal string)) (took, refused int, err error)
	// RequestsTaken returns what the service has taken under ids that begin with prefix.
	RequestsTaken(ctx context.Context, service, prefix string) ([]connector.Taken, error)
	// KeepRequests tells that the service lives.
	KeepRequests(ctx context.Context, service, owner string) error
	// ReplyToRequests sets the state of requests; last says that the service holds no others.
	ReplyToRequests(ctx context.Context, service string, replies []connector.Reply, last bool) error
	// FreeRequests leaves to others what a service has taken that is gone, or wants that itself.
	FreeRequests(ctx context.Context, service string, own bool) (freed bool, err error)
	// PruneRequests removes what was answered longer ago than keep.
	PruneRequests(ctx context.Context, keep time.Duration) (int64, error)
}

// look finds new requests and those of services that are gone, and has the scheduler run the jobs.
func (q *requests) look(ctx context.Context) error {
	db := q.s.database()
	now, err := db.RequestsNow(ctx)
	if err != nil {
		return err
	}
	freed, err := q.freeOthers(ctx, now.Taken)
	if err != nil {
		return err
	}
	if now.New || freed {
		if err := q.take(ctx); err != nil {
			return err
		}
	} else {
		clear(q.strange)
	}
	for _, t := range now.Taken { // an earlier look may not have heard that it took them
		if t.Service == q.service && q.held[t.Request] == nil {
			if err := q.hold(ctx, t.Request); err != nil {
				return err
			}
		}
	}
	for _, h := range q.held {
		if h.run == "" && h.reply == nil {
			q.ask(h)
		}
	}
	return nil
}

// freeOthers frees what services hold that are gone.
func (q *requests) freeOthers(ctx context.Context, taken []connector.TakenBy) (freed bool, err error) {
	looked := map[string]bool{q.service: true}
	for _, t := range taken {
		if looked[t.Service] {
			continue
		}
		looked[t.Service] = true
		gone, err := q.s.database().FreeRequests(ctx, t.Service, false)
		if err != nil {
			return freed, err
		}
		if gone {
			freed = true
			q.s.o.Logger.Info("requests of a service that is gone are taken over", "service", t.Service)
		}
	}
	return freed, nil
}

// mostRounds bounds what one look takes: the next one goes on.
const mostRounds = 10

// take takes new requests, in several transactions.
func (q *requests) take(ctx context.Context) error {
	db, together := q.s.database(), strings.ToLower(rand.Text()[:12])
	names := q.jobNames()
	judge := q.judge(names)
	any := false
	for range mostRounds {
		took, refused, err := db.TakeRequests(ctx, q.service, q.owner(), together, names, judge)
		if err != nil {
			return err
		}
		any = any || took > 0
		q.s.metrics.requests.WithLabelValues(string(connector.RequestRefused)).Add(float64(refused))
		if took+refused == 0 {
			break
		}
	}
	if !any {
		return nil
	}
	q.renewed = time.Now()
	return q.hold(ctx, together+"/")
}

func (q *requests) owner() string { return jobs.Owner(q.s.o.Host, "requests") }

func (q *requests) jobNames() []string {
	names := []string{}
	for _, j := range q.s.config.Load().Jobs {
		names = append(names, j.Name)
	}
	return names
}

// hold remembers what was taken under ids that begin with prefix.
func (q *requests) hold(ctx context.Context, prefix string) error {
	taken, err := q.s.database().RequestsTaken(ctx, q.service, prefix)
	for _, t := range taken {
		if q.held[t.Request] == nil {
			q.held[t.Request] = &heldRequests{Taken: t}
			q.s.o.Logger.Info("asked for in Cypher", "job", t.Job, "request", t.Request, "count", t.Count, "by", askers(t.By))
		}
	}
	q.count()
	return err
}

// mostStrange bounds the unknown jobs that are remembered; requests for others are refused at once.
const mostStrange = 1000

// judge returns what decides on new requests. A job that this service does not know may be another service's, which has
// two looks' time to take the request.
func (q *requests) judge(names []string) func(connector.Request) (take bool, refusal string) {
	now, wait := time.Now(), 2*q.s.config.Load().Serve.Requests.Every
	return func(r connector.Request) (bool, string) {
		if wrong := mistakeIn(r); wrong != "" {
			return false, wrong
		}
		if slices.Contains(names, r.Job) {
			return true, ""
		}
		since, seen := q.strange[r.Job]
		if !seen && len(q.strange) < mostStrange {
			q.strange[r.Job] = now
			return false, ""
		}
		if seen && now.Sub(since) < wait {
			return false, ""
		}
		return false, withHint(fmt.Sprintf("unknown job %q", r.Job), r.Job, names)
	}
}

// mistakeIn says what is wrong with a request in itself, or "".
func mistakeIn(r connector.Request) string {
	switch {
	case !r.JobIsText:
		return "property job must be the name of a job, as a text (example: {job: 'hubs'})"
	case len(r.Unknown) > 0:
		return withHint(fmt.Sprintf("unknown property %q", r.Unknown[0]), r.Unknown[0],
			[]string{"job", "recompute", "ignoreLimits", "by"})
	case r.Recompute == connector.NoFlag:
		return "property recompute must be true or false"
	case r.IgnoreLimits == connector.NoFlag:
		return "property ignoreLimits must be true or false"
	case !r.ByIsText:
		return "property by must be a text"
	}
	return ""
}

func withHint(wrong, written string, known []string) string {
	if hint := nearest.DidYouMean(written, known); hint != "" {
		return wrong + ": " + hint
	}
	return wrong
}

// lockPatience is how long a run on request waits for another process's run of the job. Then the scheduler is asked
// again.
const lockPatience = time.Minute

// ask has the scheduler run a job. A run that is under way has begun before the request, so another one follows it.
func (q *requests) ask(h *heldRequests) {
	given, err := q.s.scheduler.Ask(h.Job, jobs.ByCypher, jobs.Options{
		Recompute: h.Recompute, IgnoreLimits: h.IgnoreLimits, Wait: lockPatience,
		Origin: jobs.Origin{Request: h.Request, By: askers(h.By)},
	})
	switch {
	case jobs.IsUnknownJob(err):
		h.reply = &connector.Reply{Request: h.Request, State: connector.RequestRefused, Error: err.Error()}
		q.nudge()
	case err == nil:
		h.run = given.Run
	}
}

// askers are those who asked, in a line.
func askers(by []string) string {
	const most = 3
	if len(by) > most {
		by = append(slices.Clone(by[:most]), "others")
	}
	return strings.Join(by, ", ")
}
