package faultproxy

import (
	"bufio"
	"io"
	"net"
	"sync"
	"time"
)

// link is one connection on its way through the proxy.
type link struct {
	p              *Proxy
	client, server *net.TCPConn

	toClient sync.Mutex // held while a message is written
	once     sync.Once
	ended    chan struct{} // closed once both sides are

	mu      sync.Mutex
	harm    Fault // what the link suffers; its Kind is "" while nothing
	due     []reply
	step    string
	run     string
	refused bool // requests are ignored until the client resets
}

// reply is an answer that the client waits for: the server's, or one that the proxy gives.
type reply struct {
	own       []byte
	fault     *Fault // happens when it comes
	commit    bool
	step, run string
}

func newLink(p *Proxy, client, server *net.TCPConn) *link {
	return &link{p: p, client: client, server: server, ended: make(chan struct{})}
}

// suffer begins a fault.
func (l *link) suffer(f Fault) {
	switch f.Kind {
	case Refuse:
		return // it is done to requests
	case Close:
		l.end()
		return
	case Reset:
		l.reset()
		return
	case HalfClose:
		_ = l.client.CloseWrite()
	}
	l.mu.Lock()
	l.harm = f
	l.mu.Unlock()
}

func (l *link) end() {
	l.once.Do(func() { close(l.ended) })
	_ = l.client.Close()
	_ = l.server.Close()
}

func (l *link) reset() {
	_ = l.client.SetLinger(0)
	_ = l.server.SetLinger(0)
	l.end()
}

// requests passes on what the client sends.
func (l *link) requests() {
	defer l.p.wait.Done()
	defer l.p.remove(l)
	r := bufio.NewReader(l.client)
	if l.greet(r) == nil {
		for {
			m, err := readMessage(r)
			if err != nil || l.request(m) != nil {
				break
			}
		}
	}
	l.leave()
}

// leave ends the link when the client has gone, unless the network would not tell the server so.
func (l *link) leave() {
	if l.silent() {
		<-l.ended
	}
	l.end()
}

// silent says whether neither side learns of the other's end.
func (l *link) silent() bool {
	f := l.suffering()
	return f.Kind == Drop || f.Kind == Stall && f.For == 0
}

func (l *link) suffering() Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.harm
}

// greet passes on the versions that the client proposes, but for the manifest of versions, which the proxy does not
// read.
func (l *link) greet(r io.Reader) error {
	hello := make([]byte, 20)
	if _, err := io.ReadFull(r, hello); err != nil {
		return err
	}
	if [4]byte(hello[4:8]) == [4]byte{0, 0, 1, 0xFF} {
		clear(hello[4:8])
	}
	return l.forward(l.server, hello)
}

// request passes one message of the client on, or answers it.
func (l *link) request(m message) error {
	if m.tag() < 0 {
		return l.forward(l.server, m.raw)
	}
	l.mu.Lock()
	l.step = m.step(l.step)
	if m.tag() == tagBegin {
		l.run = m.metadata("run")
	}
	if m.tag() == tagReset {
		l.refused = false
	}
	refused, step, run := l.refused, l.step, l.run
	l.mu.Unlock()
	if refused {
		return l.reply(reply{own: ignored()})
	}
	if table, ok := l.p.table(); ok && m.tag() == tagRoute {
		return l.reply(reply{own: table.answer()})
	}
	now, later := l.p.request(step)
	if now != nil && now.Kind == Refuse && m.tag() != tagReset {
		l.mu.Lock()
		l.refused = true
		l.mu.Unlock()
		l.p.fire(l, now)
		return l.reply(reply{own: failure(now.Code, now.Text)})
	}
	if now != nil {
		if now.Kind == Close { // in the middle of the message
			if err := l.forward(l.server, m.raw[:len(m.raw)/2]); err != nil {
				return err
			}
		}
		l.p.fire(l, now)
	}
	if err := l.reply(reply{fault: later, commit: m.tag() == tagCommit, step: step, run: run}); err != nil {
		return err
	}
	return l.forward(l.server, m.raw)
}

// reply enters an answer that the client waits for, and gives those that are the proxy's and next.
func (l *link) reply(r reply) error {
	l.mu.Lock()
	l.due = append(l.due, r)
	l.mu.Unlock()
	return l.own()
}

// own gives the proxy's answers that are next.
func (l *link) own() error {
	l.toClient.Lock()
	defer l.toClient.Unlock()
	for {
		l.mu.Lock()
		if len(l.due) == 0 || l.due[0].own == nil {
			l.mu.Unlock()
			return nil
		}
		text := l.due[0].own
		l.due = l.due[1:]
		l.mu.Unlock()
		if err := l.forward(l.client, text); err != nil {
			return err
		}
	}
}

// answers passes on what the server sends.
func (l *link) answers() {
	defer l.p.wait.Done()
	r := bufio.NewReader(l.server)
	version := make([]byte, 4)
	if _, err := io.ReadFull(r, version); err == nil && l.forward(l.client, version) == nil {
		for {
			m, err := readMessage(r)
			if err != nil || l.answer(m) != nil {
				break
			}
		}
	}
	if l.silent() {
		<-l.ended
	}
	l.end()
}

// answer passes one message of the server on.
func (l *link) answer(m message) error {
	l.toClient.Lock()
	l.mu.Lock()
	var to reply
	if m.tag() >= 0 && len(l.due) > 0 {
		to = l.due[0]
		l.due[0].fault = nil
		if m.tag() != tagRecord { // the last of this request
			l.due = l.due[1:]
		}
	}
	fault := to.fault
	l.mu.Unlock()
	if to.commit && m.tag() == tagDone {
		l.p.committed(to.step, to.run)
	}
	err := l.give(m, fault)
	l.toClient.Unlock()
	if err != nil {
		return err
	}
	return l.own()
}

func (l *link) give(m message, fault *Fault) error {
	if fault != nil {
		if fault.Kind == Close {
			if err := l.forward(l.client, m.raw[:len(m.raw)/2]); err != nil {
				return err
			}
		}
		l.p.fire(l, fault)
	}
	return l.forward(l.client, m.raw)
}

// forward writes to one side as the link's fault has it.
func (l *link) forward(to *net.TCPConn, text []byte) error {
	n, fault := l.p.pass(len(text))
	if fault != nil {
		if err := l.write(to, text[:n]); err != nil {
			return err
		}
		text = text[n:]
		l.p.fire(l, fault)
	}
	return l.write(to, text)
}

func (l *link) write(to *net.TCPConn, text []byte) error {
	f := l.suffering()
	switch {
	case f.Kind == Drop, f.Kind == HalfClose && to == l.client:
		return nil
	case f.Kind == Stall && f.For == 0:
		<-l.ended
		return net.ErrClosed
	case f.Kind == Stall:
		time.Sleep(f.For)
		l.mu.Lock()
		l.harm = Fault{}
		l.mu.Unlock()
	case f.Kind == Latency:
		time.Sleep(f.For)
	case f.Kind == Trickle:
		return l.trickle(to, text, f.For)
	}
	_, err := to.Write(text)
	return err
}

// trickle writes one byte at a time and waits after each.
func (l *link) trickle(to *net.TCPConn, text []byte, wait time.Duration) error {
	for i := range text {
		if _, err := to.Write(text[i : i+1]); err != nil {
			return err
		}
		select {
		case <-time.After(wait):
		case <-l.ended:
			return net.ErrClosed
		}
	}
	return nil
}

// answer is the table as the answer to a ROUTE.
func (t RoutingTable) answer() []byte {
	server := func(role string, addresses []string) any {
		all := make([]any, len(addresses))
		for i, a := range addresses {
			all[i] = a
		}
		return map[string]any{"role": role, "addresses": all}
	}
	return success(map[string]any{"rt": map[string]any{"ttl": 300, "db": "neo4j", "servers": []any{
		server("WRITE", t.Writers), server("READ", t.Readers), server("ROUTE", t.Routers)}}})
}
