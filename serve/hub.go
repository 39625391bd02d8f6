package serve

import (
	"sync"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// hub keeps the newest event of every run under way and the last record of every job, and passes events on to those who
// listen. A listener that does not keep up is cut off; it may come back.
type hub struct {
	mu        sync.Mutex
	live      map[string]jobs.Event // by job: the newest step or progress
	last      map[string]connector.Run
	best      map[string]connector.Run // by job: the last run that wrote scores
	read      map[string]bool          // jobs whose records from before this process were read
	listeners map[*listener]struct{}
}

type listener struct {
	events chan jobs.Event
}

// mostBehind is the number of events that a listener may be behind.
const mostBehind = 256

// mostListeners bounds what open pages cost.
const mostListeners = 100

func newHub() *hub {
	return &hub{live: map[string]jobs.Event{}, last: map[string]connector.Run{}, best: map[string]connector.Run{},
		read: map[string]bool{}, listeners: map[*listener]struct{}{}}
}

func (h *hub) publish(e jobs.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch e.Kind {
	case jobs.Started, jobs.Stepped, jobs.Advanced:
		h.live[e.Job] = e
	case jobs.Ended:
		delete(h.live, e.Job)
		h.last[e.Job] = *e.Record
		if e.Record.Status == connector.Succeeded && len(e.Record.Scores) > 0 {
			h.best[e.Job] = *e.Record
		}
	case jobs.WasSkipped, jobs.WasMissed:
		if h.live[e.Job].Run == e.Run {
			delete(h.live, e.Job)
		}
		if last, known := h.last[e.Job]; !known || didNotRun(last) {
			h.last[e.Job] = *e.Record
		}
	}
	for l := range h.listeners {
		select {
		case l.events <- e:
		default:
			h.drop(l)
		}
	}
}

// didNotRun reports whether the record is of due times without a run. It counts as the last run only of a job that
// never ran.
func didNotRun(r connector.Run) bool {
	return r.Status == connector.Skipped || r.Status == connector.Missed
}

func (h *hub) remember(r connector.Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.last[r.Job]; !known {
		h.last[r.Job] = r
	}
}

// rememberScores keeps the record of the last run that wrote scores, from before this process.
func (h *hub) rememberScores(r connector.Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.best[r.Job]; !known {
		h.best[r.Job] = r
	}
}

// wasRead notes that the job's records from before this process are known, if there are any.
func (h *hub) wasRead(job string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.read[job] = true
}

// knows reports whether the job's records from before this process were read.
func (h *hub) knows(job string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.read[job]
}

// scored returns the job's last run that wrote scores, or nil.
func (h *hub) scored(job string) *connector.Run {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, ok := h.best[job]; ok {
		return &r
	}
	return nil
}

// of returns the newest event of the job's run under way, and the job's last run, where there are any.
func (h *hub) of(job string) (live *jobs.Event, last *connector.Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e, ok := h.live[job]; ok {
		live = &e
	}
	if r, ok := h.last[job]; ok {
		last = &r
	}
	return live, last
}

// listen returns a listener, or nil when there are too many.
func (h *hub) listen() *listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.listeners) >= mostListeners {
		return nil
	}
	l := &listener{events: make(chan jobs.Event, mostBehind)}
	h.listeners[l] = struct{}{}
	return l
}

func (h *hub) leave(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(l)
}

func (h *hub) drop(l *listener) {
	if _, there := h.listeners[l]; there {
		delete(h.listeners, l)
		close(l.events)
	}
}

// close ends all listeners.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		h.drop(l)
	}
}
