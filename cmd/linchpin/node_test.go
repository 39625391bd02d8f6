package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/testcert"
)

// fleetService is a linchpin serve as a process of its own, without a database.
type fleetService struct {
	address, log string
}

// serveFleet starts a service on all addresses of this machine. more are keys of its serve section.
func serveFleet(t *testing.T, token, more string) *fleetService {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String()) // which it has
	l.Close()
	folder := t.TempDir()
	s := &fleetService{address: "127.0.0.1:" + port, log: filepath.Join(folder, "log")}
	text := fmt.Sprintf(
		"version: 1\nneo4j: {uri: \"bolt://127.0.0.1:1\", username: \"\"}\nserve: {listen: \"0.0.0.0:%s\", token: %s%s}\n"+
			"jobs:\n  - name: hubs\n    graph: {nodes: [V], relationships: [{type: E}]}\n    measures: [{measure: betweenness, nodes: bc}]\n"+
			"    compute: {nodes: any}\n", port, token, more)
	file, log := filepath.Join(folder, "linchpin.yml"), must(os.Create(s.log))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("linchpin", "serve", "--config", file)
	c.Stderr = log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
		log.Close()
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", s.address); err == nil {
			conn.Close()
			return s
		}
		if time.Now().After(end) {
			t.Fatalf("the service does not listen:\n%s", must(os.ReadFile(s.log)))
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestNodesThatCannotJoin: whatever is wrong with certificates, tokens and addresses, a node ends at once with a line
// that says what, and a hint.
func TestNodesThatCannotJoin(t *testing.T) {
	t.Parallel()
	folder, authority, other := t.TempDir(), testcert.New(t, "authority"), testcert.New(t, "another authority")
	pair := func(name string, valid time.Duration) string {
		certificate, key := authority.PairUntil(t, folder, name, time.Now().Add(valid))
		return fmt.Sprintf(", certificate: %q, key: %q", certificate, key)
	}
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const token = "a-token-of-a-service-of-tests"
	right, wrong, empty := write("right", token+"\n"), write("wrong", "another-token-of-a-service\n"), write("empty", "\n")
	encrypted := serveFleet(t, token, pair("good", time.Hour))
	old := serveFleet(t, token, pair("old", -time.Minute))
	plain := serveFleet(t, token, "")
	_, port, _ := net.SplitHostPort(encrypted.address)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://scores.example.org"+r.URL.Path, http.StatusMovedPermanently)
	}))
	t.Cleanup(elsewhere.Close)
	another := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(another.Close)

	for name, c := range map[string]struct {
		args       []string
		status     int
		says, hint string
	}{
		"no authority": {[]string{"https://" + encrypted.address, "--token-file", right}, statusUnreachable,
			"unknown authority", "--ca names"},
		"another authority": {[]string{"https://" + encrypted.address, "--token-file", right, "--ca", other.File},
			statusUnreachable, "unknown authority", "--ca names"},
		"another name": {[]string{"https://127.0.0.2:" + port, "--token-file", right, "--ca", authority.File},
			statusUnreachable, "valid for 127.0.0.1, not 127.0.0.2", "--join takes a name"},
		"expired": {[]string{"https://" + old.address, "--token-file", right, "--ca", authority.File},
			statusUnreachable, "has expired or is not yet valid", "the clock of this machine"},
		"HTTP to HTTPS": {[]string{"http://" + encrypted.address, "--token-file", right}, statusUnreachable,
			"400 Bad Request", "write https://"},
		"HTTPS to HTTP": {[]string{"https://" + plain.address, "--token-file", right}, statusUnreachable,
			"HTTP response to HTTPS client", "write http://"},
		"a wrong token": {[]string{"https://" + encrypted.address, "--token-file", wrong, "--ca", authority.File},
			statusUnreachable, "this is not the token", "serve.tokenFile"},
		"a redirect": {[]string{elsewhere.URL, "--token-file", right}, statusUnreachable,
			"to https://scores.example.org/fleet/take", "--join takes the address"},
		"another program": {[]string{another.URL, "--token-file", right}, statusUnreachable,
			"is this the address of a linchpin service?", "--join takes the address"},
		"no token": {[]string{"https://" + encrypted.address}, statusUsage, "there is no token",
			"--token-file names"},
		"an empty token": {[]string{"https://" + encrypted.address, "--token-file", empty}, statusUsage,
			"there is no token", "--token-file names"},
		"no file of a token": {[]string{"https://" + encrypted.address, "--token-file", folder + "/none"}, statusUsage,
			"--token-file: open " + folder, ""},
		"no file of --ca": {[]string{"https://" + encrypted.address, "--token-file", right, "--ca", folder + "/none"},
			statusUsage, "--ca: open " + folder, ""},
		"no certificate": {[]string{"https://" + encrypted.address, "--token-file", right, "--ca", right}, statusUsage,
			"there is no certificate in it", ""},
		"no scheme": {[]string{encrypted.address, "--token-file", right}, statusUsage, "is not the address of a service",
			"https://HOST:PORT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, text := joinWith(t, c.args...)
			lines := strings.Split(strings.TrimSpace(text), "\n")
			want := 2
			if c.hint == "" {
				want = 1
			}
			if status != c.status || len(lines) != want || !strings.Contains(lines[0], c.says) ||
				!strings.Contains(lines[want-1], c.hint) {
				t.Errorf("status %d, and not %d and %q and %q:\n%s", status, c.status, c.says, c.hint, text)
			}
			if strings.Contains(text, token) {
				t.Errorf("the token is in %s", text)
			}
		})
	}
}

// joinWith runs linchpin node, and returns its exit status and what it says.
func joinWith(t *testing.T, args ...string) (int, string) {
	t.Helper()
	c := exec.Command("linchpin",
		append([]string{"node", "--device", "cpu", "--cache", t.TempDir(), "--join"}, args...)...)
	c.Env = append(os.Environ(), tokenVariable+"=")
	var text bytes.Buffer
	c.Stderr = &text
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() }) // it would go on for ever
	defer late.Stop()
	exit := (*exec.ExitError)(nil)
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), text.String()
}

// TestANodeJoinsByTLS: with the authority and the token a node is of the fleet, until it is told to stop.
func TestANodeJoinsByTLS(t *testing.T) {
	t.Parallel()
	folder, authority := t.TempDir(), testcert.New(t, "authority")
	certificate, key := authority.Pair(t, folder, "service")
	const token = "a-token-of-a-service-of-tests"
	s := serveFleet(t, token, fmt.Sprintf(", certificate: %q, key: %q", certificate, key))
	c := exec.Command("linchpin", "node", "--device", "cpu", "--cache", t.TempDir(), "--name", "one", "--ca",
		authority.File, "--join", "https://"+s.address)
	c.Env = append(os.Environ(), tokenVariable+"="+token)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s.await(t, "a node joined")
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("a node that is told to stop: %v", err)
	}
	s.await(t, "a node left")
}

// await waits until the log has a text.
func (s *fleetService) await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !bytes.Contains(must(os.ReadFile(s.log)),
		[]byte(text)); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the log never says %q:\n%s", text, must(os.ReadFile(s.log)))
		}
	}
}
