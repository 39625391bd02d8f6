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
}

func (s *Service) jobStates() []JobState {
	out := []JobState{}
	for _, st := range s.scheduler.Standings() {
		live, last := s.hub.of(st.Job.Name)
		out = append(out, JobState{
			Name: st.Job.Name, Schedule: st.Job.Schedule, Timezone: st.Job.Timezone, After: st.Job.After, Next: st.Next,
			Active: st.Active, Progress: live, Waiting: st.Waiting, Last: last,
		})
	}
	return out
}

func (s *Service) listJobs(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, s.jobStates())
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
	runs, err := s.runs(r.Context(), r.PathValue("job"), limit)
	if err != nil {
		s.refuseFor(w, r, err)
		return
	}
	answer(w, http.StatusOK, runs)
}

// slowest is how long a request waits for the database.
const slowest = 10 * time.Second

func (s *Service) runs(ctx context.Context, job string, limit int) ([]connector.Run, error) {
	db := s.database()
	if db == nil {
		return nil, errNoDatabase
	}
	ctx, cancel := context.WithTimeout(ctx, slowest)
	defer cancel()
	runs, err := db.Runs(ctx, job, limit)
	if runs == nil {
		runs = []connector.Run{}
	}
	return runs, err
}

func (s *Service) run(ctx context.Context, id string) (*connector.Run, error) {
	db := s.database()
	if db == nil {
		return nil, errNoDatabase
	}
	ctx, cancel := context.WithTimeout(ctx, slowest)
	defer cancel()
	return db.Run(ctx, id)
}

func (s *Service) showRun(w http.ResponseWriter, r *http.Request) {
	run, err := s.run(r.Context(), r.PathValue("run"))
	if err != nil {
		s.refuseFor(w, r, err)
		return
	}
	answer(w, http.StatusOK, run)
}

// askRun starts a job: POST /api/jobs/JOB/run {"recompute": true}.
func (s *Service) askRun(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Recompute bool `json:"recompute"`
	}
	if err := readJSON(r, &order); err != nil {
		s.refuseFor(w, r, err)
		return
	}
	given, err := s.scheduler.Ask(r.PathValue("job"), jobs.ByRequest, jobs.Options{Recompute: order.Recompute})
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
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
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
		_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second))
		_, err := io.WriteString(w, text)
		return err == nil && control.Flush() == nil
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
			if !send(": alive\n\n") {
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
