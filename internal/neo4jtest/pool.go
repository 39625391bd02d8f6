package neo4jtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"
)

// PoolVariable is the environment variable that names the socket of a Pool, which test binaries borrow their servers
// from. A binary that finds none has a pool of its own.
const PoolVariable = "LINCHPIN_TEST_SERVERS"

// mostIdle is how many servers a pool keeps that nobody uses.
const mostIdle = 2

// Pool lends servers to tests, one after another. A server's code is warm after its first borrower, which saves the
// others 15 s of processor time. The zero value is an empty pool.
type Pool struct {
	mu     sync.Mutex
	idle   []pooled // the one that was given back last is at the end
	lent   map[pooled]bool
	closed bool
}

// pooled is a server with the options that were asked for, as text.
type pooled struct {
	server  *Server
	options string
}

// request asks a pool for a server, in one line of JSON, and loan is its answer. The borrower then gives the server
// back, by the line 0 or by its own end, or has it ended by a signal, whose number is the line: its home is the
// borrower's from then on. A loan answers this line, too.
type request struct {
	Options Options
	New     bool // its database knows no names
}

type loan struct {
	Home      string
	Port, PID int
	Error     string
}

// Serve lends a server to the other end of the connection, until that gives it back or ends it.
func (p *Pool) Serve(c net.Conn) {
	defer c.Close()
	lines, answers := bufio.NewScanner(c), json.NewEncoder(c)
	var r request
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &r) != nil {
		return
	}
	s, err := p.take(r)
	if err != nil {
		_ = answers.Encode(loan{Error: err.Error()})
		return
	}
	_ = answers.Encode(loan{Home: s.server.home, Port: s.server.port, PID: s.server.PID()})
	var how syscall.Signal
	if lines.Scan() && json.Unmarshal(lines.Bytes(), &how) == nil && how != 0 {
		p.forget(s)
		err = s.server.end(how)
	} else {
		p.giveBack(s)
	}
	if err != nil {
		_ = answers.Encode(loan{Error: err.Error()})
		return
	}
	_ = answers.Encode(loan{})
}

// take finds an idle server, or starts one.
func (p *Pool) take(r request) (pooled, error) {
	s, err := p.warm(r)
	if err == nil && s.server == nil {
		s, err = start(r.Options)
	}
	if err != nil {
		return s, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return s, errors.Join(errors.New("neo4jtest: the pool is closed"), s.server.Close())
	}
	if p.lent == nil {
		p.lent = map[pooled]bool{}
	}
	p.lent[s] = true
	return s, nil
}

// warm takes an idle server that answers out of the pool; one without a server if there is none.
func (p *Pool) warm(r request) (pooled, error) {
	for !r.New {
		s := p.find(text(r.Options))
		if s.server == nil || handshake(s.server.port) == nil {
			return s, nil
		}
		if err := s.server.Close(); err != nil { // its last borrower has left it paused or broken
			return pooled{}, err
		}
	}
	return pooled{}, nil
}

func start(o Options) (pooled, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	options := text(o)
	o.ofPool = true
	s, err := Start(ctx, o)
	return pooled{s, options}, err
}

func text(o Options) string {
	b, _ := json.Marshal(o) // plain values
	return string(b)
}

// find takes the idle server with these options out of the pool that was used last.
func (p *Pool) find(options string) pooled {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range slices.Backward(p.idle) {
		if s.options == options {
			p.idle = slices.Delete(p.idle, i, i+1)
			return s
		}
	}
	return pooled{}
}

// forget leaves a server to its borrower.
func (p *Pool) forget(s pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.lent, s)
}

// giveBack keeps a server for its next borrower. Of too many, the one that was idle for the longest ends.
func (p *Pool) giveBack(s pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	delete(p.lent, s)
	p.idle = append(p.idle, s)
	if len(p.idle) > mostIdle {
		_ = p.idle[0].server.Close()
		p.idle = p.idle[1:]
	}
}

// Close ends the servers, those that are lent as well, and lends no more.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var all error
	for _, s := range append(slices.Collect(maps.Keys(p.lent)), p.idle...) {
		all = errors.Join(all, s.server.Close())
	}
	return all
}
