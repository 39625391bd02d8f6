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

// PoolVariable is the environment variable that names the socket of a Pool, which test binaries borrow their servers from.
// A binary that finds none has a pool of its own.
const PoolVariable = "LINCHPIN_TEST_SERVERS"

// mostIdle is how many servers a pool keeps that nobody uses.
const mostIdle = 2

// Pool lends servers to tests, one after another. A server's code is warm after its first borrower, which saves the
// others 15 s of processor time. The zero value is an empty pool.
type Pool struct {
	mu   sync.Mutex
	idle []pooled // the one that was given back last is at the end
}

// pooled is a server with the options that were asked for, as text.
type pooled struct {
	*Server
	options string
}

// request asks a pool for a server, in one line of JSON, and loan is its answer. The borrower then gives the server back,
// by closing the connection, or has it ended by a signal, by a line with its number. From then on its home is the borrower's.
type request struct {
	Options Options
	New     bool // its database knows no names
}

type loan struct {
	Home      string
	Port, PID int
	Error     string
}

// Serve lends a server to the other end of the connection, until that closes it.
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
	_ = answers.Encode(loan{Home: s.home, Port: s.port, PID: s.PID()})
	if !lines.Scan() {
		p.giveBack(s)
		return
	}
	var how syscall.Signal
	err = json.Unmarshal(lines.Bytes(), &how)
	if err = errors.Join(err, s.end(how)); err != nil {
		_ = answers.Encode(loan{Error: err.Error()})
		return
	}
	_ = answers.Encode(loan{})
}

// take finds an idle server, or starts one.
func (p *Pool) take(r request) (pooled, error) {
	text, err := json.Marshal(r.Options)
	if err != nil {
		return pooled{}, err
	}
	for !r.New {
		s, ok := p.find(string(text))
		if !ok {
			break
		}
		if handshake(s.port) == nil {
			return s, nil
		}
		if err := s.Close(); err != nil { // its last borrower has left it paused or broken
			return pooled{}, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	o := r.Options
	o.Conf = maps.Clone(ofTests)
	maps.Copy(o.Conf, r.Options.Conf)
	s, err := Start(ctx, o)
	return pooled{s, string(text)}, err
}

// find takes an idle server out of the pool.
func (p *Pool) find(options string) (pooled, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range slices.Backward(p.idle) {
		if s.options == options {
			p.idle = slices.Delete(p.idle, i, i+1)
			return s, true
		}
	}
	return pooled{}, false
}

// giveBack keeps a server for its next borrower. Of too many, the one that was idle for the longest ends.
func (p *Pool) giveBack(s pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, s)
	if len(p.idle) > mostIdle {
		_ = p.idle[0].Close()
		p.idle = p.idle[1:]
	}
}

// Close ends the idle servers.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all error
	for _, s := range p.idle {
		all = errors.Join(all, s.Close())
	}
	p.idle = nil
	return all
}
