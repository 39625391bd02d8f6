package serve

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/linchpin-graph/linchpin/config"
)

// connection is a database with the runs that use it.
type connection struct {
	db   Database
	runs sync.WaitGroup
}

// connected makes a database the one that everybody uses from now on. Runs under way stay on the one that they began
// with, which is closed after the last of them.
func (s *Service) connected(db Database) {
	s.mu.Lock()
	old := s.conn
	s.conn = &connection{db: db}
	s.mu.Unlock()
	if old == nil {
		return
	}
	go func() {
		old.runs.Wait()
		time.Sleep(slowest) // requests of the page may be under way still
		_ = old.db.Close(context.Background())
	}()
}

// database returns the database that is in use, or nil while it has not answered yet.
func (s *Service) database() Database {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	return s.conn.db
}

// borrow is database for a run, which calls done at its end.
func (s *Service) borrow() (db Database, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn.runs.Add(1)
	return s.conn.db, s.conn.runs.Done
}

// mostConnecting is how long a reload tries to reach the database of a new config.
const mostConnecting = 20 * time.Second

// reload takes over the config file, or refuses it as a whole.
func (s *Service) reload(ctx context.Context) {
	notifySystemd(s.o.Logger, reloading())
	defer notifySystemd(s.o.Logger, daemon.SdNotifyReady)
	c, err := s.o.Load()
	if err == nil {
		err = s.apply(ctx, c)
	}
	s.health.config(err)
	if err != nil {
		s.metrics.reloads.WithLabelValues("refused").Inc()
		s.o.Logger.Error("the config was not reloaded: the old one stays in force", "error", err)
		return
	}
	s.metrics.reloads.WithLabelValues("done").Inc()
	s.o.Logger.Info("config reloaded", "jobs", len(c.Jobs))
}

// apply puts another config into force. What may fail comes first.
func (s *Service) apply(ctx context.Context, c *config.Config) error {
	old := s.config.Load()
	traces := s.traces.Load()
	if old.Serve.Traces != c.Serve.Traces {
		var err error
		if traces, err = newTraces(ctx, c.Serve.Traces, s.o.Version, s.o.Logger); err != nil {
			return fmt.Errorf("serve.traces: %w", err)
		}
	}
	if s.health.started.Load() {
		if err := s.replace(ctx, old, c); err != nil {
			if traces != s.traces.Load() {
				traces.close(ctx)
			}
			return err
		}
	}
	s.scheduler.Resize(c.Serve.Running, c.Serve.Keep)
	s.engine.Resize(c.Serve.CPU, c.Serve.GPU)
	s.auth.replace(c.Serve)
	if before := s.traces.Swap(traces); before != traces {
		go before.close(context.WithoutCancel(ctx)) // what it has seen to the end is sent
	}
	for _, key := range needsRestart(s.o.Config, c) {
		s.o.Logger.Warn("this setting takes effect after a restart only", "setting", key)
	}
	s.config.Store(c)
	s.requests.nudge()
	for _, j := range old.Jobs {
		if !hasJob(c, j.Name) {
			s.metrics.forget(j.Name)
		}
	}
	if s.health.started.Load() {
		s.loadLast(ctx, slices.DeleteFunc(slices.Clone(c.Jobs), func(j config.Job) bool { return hasJob(old, j.Name) }))
	}
	return nil
}

// reconnects says whether a change of the settings needs another connection. A password in a file does not: the file is
// read anew whenever the server refuses the old one.
func reconnects(old, new config.Neo4j) bool {
	same := old.Password.Reveal() == new.Password.Reveal() ||
		old.PasswordFile != "" && old.PasswordFile == new.PasswordFile
	old.Password, new.Password = config.Password{}, config.Password{}
	return !same || old != new
}

// needsRestart lists settings that a reload cannot apply and that differ from those that the process began with.
func needsRestart(old, new *config.Config) []string {
	var out []string
	for key, same := range map[string]bool{
		"serve.listen":      old.Serve.Listen == new.Serve.Listen,
		"serve.certificate": (old.Serve.Certificate == "") == (new.Serve.Certificate == ""),
	} {
		if !same {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// replace puts the jobs of another config into the place of those of the old one, on a new connection if its settings
// are others.
func (s *Service) replace(ctx context.Context, old, c *config.Config) error {
	var db Database
	if reconnects(old.Neo4j, c.Neo4j) {
		ctx, cancel := context.WithTimeout(ctx, mostConnecting)
		defer cancel()
		var err error
		if db, err = s.o.Open(ctx, c); err != nil {
			return fmt.Errorf("with the new settings of neo4j: %w", err)
		}
	}
	if err := s.scheduler.Replace(c.Jobs); err != nil {
		return err // the parser of the config checks the same, so no connection is lost here
	}
	if db != nil {
		s.connected(db)
		s.o.Logger.Info("connected with the new settings of neo4j", "uri", c.Neo4j.URI)
	}
	return nil
}
