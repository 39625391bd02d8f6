// Package serve runs jobs by their schedules and on request, shows them on a page, and tells the world how they do:
// health, metrics, traces, hooks.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/jobs"
)

// Database is what the service needs of a database.
type Database interface {
	jobs.Database
	jobs.Records
	jobs.Describer
	Counts(ctx context.Context, p connector.Projection) (connector.Estimate, error)
	RunIDs(ctx context.Context, job string, limit int) ([]string, error)
	RunsByID(ctx context.Context, ids []string) ([]connector.Run, error)
	// LastRun returns the job's newest run, finished or not, or nil.
	LastRun(ctx context.Context, job string) (*connector.Run, error)
	Ping(ctx context.Context) error
	FirstValue(ctx context.Context, cypher string) (string, error)
	Requested
	Close(ctx context.Context) error
}

// Fleet answers nodes that compute for the service, and knows how they do.
type Fleet interface {
	Handler() http.Handler
	State() fleet.State
}

// Options say what a service works with.
type Options struct {
	Config *config.Config
	// Load reads the config anew, for a reload.
	Load func() (*config.Config, error)
	// Open connects to the database; it is called until it succeeds.
	Open func(ctx context.Context, c *config.Config) (Database, error)
	// Engine computes, on a machine with so many GPUs.
	Engine jobs.Engine
	GPUs   int
	// Fleet has the nodes of Engine; nil for none.
	Fleet Fleet
	// Host and Version stand in records; Memory returns the bytes that a run may use.
	Host, Version string
	Memory        func() (int64, error)
	// Now is the wall clock.
	Now    func() time.Time
	Logger *slog.Logger
	// Recompute names jobs to run at once.
	Recompute []string
	// Reload asks for the config to be read anew whenever something comes.
	Reload <-chan struct{}
	// Listening is told the address that the service listens on; it may be nil.
	Listening func(address string)
}

// Service is a running service.
type Service struct {
	o         Options
	config    atomic.Pointer[config.Config]
	scheduler *jobs.Scheduler
	hub       *hub
	metrics   *metrics
	hooks     *hooks
	requests  *requests
	traces    atomic.Pointer[traces]
	auth      *auth
	pair      atomic.Pointer[tls.Certificate] // the last that could be read
	health    health
	page      *pages
	engine    *jobs.Limited
	lookups   *semaphore.Weighted // requests that read records at the same time
	downloads *semaphore.Weighted // requests that read all scores

	mu   sync.Mutex
	conn *connection // nil until the database answers
}

// Run serves until the context ends, and then lets runs finish within the grace time. The error says why the service
// could not begin, or what was lost at the end.
func Run(ctx context.Context, o Options) error {
	s, err := newService(ctx, o)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.Config.Serve.Listen)
	if err != nil {
		return fmt.Errorf("serve.listen: %w", err)
	}
	web, err := s.serveHTTP(listener)
	if err != nil {
		listener.Close()
		return err
	}
	if o.Listening != nil {
		o.Listening(listener.Addr().String())
	}
	o.Logger.Info("listening", "address", listener.Addr().String(), "tls", o.Config.Serve.Certificate != "")
	err = s.work(ctx)
	s.health.stopping.Store(true)
	notifySystemd(o.Logger, daemon.SdNotifyStopping)
	err = errors.Join(err, s.stop())
	return errors.Join(err, web.close())
}

func newService(ctx context.Context, o Options) (*Service, error) {
	s := &Service{o: o, hub: newHub(), metrics: newMetrics(o.Version), auth: newAuth(o.Config.Serve, o.Logger),
		lookups: semaphore.NewWeighted(mostLookups), downloads: semaphore.NewWeighted(1)}
	s.config.Store(o.Config)
	traces, err := newTraces(ctx, o.Config.Serve.Traces, o.Version, o.Logger)
	if err != nil {
		return nil, err
	}
	s.traces.Store(traces)
	s.hooks = newHooks(o.Logger, s.metrics)
	s.scheduler = jobs.NewScheduler(jobs.SchedulerOptions{
		Execute: s.execute, Records: (*records)(s), Notify: s.observe, Changed: s.changed, Now: o.Now,
		Running: o.Config.Serve.Running, Keep: o.Config.Serve.Keep, Host: o.Host, Version: o.Version, Logger: o.Logger,
	})
	s.requests = newRequests(s)
	s.metrics.watch(s)
	s.engine = jobs.Limit(o.Engine, o.Config.Serve.CPU, o.Config.Serve.GPU, o.GPUs)
	s.page = &pages{Service: s, templates: parsePages(s)}
	return s, nil
}

// work connects, starts the scheduler, and minds reloads until the context ends.
func (s *Service) work(ctx context.Context) error {
	notifySystemd(s.o.Logger, "STATUS=waiting for the database")
	db, err := s.connect(ctx)
	if err != nil {
		return nil // stopped before the database answered: nothing was begun
	}
	s.connected(db)
	go s.pingOften(ctx)
	if err := s.scheduler.Start(ctx, s.config.Load().Jobs); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	s.health.started.Store(true)
	s.loadLast(ctx, s.config.Load().Jobs)
	s.o.Logger.Info("ready", "jobs", len(s.config.Load().Jobs))
	notifySystemd(s.o.Logger, daemon.SdNotifyReady+"\nSTATUS=running")
	go s.feedWatchdog(ctx)
	s.requests.begin()
	for _, job := range s.o.Recompute {
		if _, err := s.scheduler.Ask(job, jobs.AtStart, jobs.Options{Recompute: true}); err != nil {
			return fmt.Errorf("--recompute=%s: %w", job, err)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.o.Reload:
			s.reload(ctx)
		}
	}
}

// connect opens the database, however long that takes.
func (s *Service) connect(ctx context.Context) (Database, error) {
	pause := 500 * time.Millisecond
	for {
		db, err := s.o.Open(ctx, s.config.Load())
		if err == nil {
			s.health.database(nil)
			return db, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.health.database(err)
		s.o.Logger.Warn("waiting for the database", "error", err, "again in", pause)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.o.Reload:
			s.reload(ctx)
		case <-time.After(pause):
		}
		pause = min(2*pause, 15*time.Second)
	}
}

func (s *Service) stop() error {
	err := s.scheduler.Stop(s.config.Load().Serve.Grace)
	s.requests.stop()
	s.hooks.close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	s.traces.Load().close(ctx)
	if db := s.database(); db != nil {
		_ = db.Close(ctx) // the process ends
	}
	s.o.Logger.Info("stopped")
	return err
}

// execute runs a job with a runner of its own.
func (s *Service) execute(ctx context.Context, job config.Job, o jobs.Options, r jobs.Reporter) (*jobs.Result, error) {
	db, done := s.borrow()
	defer done()
	runner := &jobs.Runner{
		Database: db, Engine: s.engine, Reporter: r, State: s.config.Load().State,
		Host: s.o.Host, Version: s.o.Version, Now: s.o.Now, Memory: s.o.Memory,
	}
	return runner.Run(ctx, job, o)
}

// changed is a cheap look at whether a job's graph may have changed.
func (s *Service) changed(ctx context.Context, job config.Job) (string, error) {
	db := s.database()
	if job.ChangeQuery != "" {
		return db.FirstValue(ctx, job.ChangeQuery)
	}
	e, err := db.Counts(ctx, jobs.Projection(job.Graph))
	return fmt.Sprintf("%d nodes, %d relationships", e.Nodes, e.Relationships), err
}

// records lets the scheduler keep records as soon as there is a database.
type records Service

var errNoDatabase = errors.New("the database has not answered yet")

func (r *records) SaveRuns(ctx context.Context, runs ...connector.Run) error {
	if db := (*Service)(r).database(); db != nil {
		return db.SaveRuns(ctx, runs...)
	}
	return errNoDatabase
}

func (r *records) LastDue(ctx context.Context, job string) (time.Time, error) {
	return (*Service)(r).database().LastDue(ctx, job)
}

func (r *records) CloseRuns(ctx context.Context, job string) (int64, error) {
	return (*Service)(r).database().CloseRuns(ctx, job)
}

func (r *records) PruneRuns(ctx context.Context, job string, keep int) (int64, error) {
	return (*Service)(r).database().PruneRuns(ctx, job, keep)
}
