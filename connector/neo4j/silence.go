package neo4j

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The server ends a transaction that takes longer than Options.Timeout. An answer that is not complete by then, and a
// little later, does not come: the connection has broken without notice, or it crawls.
//
// While the server works on a long query it sends signs of life, unless its keep-alive is off, and tells the driver for
// how long a connection may be without one. The driver gives a silent connection up after that time.

// monitoring is how much later than a transaction's timeout the server's message about it may come. A server looks for
// transactions over their timeout every two seconds; a busy one takes longer.
const monitoring = 10 * time.Second

// silence is the error of a connection that was given up because no answer came. It counts as a lost connection.
type silence struct {
	msg, hint string
	err       error // the driver's
}

func (s *silence) Error() string { return s.msg }
func (s *silence) Unwrap() error { return s.err }

// within does a part of a transaction, such as its commit. It gives the part up when the answer is not complete in
// time.
func (db *DB) within(ctx context.Context, limit time.Duration, part func(context.Context) error) error {
	inner, cancel := context.WithTimeout(ctx, limit+monitoring)
	defer cancel()
	begun := time.Now()
	err := part(inner)
	if err == nil || ctx.Err() != nil {
		return err
	}
	switch silent := keepAlive(err); {
	case inner.Err() != nil:
		return &silence{fmt.Sprintf("%s completed no answer within %s", db.options.URI, limit),
			"check the network to the server; raise neo4j.timeout if the link is slow", err}
	case silent > 0 && time.Since(begun) >= silent:
		return &silence{fmt.Sprintf("%s sent nothing for %s", db.options.URI, silent),
			"check the network to the server; it sets this limit itself (server.bolt.connection_keep_alive)", err}
	case strings.Contains(err.Error(), "Timeout while "): // of opening a connection
		return &silence{fmt.Sprintf("%s opened no connection within %s", db.options.URI, db.options.hearing()),
			"check the network to the server; raise neo4j.retry if the link is slow", err}
	}
	return err
}

// keepAlive returns for how long a connection may be without a sign of life, if the driver's error is about waiting for
// one, or 0. The driver keeps the type of this error to itself, and returns it at the end of other times as well.
func keepAlive(err error) time.Duration {
	_, text, _ := strings.Cut(err.Error(), "Timeout while reading from connection [server-side timeout hint: ")
	text, _, _ = strings.Cut(text, ",")
	limit, _ := time.ParseDuration(text) // 0 of another error's text
	return limit
}

func silenceOf(err error) *silence {
	var s *silence
	errors.As(err, &s)
	return s
}
