package worker

import (
	"io"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// speaker writes events, a line each, and during an order a beat every second in between. Its first error is kept: then
// nobody listens.
type speaker struct {
	mu       sync.Mutex
	out      io.Writer
	err      error
	progress time.Time
	beats    bool
	stop     chan struct{}
}

// progressGap is the least time between two events of progress.
const progressGap = 100 * time.Millisecond

func newSpeaker(out io.Writer, beat time.Duration) *speaker {
	s := &speaker{out: out, stop: make(chan struct{})}
	go func() {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				s.beat()
			case <-s.stop:
				return
			}
		}
	}()
	return s
}

func (s *speaker) close() { close(s.stop) }

// beating says whether an order is at work.
func (s *speaker) beating(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beats = on
}

func (s *speaker) beat() {
	s.mu.Lock()
	on := s.beats
	s.mu.Unlock()
	if on {
		_ = s.say(protocol.Event{Event: protocol.EventBeat}) // the next real event meets the same error
	}
}

func (s *speaker) say(e protocol.Event) error {
	line, err := protocol.Encode(e)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		_, s.err = s.out.Write(line)
	}
	return s.err
}

// done reports progress, not too often.
func (s *speaker) done(done, total int) {
	if now := time.Now(); done == total || now.Sub(s.progress) >= progressGap {
		s.progress = now
		_ = s.say(protocol.Event{Event: protocol.EventProgress, Progress: &protocol.Progress{Done: done, Total: total}})
	}
}
