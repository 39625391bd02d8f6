package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/internal/testcert"
)

// TestTriggerTrustsItsOwnCertificate speaks TLS with a service whose authority only the config knows.
func TestTriggerTrustsItsOwnCertificate(t *testing.T) {
	certificate, key := testcert.New(t, "authority").Pair(t, t.TempDir(), "tls")
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	c := &client{url: server.URL}
	if _, err := c.do(t.Context(), http.MethodGet, "/", nil); exitStatus(err) != statusUnreachable ||
		!strings.Contains(hintOf(err), "SSL_CERT_FILE") {
		t.Errorf("an unknown authority: %v, %s", err, hintOf(err))
	}
	trusted, err := ownCertificate(config.Serve{Certificate: certificate, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	c.http.Transport = &http.Transport{TLSClientConfig: trusted}
	response, err := c.do(t.Context(), http.MethodGet, "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

// TestTrigger asks a service for runs from the command line, and compares two of them.
func TestTrigger(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	// job0 to job8, which nothing starts but triggers
	s := newSoakOn(t, neo4jtest.Shared(t), `username: ""`, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	s.launch()
	command := func(status int, args ...string) string {
		t.Helper()
		out, err := exec.Command(s.program, append(args, "--config", s.file)...).CombinedOutput()
		got := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		}
		if got != status {
			t.Fatalf("%v: status %d, want %d: %s", args, got, status, out)
		}
		return string(out)
	}
	if out := command(0, "trigger", "job7", "--recompute"); !strings.Contains(out, "job7: done in ") ||
		!strings.Contains(out, "1200 scored entities written") {
		t.Errorf("trigger: %s", out)
	}
	if out := command(0, "trigger", "job7"); !strings.Contains(out, "job7: skipped: unchanged since the last run") {
		t.Errorf("trigger of an unchanged job: %s", out)
	}
	command(0, "trigger", "job7", "--recompute", "--json")
	command(0, "trigger", "job8")
	for _, unknown := range []string{"nowhere", "a b/../x?y"} {
		if out := command(2, "trigger", unknown); !strings.Contains(out,
			fmt.Sprintf("the service refused: the config has no job %q", unknown)) {
			t.Errorf("trigger of an unknown job: %s", out)
		}
	}
	ids := regexp.MustCompile(`(?m)^(\S+) +job7 +succeeded `).FindAllStringSubmatch(command(0, "history", "job7"), -1)
	if len(ids) != 2 {
		t.Fatalf("%d runs", len(ids))
	}
	diff := command(0, "history", "job7", "--diff", ids[1][1], ids[0][1])
	// All nodes have the same betweenness, so only edges have a rank correlation.
	for _, line := range []string{`(?m)^\* +written +1200 +0$`, `(?m)^ +bc7 digest +[0-9a-f]{32} +[0-9a-f]{32}$`,
		`(?m)^\* +ebc7 rank correlation +- +1$`} {
		if !regexp.MustCompile(line).MatchString(diff) {
			t.Errorf("no line like %s in\n%s", line, diff)
		}
	}
	s.server.Query(t, "MATCH (v:V) SET v.bc7 = null", nil)
	s.server.Query(t, "CREATE CONSTRAINT FOR (v:V) REQUIRE v.bc7 IS UNIQUE", nil)
	if out := command(2, "trigger", "job7"); !strings.Contains(out, "linchpin: job7: failed: the constraint ") ||
		!strings.Contains(out, "hint: choose another property") {
		t.Errorf("trigger of a job that is refused: %s", out)
	}
	s.server.Query(t,
		"MATCH (l:LinchpinLock {name: 'job8'}) SET l.token = 'other', l.owner = 'another', l.since = datetime(), l.until = timestamp() + 600000", nil)
	if out := command(4, "trigger", "job8", "--recompute"); !strings.Contains(out,
		"job8: skipped: job job8 is locked by another") {
		t.Errorf("trigger of a job that is locked: %s", out)
	}
	s.proxy.Arm(faultproxy.Fault{Kind: faultproxy.Reset, Lasting: true})
	command(5, "trigger", "job7")
	s.proxy.Heal()
	s.awaitStatus("/readyz", http.StatusOK)
	s.awaitMetric("linchpin_records_pending", func(n float64) bool { return n == 0 })
	s.terminate()
}
