package neo4j

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// wantRefused opens a connection that must fail, within a time, with a kind and words, and without the password.
func wantRefused(t *testing.T, what string, o Options, kind connector.Kind, words ...string) {
	t.Helper()
	start := time.Now()
	_, err := Open(t.Context(), o)
	var e *connector.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Errorf("%s: error %v of kind %d, want kind %d", what, err, kindOf(err), kind)
		return
	}
	for _, word := range words {
		if !strings.Contains(e.Error()+" / "+e.Hint, word) {
			t.Errorf("%s: %q (%q) does not say %q", what, e, e.Hint, word)
		}
	}
	if strings.Contains(e.Error()+e.Hint, "hunter2") || strings.Contains(e.Error(), "\n") {
		t.Errorf("%s: the error gives away the password, or has several lines: %q", what, e)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("%s: noticed after %s", what, took)
	}
}

func TestOpenSaysWhyNot(t *testing.T) {
	s := neo4jtest.Shared(t)
	wantRefused(t, "nobody listens", Options{URI: "bolt://127.0.0.1:1"}, connector.Unreachable,
		"cannot reach Neo4j at bolt://127.0.0.1:1", "7687")
	wantRefused(t, "nobody listens, routed", Options{URI: "neo4j://127.0.0.1:1"}, connector.Unreachable, "cannot reach")
	wantRefused(t, "no such host", Options{URI: "bolt://no-such-host.invalid"}, connector.Unreachable,
		"no-such-host.invalid")
	wantRefused(t, "scheme", Options{URI: "http://127.0.0.1:7474"}, connector.Unreachable, "bolt+ssc")
	wantRefused(t, "TLS to a plain port", Options{URI: strings.Replace(s.URI(), "bolt:", "bolt+s:", 1)},
		connector.Unreachable, "without +s")
	wantRefused(t, "no such database", Options{URI: s.URI(), Database: "neo5j"}, connector.UnknownName, `"neo5j"`,
		"did you mean neo4j?")
	wantRefused(t, "not Neo4j", Options{URI: "bolt://" + neo4jtest.Speaking(t, "HTTP/1.1 400 Bad Request\r\n\r\n")},
		connector.Unreachable)
	wantRefused(t, "hangs up", Options{URI: "bolt://" + neo4jtest.Speaking(t, "")}, connector.Unreachable, "bolt+s")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Options{URI: s.URI()}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	s := neo4jtest.StartFor(t, neo4jtest.Options{Password: "first secret hunter2"})
	var logged bytes.Buffer
	right := Options{URI: s.URI(), Database: "neo4j", Username: "neo4j", Password: "first secret hunter2",
		Logger: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug - 8}))}
	wantRefused(t, "no user", Options{URI: s.URI()}, connector.Unreachable)
	wrong := right
	wrong.Password = "wrong hunter2"
	none := right
	none.Password = ""
	wantRefused(t, "no password", none, connector.Unreachable, "the server wants a password, and none is set",
		"LINCHPIN_NEO4J_PASSWORD_FILE")
	wantRefused(t, "wrong password", wrong, connector.Unreachable, "refused the username or the password", "passwordFile")

	tried := 0
	wrong.PasswordFunc = func(context.Context) (string, error) { tried++; return wrong.Password, nil }
	if wantRefused(t, "wrong password of a function", wrong, connector.Unreachable); tried != 1 {
		t.Errorf("a wrong password was tried %d times: three lock the user out", tried)
	}

	password := right.Password
	asked := 0
	rotating := right
	rotating.PasswordFunc = func(context.Context) (string, error) { asked++; return password, nil }
	db, err := Open(t.Context(), rotating)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	if got := db.Server(); got.Version != neo4jtest.Version || got.Edition != "community" || got.Database != "neo4j" ||
		!got.IntegerIDs || got.Cypher != "5" {
		t.Errorf("%+v", got)
	}
	s.Query(t, "ALTER CURRENT USER SET PASSWORD FROM 'first secret hunter2' TO 'second secret hunter2'", nil)
	password = "second secret hunter2"
	another, err := Open(t.Context(), rotating)
	if err != nil {
		t.Fatalf("after the password changed: %v", err)
	}
	defer another.Close(context.Background())
	if asked < 2 {
		t.Errorf("asked for the password %d times", asked)
	}
	if strings.Contains(logged.String(), "hunter2") {
		t.Error("the password is in the log")
	}
	if !strings.Contains(logged.String(), "driver=") {
		t.Error("the driver's messages do not arrive in the log")
	}
}

// readOnlyDatabase restarts the server, which has a graph, and leaves it read-only.
func readOnlyDatabase(t *testing.T, s *neo4jtest.Server) {
	db := open(t, s)
	if err := db.CheckWritable(t.Context()); err != nil {
		t.Errorf("before: %v", err)
	}
	if err := s.Reconfigure(t.Context(), func(o *neo4jtest.Options) {
		o.ReadOnly, o.TransactionMemory, o.Conf = true, "", nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.CheckWritable(t.Context()); kindOf(err) != connector.Unreachable {
		t.Errorf("read-only: %v", err)
	}
	snap := exported(t, db, projection("E"))
	_, err := db.Write(t.Context(), snap, []connector.Column{column(snap, connector.OnNodes, "a", third)},
		connector.WriteOptions{Job: "job", Projection: projection("E")}, nil)
	if kindOf(err) != connector.Unreachable || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("%v", err)
	}
}
