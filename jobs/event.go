package jobs

import (
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Trigger says what asked for a run.
type Trigger string

// The triggers of a service. A run from the command line has none.
const (
	BySchedule Trigger = "schedule"
	ByMisfire  Trigger = "misfire" // was due while the service was down
	ByJob      Trigger = "after"   // another job ended well
	ByChange   Trigger = "changed" // the graph did
	ByRequest  Trigger = "request" // somebody asked
	ByCypher   Trigger = "cypher"  // somebody asked by a node of the database
	AtStart    Trigger = "start"   // serve --recompute
)

// asked reports whether somebody asked for the run.
func (t Trigger) asked() bool { return t == ByRequest || t == ByCypher || t == AtStart }

// EventKind says what an Event tells.
type EventKind string

// The kinds of event, in the order of a run's life. WasSkipped and WasMissed come alone; Clock belongs to no job.
const (
	Queued     EventKind = "queued"   // waits for the run before it
	Started    EventKind = "started"  // has a place among those that run
	Stepped    EventKind = "step"     // begins a step
	Advanced   EventKind = "progress" // some of the step is done
	StepDone   EventKind = "stepDone" // the step's summary is in Text
	Noted      EventKind = "note"
	Warned     EventKind = "warning"  // one of the run's warnings
	Retrying   EventKind = "retrying" // failed, and will be tried again
	Ended      EventKind = "ended"    // Record says how
	Idle       EventKind = "idle"     // nothing of the job is under way any more
	WasSkipped EventKind = "skipped"
	WasMissed  EventKind = "missed"
	Clock      EventKind = "clock" // the wall clock jumped
)

// Event is something that happened to a job.
type Event struct {
	Kind    EventKind `json:"kind"`
	Time    time.Time `json:"time"`
	Job     string    `json:"job,omitempty"`
	Run     string    `json:"run,omitempty"`
	Trigger Trigger   `json:"trigger,omitempty"`
	Step    Step      `json:"step,omitempty"`
	// Done of Expected (0: not known) in Unit.
	Done     int64  `json:"done,omitempty"`
	Expected int64  `json:"expected,omitempty"`
	Unit     string `json:"unit,omitempty"`
	// Rate is how much is done per second, and Left the seconds that the step will still take; 0 while not known.
	Rate float64 `json:"rate,omitempty"`
	Left float64 `json:"left,omitempty"`
	Text string  `json:"text,omitempty"`
	// Lag is how late a scheduled run was dispatched; Waited how long it stood in line for a place.
	Lag    time.Duration `json:"-"`
	Waited time.Duration `json:"-"`
	// Record is the run's, on Ended, WasSkipped and WasMissed.
	Record *connector.Run `json:"record,omitempty"`
	// Failure says why a run did not end well, or was not begun though it was asked for, and Hint what to do.
	Failure Failure `json:"failure,omitempty"`
	Hint    string  `json:"hint,omitempty"`
}
