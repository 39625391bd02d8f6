package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// JobState is how a job stands, in GET /api/jobs.
type JobState struct {
	Name     string         `json:"name"`
	Schedule string         `json:"schedule,omitempty"`
	Timezone string         `json:"timezone"`
	After    string         `json:"after,omitempty"`
	Next     time.Time      `json:"next,omitzero"`
	Active   *jobs.Active   `json:"active,omitempty"`
	Progress *jobs.Event    `json:"progress,omitempty"`
	Waiting  string         `json:"waiting,omitempty"`
	Last     *connector.Run `json:"last,omitempty"`
	// Unread says that the job may have runs of before this process: their records were not read yet.
	Unread bool `json:"unread,omitempty"`
}

func (s *Service) jobStates() []JobState {
	out := []JobState{}
	for _, st := range s.scheduler.Standings() {
		live, last := s.hub.of(st.Job.Name)
		out = append(out, JobState{
			Name: st.Job.Name, Schedule: st.Job.Schedule, Timezone: st.Job.Timezone, After: st.Job.After, Next: st.Next,
			Active: st.Active, Progress: live, Waiting: st.Waiting, Last: last, Unread: !s.hub.knows(st.Job.Name),
		})
	}
	return out
}

func (s *Service) listJobs(w http.ResponseWriter, r *http.Request) {
	l := listAnswer{w: w, r: r}
	for _, st := range s.jobStates() {
		if l.add(st) != nil {
			return
		}
	}
	l.end()
}

// mostRuns is the longest list that one request gets.
const mostRuns = 1000

func (s *Service) listRuns(w http.ResponseWriter, r *http.Request) {
	limit := 50
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostRuns {
			s.refuse(w, r, http.StatusBadRequest, fmt.Sprintf("limit %q: a number from 1 to %d", text, mostRuns))
			return
		}
		limit = n
	}
	ids, err := s.runIDs(r.Context(), r.PathValue("job"), limit)
	if err != nil {
		s.refuseFor(w, r, err)
		return
	}
	l := listAnswer{w: w, r: r}
	for some := range slices.Chunk(ids, runsAtOnce) {
		runs, err := s.runs(r.Context(), some)
		switch {
		case err != nil && !l.begun:
			s.refuseFor(w, r, err)
			return
		case err != nil:
			panic(http.ErrAbortHandler) // the client sees that the list is cut off
		}
		for _, run := range runs {
			if l.add(run) != nil {
				return
			}
		}
	}
	l.end()
}

// slowest is how long a request waits for the database.
const slowest = 10 * time.Second

// lookUp reads from the database, one of a few requests at a time.
func lookUp[T any](ctx context.Context, s *Service, read func(context.Context, Database) (T, error)) (T, error) {
	var none T
	db := s.database()
	if db == nil {
		return none, errNoDatabase
	}
	ctx, cancel := context.WithTimeout(ctx, slowest)
	defer cancel()
	if err := s.lookups.Acquire(ctx, 1); err != nil {
		return none, err
	}
	defer s.lookups.Release(1)
	return read(ctx, db)
}

func (s *Service) runIDs(ctx context.Context, job string, limit int) ([]string, error) {
	return lookUp(ctx, s, func(ctx context.Context, db Database) ([]string, error) { return db.RunIDs(ctx, job, limit) })
}

func (s *Service) runs(ctx context.Context, ids []string) ([]connector.Run, error) {
	return lookUp(ctx, s, func(ctx context.Context, db Database) ([]connector.Run, error) { return db.RunsByID(ctx, ids) })
}

func (s *Service) run(ctx context.Context, id string) (*connector.Run, error) {
	return lookUp(ctx, s, func(ctx context.Context, db Database) (*connector.Run, error) { return db.Run(ctx, id) })
}

func (s *Service) showRun(w http.ResponseWriter, r *http.Request) {
	run, err := s.run(r.Context(), r.PathValue("run"))
	if err != nil {
		s.refuseFor(w, r, err)
		return
	}
	answer(w, http.StatusOK, run)
}

// askRun starts a job: POST /api/jobs/JOB/run {"recompute": true, "ignoreLimits": true}.
func (s *Service) askRun(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Recompute    bool `json:"recompute"`
		IgnoreLimits bool `json:"ignoreLimits"`
	}
	if err := readJSON(r, &order); err != nil {
		s.refuseFor(w, r, err)
		return
	}
	given, err := s.scheduler.Ask(r.PathValue("job"), jobs.ByRequest,
		jobs.Options{Recompute: order.Recompute, IgnoreLimits: order.IgnoreLimits})
	if err != nil {
		s.refuseFor(w, r, err)
		return
	}
	answer(w, http.StatusAccepted, given)
}

// askCancel ends a job's run: POST /api/jobs/JOB/cancel.
func (s *Service) askCancel(w http.ResponseWriter, r *http.Request) {
	if err := readJSON(r, &struct{}{}); err != nil {
		s.refuseFor(w, r, err)
		return
	}
	done, err := s.scheduler.Cancel(r.PathValue("job"), "cancelled on request")
	if err != nil {
		s.refuseFor(w, r, err)
		return
	}
	answer(w, http.StatusOK, map[string]bool{"cancelled": done})
}

// badRequest is what is wrong with a request.
type badRequest struct{ error }

// readJSON reads the one object of a body, which may be missing.
func readJSON(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if errors.Is(err, io.EOF) {
		return nil
	}
	var large *http.MaxBytesError
	if err != nil && !errors.As(err, &large) {
		return badRequest{fmt.Errorf("the body is not the JSON that was expected: %w", err)}
	}
	if _, more := d.Token(); err == nil && !errors.Is(more, io.EOF) {
		if errors.As(more, &large) {
			return more
		}
		return badRequest{errors.New("the body holds more than one JSON value")}
	}
	return err
}

// refuseFor answers with the status that fits an error.
func (s *Service) refuseFor(w http.ResponseWriter, r *http.Request, err error) {
	var large *http.MaxBytesError
	var bad badRequest
	status := http.StatusInternalServerError
	switch {
	case errors.As(err, &large):
		status = http.StatusRequestEntityTooLarge
	case errors.As(err, &bad):
		status = http.StatusBadRequest
	case jobs.IsUnknownJob(err), connector.KindOf(err) == connector.UnknownName:
		status = http.StatusNotFound
	case errors.Is(err, jobs.ErrStopping), errors.Is(err, errNoDatabase), errors.Is(err, context.DeadlineExceeded),
		connector.KindOf(err) == connector.Unreachable, connector.KindOf(err) == connector.Lost:
		status = http.StatusServiceUnavailable
	}
	s.refuse(w, r, status, err.Error())
}

// refuse answers with an error, as a page or as JSON.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	if wantsPage(r) {
		s.errorPage(w, r, status, text)
		return
	}
	answer(w, status, map[string]string{"error": text})
}

func answer(w http.ResponseWriter, status int, v any) {
	answerHeader(w, status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

func answerHeader(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
}

// listAnswer is an answer that is a JSON list. Its elements are encoded one by one: a long list is never in memory as a
// whole.
type listAnswer struct {
	w     http.ResponseWriter
	r     *http.Request
	begun bool
}

// add sends an element. The client has answerTime to receive it.
func (l *listAnswer) add(element any) error {
	text, err := json.Marshal(element)
	if err != nil {
		return err
	}
	_ = http.NewResponseController(l.w).SetWriteDeadline(time.Now().Add(answerTime))
	if err := l.r.Context().Err(); err != nil {
		return err // the deadline of a request that was cut off is not to be extended
	}
	mark := ","
	if !l.begun {
		l.begin()
		mark = ""
	}
	_, err = l.w.Write(append([]byte(mark), text...))
	return err
}

func (l *listAnswer) begin() {
	l.begun = true
	answerHeader(l.w, http.StatusOK)
	_, _ = io.WriteString(l.w, "[") // where it fails, so does what follows
}

func (l *listAnswer) end() {
	if !l.begun {
		l.begin()
	}
	_, _ = io.WriteString(l.w, "]\n") // the client may be gone
}

// events streams what happens, as server-sent events: GET /api/events?job=NAME.
func (s *Service) events(w http.ResponseWriter, r *http.Request) {
	l := s.hub.listen()
	if l == nil {
		w.Header().Set("Retry-After", "10")
		s.refuse(w, r, http.StatusServiceUnavailable, "too many listeners")
		return
	}
	defer s.hub.leave(l)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the stream outlives the limit on reading a request
	send := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(eventTime))
		_, err := io.WriteString(w, text)
		ok := err == nil && control.Flush() == nil
		_ = control.SetWriteDeadline(time.Time{}) // under HTTP/2 a deadline ends a stream that is quiet, too
		return ok
	}
	if !send("retry: 2000\n\n") {
		return
	}
	job := r.URL.Query().Get("job")
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-alive.C:
			if s.auth.mayRead(r) != allowed || !send(": alive\n\n") {
				return
			}
		case e, ok := <-l.events:
			if !ok {
				return
			}
			if job != "" && e.Job != job {
				continue
			}
			data, err := json.Marshal(e)
			if err != nil || !send("event: "+string(e.Kind)+"\ndata: "+string(data)+"\n\n") {
				return
			}
		}
	}
}

// quietLog turns what net/http has to say, mostly about strangers, into debug lines.
func quietLog(l *slog.Logger) *log.Logger { return slog.NewLogLogger(l.Handler(), slog.LevelDebug) }
