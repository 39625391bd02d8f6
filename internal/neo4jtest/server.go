// Package neo4jtest starts a real Neo4j Community server from the jars of Maven Central, for tests and for the
// demonstration. It needs Java 17 or later and Maven, on Linux or macOS; the jars and what speeds the start up are kept
// in the user's cache folder.
package neo4jtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Version of the server, and the version named by year that comes after it, whose databases can default to Cypher 25.
// It needs Java 21, which is fetched from PyPI where the machine has an older one.
const (
	Version         = "5.26.30"
	CalendarVersion = "2025.10.1"
)

// Options of a server. The zero value is a server without authentication, fit for short tests.
type Options struct {
	// Version of the server; "" for the constant Version.
	Version string
	// Password of the user neo4j; "" starts the server without authentication.
	Password string
	// ReadOnly refuses writes in the database neo4j; see Server.Reconfigure for one that has data.
	ReadOnly bool
	// Heap is the size of the Java heap, such as "2g"; "" for 512m.
	Heap string
	// FullJIT lets the optimising compiler and the parallel collector run: slower to start, faster after. Measurements
	// want it.
	FullJIT bool
	// TransactionMemory limits the memory of all transactions together, such as "32m"; "" for the server's own limit.
	TransactionMemory string
	// GDS adds the Graph Data Science library (GPL), for measurements beside it.
	GDS bool
	// Conf has further settings of neo4j.conf; they win over those that this package makes.
	Conf map[string]string
	// Import has arguments of neo4j-admin's "database import full", such as --nodes=V=FILE, which fills the database neo4j
	// before the first start; none for an empty database.
	Import []string
	// Home is the folder of the server's data, which stays afterwards; "" for a temporary one.
	Home string
	// Keep lets the server outlive this process; it has to be stopped by its PID.
	Keep bool

	// ofPool is set for a server of a pool, which runs for minutes. Others run for seconds, in which most methods are
	// called too seldom for it to pay to compile them early.
	ofPool bool
}

// Server is a running Neo4j, or one that was stopped and can be started again on the same home and port.
type Server struct {
	options Options
	install *installation
	home    string
	port    int
	process *process
	// borrowed is set while a pool has the process.
	borrowed *borrowed

	connecting sync.Mutex
	driver     neo4j.DriverWithContext // of Query
}

// Start fetches the server if need be, starts it and waits until it answers. Unless Options.Keep is set it ends with
// this process, whatever ends that.
func Start(ctx context.Context, o Options) (*Server, error) {
	in, err := install(ctx, cmp.Or(o.Version, Version))
	if err != nil {
		return nil, err
	}
	return startFrom(ctx, in, o)
}

func startFrom(ctx context.Context, in *installation, o Options) (*Server, error) {
	s := &Server{options: o, install: in, home: o.Home}
	var err error
	if s.home == "" {
		if s.home, err = os.MkdirTemp("", "linchpin-neo4j-"); err != nil {
			return nil, err
		}
	}
	if s.home, err = filepath.Abs(s.home); err != nil {
		return nil, err
	}
	if err := errors.Join(s.plug(ctx), s.setPassword(ctx), s.importFiles(ctx), s.giveSystem()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for range 5 {
		if s.port, err = freePort(); err != nil {
			break
		}
		if err = s.launch(ctx); err == nil || !errors.Is(err, errPortTaken) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// freePort returns a loopback port that nothing listens on now. Somebody may take it before the server does; the
// caller then tries another.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// URI is where the server listens, such as bolt://127.0.0.1:40123.
func (s *Server) URI() string { return fmt.Sprintf("bolt://127.0.0.1:%d", s.port) }

// Port is the port of URI.
func (s *Server) Port() int { return s.port }

// PID is the process id of the server, or 0 when it does not run.
func (s *Server) PID() int {
	if s.process == nil {
		return 0
	}
	return s.process.pid
}

// Home is the folder of the server's data.
func (s *Server) Home() string { return s.home }

// Log returns the server's log and what it printed.
func (s *Server) Log() string {
	var all strings.Builder
	for _, name := range []string{s.log(), s.output()} {
		if text, err := os.ReadFile(name); err == nil {
			all.Write(text)
		}
	}
	return all.String()
}

func (s *Server) data() string   { return filepath.Join(s.home, "data") }
func (s *Server) log() string    { return filepath.Join(s.home, "logs", "neo4j.log") }
func (s *Server) output() string { return filepath.Join(s.home, "output.log") }

// Stop ends the server in good order. Its home stays until Close.
func (s *Server) Stop() error { return s.end(syscall.SIGTERM) }

// Kill ends the server as a power cut would. Its home stays until Close.
func (s *Server) Kill() error { return s.end(syscall.SIGKILL) }

func (s *Server) end(how syscall.Signal) error {
	if s.process == nil {
		return nil
	}
	s.disconnect()
	p := s.process
	s.process = nil
	if s.borrowed != nil {
		return s.takeOver(how)
	}
	patience := 30 * time.Second
	if s.install.training {
		patience = 5 * time.Minute // the archive is written now
	}
	return p.end(how, patience)
}

// Pause halts a running server, which then keeps its connections and answers nothing, until Resume.
func (s *Server) Pause() error { return syscall.Kill(s.PID(), syscall.SIGSTOP) }

// Resume lets a paused server go on.
func (s *Server) Resume() error { return syscall.Kill(s.PID(), syscall.SIGCONT) }

// Restart starts a server that was stopped or killed again, on the same home and port. One that runs is stopped first.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.Stop(); err != nil {
		return err
	}
	deadline := time.Now().Add(15 * time.Second)
	for {
		err := s.launch(ctx)
		if !errors.Is(err, errPortTaken) || time.Now().After(deadline) {
			return err
		}
	}
}

// Reconfigure changes the options that take effect at a start (not Version, Home, Keep or Password) and restarts the
// server.
func (s *Server) Reconfigure(ctx context.Context, change func(*Options)) error {
	change(&s.options)
	return s.Restart(ctx)
}

// Close ends the server and removes its temporary home. One of a pool goes back to it.
func (s *Server) Close() error {
	if s.borrowed != nil {
		s.disconnect()
		return s.giveBack()
	}
	err := s.Kill()
	if s.options.Home == "" {
		err = errors.Join(err, os.RemoveAll(s.home))
	}
	return err
}
