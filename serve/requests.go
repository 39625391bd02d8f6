package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// requests takes what is asked for in Cypher, by nodes (:LinchpinRequest) of the database, and answers on these nodes.
// Those of one job that are found together are served by one run and answered together, so memory does not grow with
// their number. One goroutine does all of it but hear.
type requests struct {
	s       *Service
	service string // names this process on the nodes that it has taken

	held     map[string]*heldRequests // by their common id
	strange  map[string]time.Time     // unknown jobs that were asked for, and since when
	due      time.Time                // of the next look
	renewed  time.Time
	pruned   time.Time
	failures int // looks in a row that failed

	open atomic.Int64       // requests taken and not answered
	busy atomic.Bool        // events of runs matter
	wake chan struct{}      // there is an event, or another config
	end  context.CancelFunc // nil before begin
	over chan struct{}

	mu     sync.Mutex
	events []jobs.Event
}

// heldRequests were taken together for one job.
type heldRequests struct {
	connector.Taken
	run   string           // that serves them; "" before the scheduler was asked
	reply *connector.Reply // what is to be said on the nodes
	said  connector.Reply  // what the nodes say
}

func newRequests(s *Service) *requests {
	return &requests{s: s, service: rand.Text(), held: map[string]*heldRequests{}, strange: map[string]time.Time{},
		wake: make(chan struct{}, 1), over: make(chan struct{})}
}

// begin starts to look for requests, until stop.
func (q *requests) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	q.end = cancel
	go func() {
		defer close(q.over)
		q.keep(ctx)
	}()
}

func (q *requests) nudge() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// hear takes an event of the scheduler. It does not block.
func (q *requests) hear(e jobs.Event) {
	if !q.busy.Load() || outcomeOf(e) == nil {
		return
	}
	q.mu.Lock()
	q.events = append(q.events, e)
	q.mu.Unlock()
	q.nudge()
}

// keep looks for requests every now and then, and answers as runs end.
func (q *requests) keep(ctx context.Context) {
	for ctx.Err() == nil {
		did, err := q.turn(ctx)
		if ctx.Err() == nil && (did || err != nil) {
			q.report(err)
			q.due = time.Now().Add(q.pause())
		}
		timer := time.NewTimer(time.Until(q.due))
		select {
		case <-ctx.Done():
		case <-q.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// turnTime is how long one turn may take.
const turnTime = time.Minute

// turn answers what can be answered, and looks for more when that is due. It reports whether it looked.
func (q *requests) turn(ctx context.Context) (looked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	q.settle()
	now := time.Now()
	if soon := now.Add(q.pause()); soon.Before(q.due) {
		q.due = soon // a reload has shortened every
	}
	due := !now.Before(q.due)
	if q.failures > 0 && !due {
		return false, nil // the end of a run does not bring the database back
	}
	if err := q.answer(ctx); err != nil || !due {
		return false, err
	}
	if err := q.renew(ctx); err != nil {
		return true, err
	}
	c := q.s.config.Load().Serve.Requests
	if !c.Enabled || q.s.health.stopping.Load() {
		return true, nil
	}
	if err := q.look(ctx); err != nil {
		return true, err
	}
	return true, q.prune(ctx, c.Keep)
}

// longestPause is the time between looks at a database that refuses them.
const longestPause = time.Minute

// pause is the time to the next look: longer after failures.
func (q *requests) pause() time.Duration {
	every := q.s.config.Load().Serve.Requests.Every
	if q.failures == 0 {
		return every
	}
	return max(every, min(every<<min(q.failures, 10), longestPause))
}

// report logs the first of several failures, and their end.
func (q *requests) report(err error) {
	log := q.s.o.Logger
	switch {
	case err == nil && q.failures > 0:
		log.Info("requests in the database are taken and answered again")
		q.failures = 0
	case err == nil:
	case q.failures == 0:
		log.Warn("requests in the database cannot be taken or answered; trying on without another word", "error", err,
			"hint", cmp.Or(connector.HintOf(err), "serve.requests.enabled: false turns them off"))
		q.failures++
	default:
		log.Debug("requests in the database still cannot be taken or answered", "error", err)
		q.failures++
	}
}

// stop ends the looking, answers what has ended, and leaves the rest to the next service.
func (q *requests) stop() {
	if q.end == nil {
		return
	}
	q.end()
	<-q.over
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	q.settle()
	err := q.answer(ctx)
	if err == nil && len(q.held) > 0 {
		_, err = q.s.database().FreeRequests(ctx, q.service, true)
	}
	if err != nil {
		q.s.o.Logger.Warn("requests in the database were not answered; another service will take them", "error", err)
	}
}
