package fleet_test

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// link is a network between a node and the coordinator, which can be cut: connections end, or stand still until it
// heals.
type link struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	ended bool          // connections are refused
	still chan struct{} // closed when bytes may go on
	conns map[net.Conn]bool
}

func newLink(t *testing.T, to string) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &link{listener: l, to: to, still: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(k.still)
	go k.serve()
	t.Cleanup(func() {
		l.Close()
		k.heal()
		k.end()
	})
	return k
}

func (k *link) address() string { return k.listener.Addr().String() }

func (k *link) serve() {
	for {
		from, err := k.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.DialTimeout("tcp", k.to, time.Second)
		if err != nil || !k.keep(from, to) {
			from.Close()
			if err == nil {
				to.Close()
			}
			continue
		}
		go k.pass(from, to)
		go k.pass(to, from)
	}
}

func (k *link) keep(conns ...net.Conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range conns {
		k.conns[c] = !k.ended
	}
	return !k.ended
}

func (k *link) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		k.mu.Lock()
		still := k.still
		k.mu.Unlock()
		<-still
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
		if err == io.EOF {
			return
		}
	}
}

// end ends all connections, and refuses others until the link heals.
func (k *link) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended = true
	for c := range k.conns {
		c.Close()
	}
	clear(k.conns)
}

// stand makes bytes wait until the link heals.
func (k *link) stand() {
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-k.still:
		k.still = make(chan struct{})
	default: // they wait already
	}
}

func (k *link) heal() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended = false
	select {
	case <-k.still:
	default:
		close(k.still)
	}
}
