package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestServerWithAPassword shares a server between the tests that need a password.
func TestServerWithAPassword(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	server := neo4jtest.StartFor(t, neo4jtest.Options{Password: "the first password"})
	t.Run("OutageAndRotation", func(t *testing.T) { outageAndPasswordRotation(t, server) })
	server.Empty(t)
	t.Run("Secrets", func(t *testing.T) { keepsSecrets(t, server) })
}

// outageAndPasswordRotation stops the database under a service with two jobs a second, and starts it again with
// another password, which stands in the password file by then. The service says that it is not ready, goes on by
// itself, and every due time of the outage has its record. An hour of it is in jobs, on a fake clock.
func outageAndPasswordRotation(t *testing.T, server *neo4jtest.Server) {
	password := filepath.Join(t.TempDir(), "password")
	keep := func(text string) {
		if err := os.WriteFile(password, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep("the first password")
	s := newSoakOn(t, server, fmt.Sprintf("passwordFile: %q", password), 1, 1)
	s.launch()
	s.began = time.Now()
	s.awaitSuccess(s.began.Add(-time.Minute))
	second := secrets["password"]
	s.server.Query(t, "ALTER CURRENT USER SET PASSWORD FROM 'the first password' TO '"+second+"'", nil)
	keep(second)
	if err := s.server.Stop(); err != nil {
		t.Fatal(err)
	}
	s.awaitStatus("/readyz", http.StatusServiceUnavailable)
	if status := s.status("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz: %d: a restart of the service would not help", status)
	}
	s.awaitMetric("linchpin_records_pending", func(n float64) bool { return n >= 4 })
	if err := s.server.Reconfigure(t.Context(), func(o *neo4jtest.Options) {
		o.Password = second
		// the wrong ones of keepsSecrets do not lock us out
		o.Conf = map[string]string{"dbms.security.auth_max_failed_attempts": "0"}
	}); err != nil {
		t.Fatal(err)
	}
	back := time.Now().UTC()
	s.awaitStatus("/readyz", http.StatusOK)
	s.awaitMetric("linchpin_records_pending", func(n float64) bool { return n == 0 })
	s.request("job0")
	s.awaitSuccess(back)
	s.terminate()
	s.checkAccounts()
	s.checkLocks()
	if text, err := os.ReadFile(s.log.Name()); err != nil || strings.Contains(string(text), second) {
		t.Errorf("the log: %v, or it holds the password", err)
	}
}

// awaitSuccess waits for a run that began since then and succeeded.
func (s *soak) awaitSuccess(since time.Time) {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if len(s.server.Query(s.t, "MATCH (r:LinchpinRun {status: 'succeeded'}) WHERE r.started >= $since RETURN r.id",
			map[string]any{"since": since.UTC()})) > 0 {
			return
		}
		if time.Now().After(end) {
			s.t.Fatal("no run succeeded")
		}
	}
}

func (s *soak) status(path string) int {
	s.t.Helper()
	r, err := http.Get("http://" + s.address + path)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Body.Close()
	return r.StatusCode
}

func (s *soak) awaitStatus(path string, status int) {
	s.t.Helper()
	for end := time.Now().Add(3 * time.Minute); s.status(path) != status; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s is never %d", path, status)
		}
	}
}

func (s *soak) awaitMetric(name string, ok func(float64) bool) {
	s.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !ok(s.metrics()[name]); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s stays %g", name, s.metrics()[name])
		}
	}
}
