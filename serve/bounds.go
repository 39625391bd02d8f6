package serve

import (
	"container/list"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// What strangers may cost: a service that anybody can reach answers with these many connections and answers at a time,
// however slowly clients read.
const (
	mostConnections = 256
	mostAnswers     = 64
	// mostLookups is the number of requests that read records of runs at the same time, and runsAtOnce the number of
	// records that a long answer reads at once.
	mostLookups = 4
	runsAtOnce  = 10
	// answerTime is how long a client may take to receive an answer, or each part of a long one.
	answerTime = 30 * time.Second
	// eventTime is how long a client may take to receive one event.
	eventTime = 10 * time.Second
	// kernelBuffer is what the kernel may hold of the answers on one connection, by default up to some megabytes.
	kernelBuffer = 128 << 10
)

// bounded holds a number of places. When they are all taken, a newcomer takes that of the holder that has been quiet
// for longest: whoever holds a place without using it keeps nobody out.
type bounded struct {
	most int

	mu      sync.Mutex
	holders list.List // of func(), those that have been quiet for longest in front
}

// slot is one of these places.
type slot struct {
	of     *bounded
	holder *list.Element
}

// enter takes a place. It calls lose, at most once, when a newcomer takes the place; lose must not call b.
func (b *bounded) enter(lose func()) slot {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.holders.Len() >= b.most {
		b.holders.Remove(b.holders.Front()).(func())()
	}
	return slot{b, b.holders.PushBack(lose)}
}

// use notes that the place is in use.
func (s slot) use() {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.holders.MoveToBack(s.holder)
}

// leave gives the place back; lose is not called after it.
func (s slot) leave() {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.holders.Remove(s.holder)
}

// boundedListener accepts every connection, and ends the one that has been quiet for longest when there are too many.
type boundedListener struct {
	net.Listener
	places *bounded
}

func (l *boundedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	conn := accepted.(*net.TCPConn)
	_ = conn.SetWriteBuffer(kernelBuffer)
	c := &boundedConn{TCPConn: conn}
	c.slot = l.places.enter(func() {
		c.discard()
		_ = conn.Close()
	})
	return c, nil
}

// boundedConn has a place among the connections.
type boundedConn struct {
	*net.TCPConn
	slot slot
	// exempt is done once the client has shown the token of a node: its connection has no place any more.
	exempt sync.Once
}

func (c *boundedConn) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	if n > 0 {
		c.slot.use()
	}
	return n, err
}

func (c *boundedConn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	if n > 0 {
		c.slot.use()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.discard()
	}
	return n, err
}

// discard makes Close drop what the client has not received. Otherwise the kernel would keep it for minutes.
func (c *boundedConn) discard() { _ = c.SetLinger(0) }

func (c *boundedConn) Close() error {
	c.release()
	return c.TCPConn.Close()
}

// release gives the place of the connection back.
func (c *boundedConn) release() { c.exempt.Do(c.slot.leave) }

// bound gives each request a place among the answers that are being given. A request that loses it is cut off.
func (b *bounded) bound(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		control := http.NewResponseController(w)
		s := b.enter(func() {
			cancel() // first: see listAnswer.add
			_ = control.SetReadDeadline(time.Now())
			_ = control.SetWriteDeadline(time.Now())
		})
		defer s.leave()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
