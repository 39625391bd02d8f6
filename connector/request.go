package connector

import "time"

// RequestLease is how long requests stay with a service that gives no sign of life; it gives one at a third of that.
// Shorter ones would disturb exports: a server that counts commits takes each for a change of the graph.
const RequestLease = 5 * time.Minute

// Request is what a node (:LinchpinRequest) asks for. Its properties are whatever somebody has put there, so nothing is
// sure of their types. Texts are cut to a few hundred bytes.
type Request struct {
	// Job is the job's name, or another value as text; JobIsText reports which.
	Job       string
	JobIsText bool
	// Recompute and IgnoreLimits are options of the run.
	Recompute, IgnoreLimits Flag
	// ByIsText reports that the property by, who asks, is missing or a text.
	ByIsText bool
	// Unknown are names of properties that no request has, three at most.
	Unknown []string
}

// Flag is a property that should be true or false.
type Flag int

// The values of a flag.
const (
	Unset Flag = iota
	False
	True
	NoFlag // another type
)

// Requests are what is asked for in a database, in short.
type Requests struct {
	// New reports that some have not been taken yet.
	New bool
	// Taken are those that a service has taken and not answered, up to a thousand.
	Taken []TakenBy
}

// TakenBy names requests that a service took together for one job. Service is "" for a node whose properties somebody
// has made up.
type TakenBy struct{ Service, Request string }

// Taken are requests of one job that a service has taken together. One run serves them all.
type Taken struct {
	// Request is the id that they have in common.
	Request string
	Job     string
	Count   int64
	// Recompute and IgnoreLimits are set when one of them says so.
	Recompute, IgnoreLimits bool
	// By are those who ask, four at most.
	By []string
}

// RequestState is what a service says of a request.
type RequestState string

// A request waits until its run has read the graph and holds the lock.
const (
	RequestWaiting   RequestState = "waiting"
	RequestRunning   RequestState = "running"
	RequestSucceeded RequestState = "succeeded"
	RequestFailed    RequestState = "failed"
	RequestRefused   RequestState = "refused"
)

// Answered reports whether this is the last that the service says.
func (s RequestState) Answered() bool { return s != RequestWaiting && s != RequestRunning }

// Reply is what a service says of requests that it took together.
type Reply struct {
	Request string
	State   RequestState
	// Run serves them. Error says why it did not end well, Note what else there is to say.
	Run, Error, Note string
}
