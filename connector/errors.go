package connector

import "errors"

// ErrMayNotWrite is in the chain of an error whose cause is that the user or the database may only be read.
var ErrMayNotWrite = errors.New("may not write")

// Kind says what went wrong, as far as a caller has to tell cases apart.
type Kind int

// The kinds of error that a connector reports.
const (
	// BadData: a weight, a value or a file that cannot be used.
	BadData Kind = iota + 1
	// UnknownName: a label, type or property that the source does not have.
	UnknownName
	// Empty: nothing was selected.
	Empty
	// NotOurs: a score property exists already and no job of ours owns it, or a constraint rules its scores out.
	NotOurs
	// Unreachable: no connection, or the server refused us.
	Unreachable
	// Lost: the connection broke and retries did not help.
	Lost
	// Locked: another process runs the job.
	Locked
	// TooLarge: it would not fit into memory.
	TooLarge
	// BadQuery: a query of the user's cannot run, or returns something else than it must.
	BadQuery
	// NoWayBack: no scores of an earlier run are kept.
	NoWayBack
	// Busy: a reader still needs what would be overwritten.
	Busy
	// Changed: the database changed while it was read, and the caller wanted to know.
	Changed
)

// Error is an error with its kind and, where there is one, a hint at what to do.
type Error struct {
	Kind Kind
	Msg  string
	Hint string
	Err  error
}

func (e *Error) Error() string {
	s := e.Msg
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first Error in err's chain, or 0.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}

// HintOf returns the hint of the first Error in err's chain, or "".
func HintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}
