package simulate

import (
	"container/heap"
	"math/rand/v2"

	"github.com/linchpin-graph/linchpin/engine/queue"
)

// simulation is a run under way.
type simulation struct {
	run    Run
	each   []float64
	queue  *queue.Queue
	random *rand.Rand
	takers []taker

	now    float64
	number int // of events
	events events
	ended  bool

	// free is when the coordinator has done all requests so far, sent when it has sent all graphs, joined when it has
	// joined all results.
	free, sent, joined float64
	idle               []*taker // in the order in which they were told that there is nothing
	out                Result
}

// taker is one with what it does.
type taker struct {
	is   Taker
	name string
	// life counts its deaths: what was begun before one has no end.
	life   int
	ticket queue.Ticket
	since  float64 // when it began what it does now
	asleep bool
}

// event is something that happens at a time. Those of one time happen in the order in which they were planned.
type event struct {
	at     float64
	number int
	do     func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push and Pop are for container/heap.
func (e *events) Push(x any) { *e = append(*e, x.(event)) }

// Pop removes the last event.
func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}

// after has something happen so many seconds from now.
func (s *simulation) after(seconds float64, do func()) { s.at(s.now+seconds, do) }

func (s *simulation) at(time float64, do func()) {
	s.number++
	heap.Push(&s.events, event{time, s.number, do})
}

// next does what happens next.
func (s *simulation) next() {
	e := heap.Pop(&s.events).(event)
	s.now = e.at
	e.do()
}

// alive has something happen to a taker, unless it dies before.
func (s *simulation) alive(t *taker, seconds float64, do func()) {
	life := t.life
	s.after(seconds, func() {
		if t.life == life {
			do()
		}
	})
}

// request has the coordinator do something for a taker when it has done all that it was asked for before.
func (s *simulation) request(t *taker, do func()) {
	s.free = max(s.free, s.now) + s.run.Coordinator.Request
	s.out.Requests++
	s.out.Busy += s.run.Coordinator.Request
	began := s.now
	s.alive(t, s.free-s.now, func() {
		s.out.Waits += s.now - began
		do()
	})
}
