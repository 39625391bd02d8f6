package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linchpin-graph/linchpin/jobs"
)

// health is what the service knows of its own state.
type health struct {
	started, stopping atomic.Bool

	mu          sync.Mutex
	databaseErr error
	answered    time.Time // when the database last did
	configErr   error
}

// pingEvery is the time between two questions to the database; an answer counts for three of them.
const pingEvery = 5 * time.Second

func (h *health) database(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.databaseErr = err; err == nil {
		h.answered = time.Now()
	}
}

func (h *health) config(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.configErr = err
}

func (h *health) databaseUp() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch since := time.Since(h.answered); {
	case h.databaseErr != nil:
		return h.databaseErr
	case h.answered.IsZero():
		return errNoDatabase
	case since > 3*pingEvery:
		return fmt.Errorf("the database has not answered for %s", since.Round(time.Second))
	}
	return nil
}

func (s *Service) pingOften(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		once, cancel := context.WithTimeout(ctx, pingEvery)
		err := s.database().Ping(once)
		cancel()
		if ctx.Err() == nil {
			s.health.database(err)
		}
	}
}

// stuck is the time without a sign of life from the scheduler after which it counts as dead.
const stuck = 45 * time.Second

// alive says whether the process is worth keeping: it fails only when a restart would help.
func (s *Service) alive() error {
	done := make(chan time.Time, 1)
	go func() { done <- s.scheduler.Alive() }()
	select {
	case last := <-done:
		if since := s.o.Now().Sub(last); s.health.started.Load() && !s.health.stopping.Load() && since > stuck {
			return fmt.Errorf("the scheduler has not looked at the clock for %s", since.Round(time.Second))
		}
		return nil
	case <-time.After(3 * time.Second):
		return fmt.Errorf("the scheduler hangs")
	}
}

// checks are the conditions of being ready, each with what is wrong or nil.
func (s *Service) checks() map[string]error {
	started := error(nil)
	switch {
	case s.health.stopping.Load():
		started = fmt.Errorf("the service is stopping")
	case !s.health.started.Load():
		started = fmt.Errorf("the scheduler waits for the database")
	}
	s.health.mu.Lock()
	configErr := s.health.configErr
	s.health.mu.Unlock()
	if configErr != nil {
		configErr = fmt.Errorf("the config on disk is invalid, an older one is in force: %w", configErr)
	}
	return map[string]error{
		"scheduler": started, "database": s.health.databaseUp(), "state": writable(s.config.Load().State),
		"config": configErr,
	}
}

// writable tries to write into the state folder: a full disk or a lost mount shows here before it fails a run.
func writable(folder string) error {
	if err := jobs.PrivateFolder(folder); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "ready-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(make([]byte, 4096))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

func (s *Service) healthz(w http.ResponseWriter, _ *http.Request) {
	answerHealth(w, map[string]error{"process": s.alive()}, nil)
}

// readyz is 200 when jobs would run now. An invalid config on disk is told but does not make the service unready.
func (s *Service) readyz(w http.ResponseWriter, _ *http.Request) {
	answerHealth(w, s.checks(), map[string]bool{"config": true})
}

func answerHealth(w http.ResponseWriter, checks map[string]error, harmless map[string]bool) {
	status, out := http.StatusOK, map[string]string{}
	for name, err := range checks {
		out[name] = "ok"
		if err != nil {
			out[name] = err.Error()
			if !harmless[name] {
				status = http.StatusServiceUnavailable
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(out) // the client may be gone
}
