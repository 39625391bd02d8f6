// Package faultproxy is a TCP proxy in front of a Bolt server that does harm on demand: to the bytes, and to the
// messages that it reads along. Tests use it; nothing else does.
package faultproxy

import (
	"errors"
	"maps"
	"net"
	"sync"
)

// Proxy passes connections on to one server. It is safe for concurrent use.
type Proxy struct {
	listener net.Listener
	target   string
	wait     sync.WaitGroup

	mu     sync.Mutex
	links  map[*link]bool
	fault  *Fault // armed
	seen   int    // requests that the trigger has counted
	passed int64  // bytes, since the fault was armed or the last Heal
	fired  bool
	counts map[string]int
	routes func() RoutingTable
	commit func(step, run string)
}

// RoutingTable is what a cluster's server says about who does what: addresses, host:port.
type RoutingTable struct{ Writers, Readers, Routers []string }

// Start listens on a loopback port and passes connections on to target (host:port).
func Start(target string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, target: target, links: map[*link]bool{}, counts: map[string]int{}}
	p.wait.Add(1)
	go p.accept()
	return p, nil
}

// Address is where the proxy listens, host:port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Arm sets the next fault, in place of the one before.
func (p *Proxy) Arm(f Fault) {
	p.mu.Lock()
	p.fault, p.seen, p.passed, p.fired = &f, 0, 0, false
	now := f.At.Message == 0 && f.At.Bytes == 0
	links := p.all()
	if now {
		p.fired = true
	}
	p.mu.Unlock()
	if now {
		for _, l := range links {
			l.suffer(f)
		}
	}
}

// Fired says whether the fault that was armed last has happened.
func (p *Proxy) Fired() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fired
}

// Heal forgets the fault and cuts all connections; new ones pass.
func (p *Proxy) Heal() {
	p.mu.Lock()
	p.fault, p.counts, p.passed = nil, map[string]int{}, 0
	links := p.all()
	p.mu.Unlock()
	for _, l := range links {
		l.reset()
	}
}

// Counts returns how many requests of each step have passed since the last Heal.
func (p *Proxy) Counts() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.counts)
}

// Passed returns how many bytes have passed, in both directions, since the last Arm or Heal.
func (p *Proxy) Passed() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.passed
}

// Route answers requests for a routing table in the server's place; nil leaves them to the server.
func (p *Proxy) Route(table func() RoutingTable) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.routes = table
}

// OnCommit is told of every transaction that the server has committed, before the client is: the step and the run that
// its metadata name. Calls come one at a time.
func (p *Proxy) OnCommit(told func(step, run string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commit = told
}

func (p *Proxy) committed(step, run string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.commit != nil {
		p.commit(step, run)
	}
}

// Close ends all connections, and the listener.
func (p *Proxy) Close() {
	_ = p.listener.Close()
	p.Heal()
	p.wait.Wait()
}

// all lists the connections; the caller holds the mutex.
func (p *Proxy) all() []*link {
	out := make([]*link, 0, len(p.links))
	for l := range p.links {
		out = append(out, l)
	}
	return out
}

func (p *Proxy) accept() {
	defer p.wait.Done()
	for {
		client, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		} else if err != nil {
			continue
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = client.Close() // as a server that is not there
			continue
		}
		l := newLink(p, client.(*net.TCPConn), server.(*net.TCPConn))
		p.mu.Lock()
		p.links[l] = true
		var lasting *Fault
		if p.fault != nil && p.fired && p.fault.lasts() {
			lasting = p.fault
		}
		p.mu.Unlock()
		if lasting != nil {
			l.suffer(*lasting)
		}
		p.wait.Add(2)
		go l.requests()
		go l.answers()
	}
}

// request counts a request and returns the fault that it triggers, now or with its answer.
func (p *Proxy) request(step string) (now, later *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[step]++
	f := p.fault
	if f == nil || f.At.Step != "" && f.At.Step != step {
		return nil, nil
	}
	if p.fired {
		if f.Kind == Refuse && f.Lasting {
			return f, nil
		}
		return nil, nil
	}
	if p.seen++; f.At.Message == 0 || p.seen != f.At.Message {
		return nil, nil
	}
	if f.At.Answer && f.Kind != Refuse {
		return nil, f
	}
	return f, nil
}

// pass counts n bytes that are about to pass; it returns how many of them still do before a fault, if one falls there.
func (p *Proxy) pass(n int) (int, *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.fault
	before := p.passed
	p.passed += int64(n)
	if f == nil || p.fired || f.At.Bytes == 0 || p.passed < f.At.Bytes {
		return n, nil
	}
	return int(f.At.Bytes - before), f
}

// fire does the fault, to the link or to all of them.
func (p *Proxy) fire(l *link, f *Fault) {
	p.mu.Lock()
	if p.fired || p.fault != f {
		p.mu.Unlock()
		return
	}
	p.fired = true
	hurt := []*link{l}
	if f.lasts() {
		hurt = p.all()
	}
	p.mu.Unlock()
	for _, l := range hurt {
		l.suffer(*f)
	}
}

func (p *Proxy) remove(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

func (p *Proxy) table() (RoutingTable, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.routes == nil {
		return RoutingTable{}, false
	}
	return p.routes(), true
}
