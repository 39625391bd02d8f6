package neo4jtest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
)

// own is the pool of a test binary that runs by itself. Its servers end with the process.
var own Pool

// borrowed is a server of a pool, from the side of its borrower.
type borrowed struct {
	pool    net.Conn
	answers *json.Decoder
}

// borrow takes a server from the pool that the environment names, or else from this process's own.
func borrow(o Options, fresh bool) (*Server, error) {
	ours, theirs := net.Pipe()
	if socket := os.Getenv(PoolVariable); socket != "" {
		var err error
		if ours, err = net.Dial("unix", socket); err != nil {
			return nil, fmt.Errorf("neo4jtest: the pool of servers that %s names: %w", PoolVariable, err)
		}
	} else {
		go own.Serve(theirs)
	}
	b := &borrowed{pool: ours, answers: json.NewDecoder(ours)}
	l, err := b.ask(request{Options: o, New: fresh})
	if err != nil {
		return nil, errors.Join(err, ours.Close())
	}
	return &Server{options: o, home: l.Home, port: l.Port, process: &process{pid: l.PID}, borrowed: b}, nil
}

func (b *borrowed) ask(question any) (l loan, err error) {
	if err := json.NewEncoder(b.pool).Encode(question); err != nil {
		return l, err
	}
	if err := b.answers.Decode(&l); err != nil {
		return l, fmt.Errorf("neo4jtest: the pool of servers does not answer: %w", err)
	}
	if l.Error != "" {
		err = errors.New(l.Error)
	}
	return l, err
}

// giveBack lets the pool lend the server to others.
func (s *Server) giveBack() error {
	_, err := s.borrowed.ask(syscall.Signal(0))
	return errors.Join(err, s.borrowed.pool.Close())
}

// takeOver has the pool end a borrowed server, which is this process's own from then on.
func (s *Server) takeOver(how syscall.Signal) error {
	_, err := s.borrowed.ask(how)
	err = errors.Join(err, s.borrowed.pool.Close())
	s.borrowed = nil
	if err != nil {
		return err
	}
	s.install, err = install(context.Background(), cmp.Or(s.options.Version, Version))
	return err
}

// shared is the server that the tests of this binary have borrowed.
var shared struct {
	mu     sync.Mutex
	server *Server
}

// Shared returns the server, without authentication, that all tests of a test binary share; the first call borrows it.
// Its database is emptied first, except for the schema of linchpin's records: tests that use it do not run in parallel.
// One that a test has ended is started again.
func Shared(t testing.TB) *Server {
	t.Helper()
	return SharedWith(t, Options{})
}

// SharedWith is Shared for a binary whose tests need other options, which are the same for all of them.
func SharedWith(t testing.TB, o Options) *Server {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.server == nil {
		shared.server = lend(t, o, false)
	}
	s := shared.server
	if s.PID() == 0 {
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s.Reuse(t)
	return s
}

// Fresh is Shared with another server, whose database has had no names of labels, types or properties so far. The tests
// that follow share it.
func Fresh(t testing.TB) *Server {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	returnShared(t)
	shared.server = lend(t, Options{}, true)
	return shared.server
}

// Borrow lends a server to one test that runs in parallel, which begins after all tests that share one: theirs is given
// back. It is empty but for the schema of linchpin's records.
func Borrow(t testing.TB, o Options) *Server {
	t.Helper()
	shared.mu.Lock()
	returnShared(t)
	shared.mu.Unlock()
	s := lend(t, o, false)
	closeAfter(t, s)
	s.Reuse(t)
	return s
}

func lend(t testing.TB, o Options, fresh bool) *Server {
	t.Helper()
	s, err := borrow(o, fresh)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func returnShared(t testing.TB) {
	t.Helper()
	if shared.server == nil {
		return
	}
	if err := shared.server.Close(); err != nil {
		t.Error(err)
	}
	shared.server = nil
}
