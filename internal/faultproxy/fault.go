package faultproxy

import "time"

// Kind is what is done to a connection.
type Kind string

// The kinds of fault.
const (
	// Close ends the connection in good order, to both sides, in the middle of a message where there is one.
	Close Kind = "close"
	// HalfClose ends the answers: the client reads the end of the stream, the server still gets what is sent.
	HalfClose Kind = "half-close"
	// Reset ends the connection with a TCP reset to both sides.
	Reset Kind = "reset"
	// Stall passes nothing on, and reads nothing, for Fault.For; for ever when that is 0.
	Stall Kind = "stall"
	// Drop reads everything and passes nothing on.
	Drop Kind = "drop"
	// Trickle passes on one byte at a time, and waits for Fault.For after each.
	Trickle Kind = "trickle"
	// Latency holds every message for Fault.For.
	Latency Kind = "latency"
	// Refuse answers a request with Fault.Code and Fault.Text instead of passing it on.
	Refuse Kind = "refuse"
)

// Fault is what to do, and when.
type Fault struct {
	Kind Kind
	At   Trigger
	// Lasting does it to every connection from the trigger on, those to come included, until Heal; otherwise only the
	// connection that the trigger was met on suffers. Trickle and Latency always last.
	Lasting bool
	For     time.Duration
	// Code and Text of the answer of Refuse. They are an answer that this proxy makes up.
	Code, Text string
}

// Trigger says when. Without Message and Bytes it is met at once, on every connection.
type Trigger struct {
	// Message counts requests, from 1.
	Message int
	// Step counts only the requests of transactions whose metadata name this step, or of opening connections
	// ("connect"); "" counts all.
	Step string
	// Answer waits for the server's answer to that request: the server has done what it was asked, and the client does
	// not learn so.
	Answer bool
	// Bytes counts what is passed on in both directions, and cuts a message in two.
	Bytes int64
}

func (f Fault) lasts() bool { return f.Lasting || f.Kind == Trickle || f.Kind == Latency }
