package engine

import "context"

// Session is an engine whose workers stay for the next task, one at each device, so that CUDA starts once. A worker
// that failed is not used again. Close ends them.
type Session struct {
	Engine
	machine *machine
}

// NewSession returns a session that starts the worker program that client.Find finds with its first task.
func NewSession() *Session { return newSession(newMachine(0)) }

func newSession(m *machine) *Session {
	m.client.Stay()
	return &Session{Engine{device: m}, m}
}

// Warm starts a worker at each device of a policy, or finds out why one cannot be used.
func (s *Session) Warm(ctx context.Context, p Policy) error {
	found, err := s.machine.devices(ctx)
	if err != nil {
		return err
	}
	m, err := s.machine.gather(ctx, Task{Device: p, Shards: len(found)})
	if err != nil {
		return err
	}
	defer m.part()
	if len(m.seats) == 1 { // others have met
		_, err = m.seats[0].open(ctx)
	}
	return err
}

// Rest ends the workers, and with it what it holds of the device, without waiting for that. The next task starts
// another, which stays again, and waits.
func (s *Session) Rest() { s.machine.client.Rest() }

// Close ends the worker, without waiting for that. It may be called more than once.
func (s *Session) Close() { s.machine.client.Close() }
