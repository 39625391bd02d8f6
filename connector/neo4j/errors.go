package neo4j

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
)

// refusal is how a status code of the server is told to the user.
type refusal struct {
	code string // or the start of it
	kind connector.Kind
	msg  string
	hint string
}

const readOnlyHint = "scores cannot be written: see server.databases.read_only and " +
	"server.databases.default_to_read_only"

// refusals lists what the server says and what it means for us; the first that fits counts.
func refusals() []refusal {
	return []refusal{
		{"Neo.ClientError.Security.Unauthorized", connector.Unreachable, "the server refused the username or the password",
			"check neo4j.username and the password (neo4j.passwordFile or LINCHPIN_NEO4J_PASSWORD)"},
		{"Neo.ClientError.Security.AuthenticationRateLimit", connector.Unreachable,
			"the server refuses to log in after too many wrong passwords",
			"correct the password, wait a few seconds, try again"},
		{"Neo.ClientError.Security.CredentialsExpired", connector.Unreachable, "the password has expired and must be changed",
			"log in with cypher-shell or Neo4j Browser and change it"},
		{"Neo.ClientError.Security.Forbidden", connector.Unreachable, "the user may not do this",
			"the role of the user needs to read the graph and to set the score properties"},
		{"Neo.ClientError.Security", connector.Unreachable, "the server refused us", ""},
		{"Neo.ClientError.Database.DatabaseNotFound", connector.UnknownName, "no such database", "SHOW DATABASES lists them"},
		{"Neo.TransientError.Database.DatabaseUnavailable", connector.Unreachable, "the database is not available",
			"is it online? SHOW DATABASES tells"},
		{"Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", connector.Unreachable, "the database is read-only",
			readOnlyHint},
		{"Neo.ClientError.General.WriteOnReadOnlyAccessDatabase", connector.Unreachable, "the database is read-only",
			readOnlyHint},
		{"Neo.ClientError.Cluster.NotALeader", connector.Unreachable, "this server of the cluster cannot write",
			"use the scheme neo4j:// (or neo4j+s://), which finds the server that can"},
		{"Neo.TransientError.General.MemoryPoolOutOfMemoryError", connector.TooLarge,
			"the server's memory pool for transactions is too small",
			"raise db.memory.transaction.max or db.memory.transaction.total.max, or use smaller batches (write.batch)"},
		{"Neo.TransientError.General.TransactionOutOfMemoryError", connector.TooLarge,
			"the server's memory limit of a transaction is too small",
			"raise db.memory.transaction.max or use smaller batches (write.batch)"},
		{"Neo.TransientError.General.DatabaseUnavailable", connector.Unreachable, "the database is not available",
			"is it online? SHOW DATABASES tells"},
		{"Neo.ClientError.Transaction.TransactionTimedOut", connector.Lost,
			"the server ended a transaction that took too long",
			"raise neo4j.timeout, or the server's db.transaction.timeout"},
		{"Neo.ClientError.Transaction.Terminated", connector.Lost, "the transaction was terminated on the server",
			"did somebody end it with TERMINATE TRANSACTIONS, or another run, which took over the lock?"},
		{"Neo.ClientError.Transaction.LockClientStopped", connector.Lost,
			"the transaction was terminated on the server, while it waited for another one",
			"SHOW TRANSACTIONS lists those that are open; did one hold a node for longer than neo4j.timeout?"},
		{"Neo.TransientError.Transaction.LockAcquisitionTimeout", connector.Lost,
			"another transaction holds what has to be written",
			"SHOW TRANSACTIONS lists those that are open; run again when it has ended"},
		{"Neo.ClientError.Schema.ConstraintValidationFailed", connector.BadData,
			"a constraint of the database refuses the scores",
			"SHOW CONSTRAINTS tells which; drop it, or write to another property"},
		{"Neo.DatabaseError.Transaction.TransactionLogError", connector.Lost,
			"the server could not write to its transaction log",
			"is its disk full? End the server before there is room again, then restart it; the next run mends what was begun"},
		{"Neo.DatabaseError.Transaction.TransactionStartFailed", connector.Lost, "the database has failed",
			"its log says why, a full disk perhaps; restart it, and the next run mends what was begun"},
		{"Neo.TransientError", connector.Lost, "the server cannot do this now", "try again later"},
	}
}

// explain turns an error of the driver into one that says what to do. A cancelled context shows as such.
func explain(ctx context.Context, err error) error {
	var ours *connector.Error
	switch {
	case err == nil || errors.As(err, &ours):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if server := serverErrorOf(err); server != nil {
		for _, r := range refusals() {
			if strings.HasPrefix(server.Code, r.code) {
				return &connector.Error{Kind: r.kind, Msg: r.msg, Hint: r.hint, Err: serverSays(server)}
			}
		}
		return &connector.Error{Msg: "the server refused a query", Err: serverSays(server)}
	}
	if s := silenceOf(err); s != nil {
		return &connector.Error{Kind: connector.Lost, Msg: "the connection to the server was lost", Err: s, Hint: s.hint}
	}
	if unreachable(err) {
		return &connector.Error{Kind: connector.Lost, Msg: "the connection to the server was lost", Err: oneLine(err),
			Hint: "what was begun is mended by the next run"}
	}
	return oneLine(err)
}

// explainOpen is explain for the first contact, when a connection that fails is not lost but was never there.
func explainOpen(ctx context.Context, uri string, err error) error {
	err = explain(ctx, err)
	var e *connector.Error
	if ctx.Err() != nil || errors.As(err, &e) && e.Kind != connector.Lost && e.Kind != 0 {
		return err
	}
	if e != nil {
		err = e.Err
	}
	return &connector.Error{Kind: connector.Unreachable, Msg: "cannot reach Neo4j at " + uri, Err: err,
		Hint: connectHint(uri, err)}
}

func connectHint(uri string, err error) string {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	text := err.Error()
	encrypted := strings.Contains(uri, "+s")
	switch {
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &host), strings.Contains(text, "x509:"):
		return "the server's certificate is not trusted: name its authority in neo4j.ca, or accept any with the scheme " +
			"bolt+ssc:// or neo4j+ssc://"
	case strings.Contains(text, "certificate required"), strings.Contains(text, "bad certificate"):
		return "the server asks for a client's certificate that it trusts: neo4j.certificate and neo4j.key"
	case errors.As(err, &record), encrypted && (strings.Contains(text, "tls:") || hungUp(text)):
		return "the server does not seem to speak TLS there: try the scheme bolt:// or neo4j:// (without +s)"
	case !encrypted && hungUp(text):
		return "something else than Neo4j, or a Neo4j that demands TLS, answers there: try the scheme bolt+s:// or " +
			"neo4j+s://, and the Bolt port (7687)"
	case strings.Contains(text, "scheme"):
		return "schemes are neo4j, neo4j+s, neo4j+ssc, bolt, bolt+s, bolt+ssc and bolt+unix"
	}
	return "is the server running, and is this its Bolt address (port 7687 unless changed)?"
}

// hungUp says whether the other end closed the connection at once.
func hungUp(text string) bool {
	return strings.HasSuffix(text, "EOF") || strings.Contains(text, "reset") ||
		strings.Contains(text, "closed the connection")
}

// unreachable says whether the error is about the connection, not about what was asked. The driver does not wrap the
// end of a stream within a message, nor what it joins with an earlier error.
func unreachable(err error) bool {
	var c *driver.ConnectivityError
	var x *driver.TransactionExecutionLimit
	var n *net.OpError
	return silenceOf(err) != nil || errors.As(err, &c) || errors.As(err, &x) || errors.As(err, &n) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// terminated says whether the server ended the transaction before it was done: for its timeout, or because somebody
// asked for it.
func terminated(err error) bool {
	for _, reason := range []string{"TransactionTimedOut", "Terminated", "LockClientStopped"} {
		if hasCode(err, "Neo.ClientError.Transaction."+reason) || hasCode(err, "Neo.TransientError.Transaction."+reason) {
			return true
		}
	}
	return false
}

// outOfMemory says whether the server's memory limits for transactions stopped this one: a smaller one may pass.
func outOfMemory(err error) bool {
	server := serverErrorOf(err)
	return server != nil && strings.HasSuffix(server.Code, "OutOfMemoryError")
}

func hasCode(err error, code string) bool {
	server := serverErrorOf(err)
	return server != nil && strings.HasPrefix(server.Code, code)
}

func serverErrorOf(err error) *driver.Neo4jError {
	var server *driver.Neo4jError
	errors.As(err, &server)
	return server
}

// serverError is what the server said, on one line; the driver's error stays within reach.
type serverError struct {
	text string
	err  error
}

func (e *serverError) Error() string { return e.text }
func (e *serverError) Unwrap() error { return e.err }

// Is reports whether target is ErrMayNotWrite and the server said so.
func (e *serverError) Is(target error) bool {
	return target == connector.ErrMayNotWrite && (hasCode(e.err, "Neo.ClientError.Security.Forbidden") ||
		hasCode(e.err, "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase") ||
		hasCode(e.err, "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase"))
}

func serverSays(e *driver.Neo4jError) error {
	code := e.Code[strings.LastIndex(e.Code, ".")+1:]
	text := strings.Join(strings.Fields(e.Msg), " ")
	if len(text) > 400 { // it may quote a query with very long names
		text = strings.ToValidUTF8(text[:400], "") + "..."
	}
	return &serverError{text + " (" + code + ")", e}
}

func oneLine(err error) error {
	if strings.ContainsAny(err.Error(), "\n\r") {
		return &serverError{strings.Join(strings.Fields(err.Error()), " "), err}
	}
	return err
}
