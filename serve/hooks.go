package serve

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/jobs"
)

// Report is what a hook is told, as JSON.
type Report struct {
	// Event is failure, success, warning or drift.
	Event string        `json:"event"`
	Job   string        `json:"job"`
	Time  time.Time     `json:"time"`
	Text  string        `json:"text"`
	Run   connector.Run `json:"run"`
}

// hooks calls webhooks and commands, away from the runs, each hook by itself: one that hangs or fails holds up no
// other.
type hooks struct {
	logger  *slog.Logger
	metrics *metrics
	client  *http.Client
	ctx     context.Context
	cancel  context.CancelFunc
	calls   sync.WaitGroup
	retry   []time.Duration // waits before further attempts

	mu     sync.Mutex
	places map[string]chan struct{} // by hook: those of calls at once
	open   int                      // calls that were not made yet, or wait to be made again
}

// call is one report for one hook.
type call struct {
	hook   config.Hook
	report Report
}

const (
	// mostCalls bounds the reports that wait, of all hooks together.
	mostCalls = 1000
	// callsAtOnce are those of one hook. A call that waits to be made again has no place among them.
	callsAtOnce = 4
)

func newHooks(logger *slog.Logger, m *metrics) *hooks {
	h := &hooks{
		logger: logger, metrics: m, places: map[string]chan struct{}{},
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		retry:  []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute},
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// observe begins the calls that the end of a run asks for.
func (h *hooks) observe(e jobs.Event, c config.Serve) {
	if e.Kind != jobs.Ended || len(c.Hooks) == 0 {
		return
	}
	for _, report := range reports(*e.Record, c.Drift) {
		for _, hook := range c.Hooks {
			if !slices.Contains(hook.On, report.Event) {
				continue
			}
			if !h.enter() {
				h.metrics.hookCalls.WithLabelValues("dropped").Inc()
				h.logger.Error("a hook was not called: too many calls are waiting", "job", e.Job, "hook", name(hook))
				continue
			}
			h.calls.Go(func() {
				defer h.leave()
				h.deliver(call{hook, report})
			})
		}
	}
}

func (h *hooks) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == mostCalls {
		return false
	}
	h.open++
	return true
}

func (h *hooks) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
}

// placesOf are the places of a hook's calls.
func (h *hooks) placesOf(hook config.Hook) chan struct{} {
	key := fmt.Sprintf("%q %q", hook.URL, hook.Exec)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.places[key] == nil {
		h.places[key] = make(chan struct{}, callsAtOnce)
	}
	return h.places[key]
}

// reports says what the end of a run is worth reporting as.
func reports(r connector.Run, drift float64) []Report {
	report := Report{Job: r.Job, Time: r.Finished, Run: r}
	switch r.Status {
	case connector.Failed, connector.Unfinished:
		report.Event, report.Text = "failure", fmt.Sprintf("job %s failed: %s", r.Job, r.Error)
		return []Report{report}
	case connector.Succeeded:
	default:
		return nil
	}
	report.Event, report.Text = "success", fmt.Sprintf("job %s wrote %d scored entities", r.Job, r.Write.Written)
	out := []Report{report}
	if r.State() == connector.SucceededWithWarnings {
		report.Event, report.Text = "warning", fmt.Sprintf("job %s %s: %s", r.Job, r.State(), strings.Join(r.Warnings, "; "))
		out = append(out, report)
	}
	for _, s := range r.Scores {
		if s.Rank != nil && *s.Rank < drift {
			report.Event = "drift"
			report.Text = fmt.Sprintf("job %s: the order by %s changed: rank correlation %.3f with the run before", r.Job,
				s.Property, *s.Rank)
			return append(out, report)
		}
	}
	return out
}

// deliver calls a hook, again after failures, with the waits between.
func (h *hooks) deliver(c call) {
	body, err := json.Marshal(c.report)
	if err != nil {
		h.logger.Error("hook", "error", err)
		return
	}
	logger := h.logger.With("job", c.report.Job, "event", c.report.Event, "hook", name(c.hook))
	for attempt := 0; ; attempt++ {
		last := err
		if err = h.once(c.hook, body); err == nil {
			h.metrics.hookCalls.WithLabelValues("delivered").Inc()
			return
		}
		if h.ctx.Err() != nil && last != nil {
			err = last // what was wrong, not that the service ends
		}
		if attempt >= len(h.retry) || h.ctx.Err() != nil {
			h.metrics.hookCalls.WithLabelValues("failed").Inc()
			logger.Error("a hook could not be called", "error", err)
			return
		}
		logger.Warn("a hook could not be called, and is called again", "wait", h.retry[attempt], "error", err)
		select {
		case <-h.ctx.Done():
		case <-time.After(h.retry[attempt]):
		}
	}
}

// once calls a hook when it has a place.
func (h *hooks) once(hook config.Hook, body []byte) error {
	places := h.placesOf(hook)
	select {
	case places <- struct{}{}:
	case <-h.ctx.Done():
		return errors.New("the service ended before its turn")
	}
	defer func() { <-places }()
	ctx, cancel := context.WithTimeout(h.ctx, hook.Timeout)
	defer cancel()
	var err error
	if hook.URL != "" {
		err = h.post(ctx, hook, body)
	} else {
		err = execute(ctx, hook, body)
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("it took longer than %s", hook.Timeout)
	}
	return err
}

// name says which hook, without what may be secret in an address: many chats have the key in the path.
func name(h config.Hook) string {
	if len(h.Exec) > 0 {
		return h.Exec[0]
	}
	u, err := url.Parse(h.URL)
	if err != nil {
		return "an address"
	}
	return u.Scheme + "://" + u.Host
}

// Sign returns the signature of a webhook's body at a time, in seconds: the hexadecimal HMAC-SHA256 of "TIME.BODY".
func Sign(secret string, at int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.", at)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func (h *hooks) post(ctx context.Context, hook config.Hook, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "linchpin")
	if !hook.Secret.IsZero() {
		at := time.Now().Unix()
		r.Header.Set("Linchpin-Timestamp", strconv.FormatInt(at, 10))
		r.Header.Set("Linchpin-Signature", "sha256="+Sign(hook.Secret.Reveal(), at, body))
	}
	response, err := h.client.Do(r)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return failed.Err // without the address
	} else if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, 1<<16) // so that the connection can be used again
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("it answered %s", response.Status)
	}
	return nil
}

// execute runs the command with the report as its input. When its time is over, what it has started ends with it.
func execute(ctx context.Context, hook config.Hook, body []byte) error {
	c := exec.CommandContext(ctx, hook.Exec[0], hook.Exec[1:]...)
	c.Env = process.Environment()
	c.Stdin = bytes.NewReader(body)
	process.EndWithChildren(c)
	c.WaitDelay = time.Second // a grandchild with a group of its own may hold the output open
	var out lastWords
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	if err != nil && len(out) > 0 {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	return err
}

// lastWords keeps the end of what is written, however much that is.
type lastWords []byte

func (l *lastWords) Write(p []byte) (int, error) {
	const most = 500
	if len(p) >= most {
		*l = append((*l)[:0], p[len(p)-most:]...)
		return len(p), nil
	}
	if over := len(*l) + len(p) - most; over > 0 {
		*l = append((*l)[:0], (*l)[over:]...)
	}
	*l = append(*l, p...)
	return len(p), nil
}

// close gives waiting calls a moment, and ends.
func (h *hooks) close() {
	end := time.AfterFunc(2*time.Second, h.cancel)
	h.calls.Wait()
	end.Stop()
	h.cancel()
}
