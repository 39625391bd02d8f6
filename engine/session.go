package engine

import "github.com/linchpin-graph/linchpin/engine/client"

// Session is an engine whose worker stays for the next task, so that CUDA starts once. A worker that failed is not used
// again. Close ends it.
type Session struct {
	Engine
	client *client.Client
}

// NewSession returns a session that starts the worker program that client.Find finds with its first task.
func NewSession() *Session { return newSession(newMachine(0)) }

func newSession(m *machine) *Session {
	m.client.Stay()
	return &Session{Engine{device: m}, m.client}
}

// Rest ends the worker, and with it what it holds of the device, without waiting for that. The next task starts another,
// which stays again, and waits.
func (s *Session) Rest() { s.client.Rest() }

// Close ends the worker, without waiting for that. It may be called more than once.
func (s *Session) Close() { s.client.Close() }
