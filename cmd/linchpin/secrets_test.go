package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// secrets are all that the config of keepsSecrets knows and nobody else may.
var secrets = map[string]string{
	"password": "P4ssword-of-the-user", "wrong password": "Wr0ng-password-of-the-user",
	"token": "T0ken-of-the-service", "key": "K3y-of-the-webhook",
}

// keepsSecrets runs every command that connects, right and wrong, with all details logged, and looks for passwords,
// tokens and keys in whatever is printed, logged, stored, shown, sent, or told by the process list.
func keepsSecrets(t *testing.T, server *neo4jtest.Server) {
	s := newSecretive(t, server)
	for _, args := range [][]string{
		{"validate"}, {"validate", "--json"}, {"doctor"}, {"doctor", "--json"}, {"jobs", "--json"},
		{"estimate", "hubs", "--json"},
		{"run", "hubs"}, {"run", "hubs", "--recompute", "--json"}, {"run", "hubs", "--recompute", "--log-format", "json"},
		{"history"}, {"history", "hubs", "--json"}, {"export", "hubs", "--out", filepath.Join(s.folder, "hubs.arrow")},
	} {
		s.command(0, args...)
	}
	s.service()
	s.command(0, "drop", "hubs")

	s.write("password.txt", secrets["wrong password"])
	s.command(5, "run", "hubs")
	s.command(5, "doctor")
	s.write("password.txt", "")
	s.command(2, "validate")
	s.write("linchpin.yml", strings.Replace(s.config, "passwordFile: password.txt",
		"password: ["+secrets["password"]+"]", 1))
	s.command(2, "validate")
	s.write("linchpin.yml", strings.Replace(s.config, "bolt://", "bolt://neo4j:"+secrets["password"]+"@", 1))
	s.command(2, "validate")

	s.lookThroughFiles()
	s.look("the database", fmt.Sprint(s.server.Query(t,
		"MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN labels(n), properties(n), properties(r)", nil)))
}

// secretive is a config with secrets, a server that wants one, and a hook that is signed with another.
type secretive struct {
	t                        *testing.T
	server                   *neo4jtest.Server
	program, folder, address string
	config                   string

	mu     sync.Mutex
	hooked int
}

func newSecretive(t *testing.T, server *neo4jtest.Server) *secretive {
	t.Helper()
	s := &secretive{t: t, folder: t.TempDir(), server: server}
	var err error
	if s.program, err = builtLinchpin(); err != nil {
		t.Fatal(err)
	}
	s.server.Query(t, "CREATE (:V {i: 0})-[:E]->(:V {i: 1})-[:E]->(:V {i: 2})", nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = l.Addr().String()
	l.Close()
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.look("the webhook", fmt.Sprint(r.Header, string(body)))
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hooked++
	}))
	t.Cleanup(hook.Close)
	s.config = fmt.Sprintf(`version: 1
neo4j: {uri: %q, username: neo4j, passwordFile: password.txt}
serve:
  listen: %q
  tokenFile: token.txt
  hooks: [{on: [success], url: %q, secretFile: key.txt}]
jobs:
  - name: hubs
    graph: {nodes: [V], relationships: [{type: E, orientation: undirected}]}
    measures: [{measure: betweenness, nodes: bc, relationships: ebc}]
    compute: {device: cpu}
`, s.server.URI(), s.address, hook.URL)
	s.write("linchpin.yml", s.config)
	s.write("password.txt", secrets["password"])
	s.write("token.txt", secrets["token"])
	s.write("key.txt", secrets["key"])
	return s
}

func (s *secretive) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// command runs the program to its end and looks at what it printed.
func (s *secretive) command(status int, args ...string) {
	s.t.Helper()
	cmd := exec.Command(s.program, append(args, "--verbose", "--config", filepath.Join(s.folder, "linchpin.yml"))...)
	out, _ := cmd.CombinedOutput() // its status tells
	if got := cmd.ProcessState.ExitCode(); got != status {
		s.t.Errorf("%v: status %d, want %d: %s", args, got, status, out)
	}
	s.look(strings.Join(args, " "), string(out))
}

// service runs serve, a trigger beside it, and looks at the pages, the log and the process list meanwhile.
func (s *secretive) service() {
	s.t.Helper()
	serve := exec.Command(s.program, "serve", "--verbose", "--config", filepath.Join(s.folder, "linchpin.yml"))
	var log strings.Builder
	serve.Stdout, serve.Stderr = &log, &log
	if err := serve.Start(); err != nil {
		s.t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get("http://" + s.address + "/readyz"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				break
			}
		}
	}
	s.command(0, "trigger", "hubs", "--recompute")
	for _, path := range []string{"/", "/readyz", "/healthz", "/metrics", "/api/jobs",
		"/api/jobs/hubs/runs", "/jobs/hubs"} {
		r, err := http.Get("http://" + s.address + path)
		if err != nil {
			s.t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != http.StatusOK || len(body) == 0 {
			s.t.Errorf("%s: %s", path, r.Status)
		}
		s.look(path, fmt.Sprint(r.Header, string(body)))
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", serve.Process.Pid))
	if err == nil {
		s.look("the process list", string(line))
	}
	_ = serve.Process.Signal(syscall.SIGTERM)
	if err := serve.Wait(); err != nil {
		s.t.Errorf("serve: %v", err)
	}
	s.look("the log", log.String())
	if !strings.Contains(log.String(), "level=DEBUG") {
		s.t.Errorf("the log has no details, so there is nothing to find: %s", log.String())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hooked == 0 {
		s.t.Error("the webhook was not called")
	}
}

// lookThroughFiles looks into everything that was left in the folder, state included, but the files of the secrets.
func (s *secretive) lookThroughFiles() {
	s.t.Helper()
	files := 0
	err := filepath.WalkDir(s.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".txt" && filepath.Dir(path) == s.folder ||
			filepath.Base(path) == "linchpin.yml" {
			return err
		}
		text, err := os.ReadFile(path)
		s.look(path, string(text))
		files++
		return err
	})
	if err != nil || files == 0 {
		s.t.Errorf("%d files, %v", files, err)
	}
}

// look fails the test if the text gives a secret away, plain or in base64.
func (s *secretive) look(where, text string) {
	s.t.Helper()
	for name, secret := range secrets {
		if strings.Contains(text, secret) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(secret))) {
			s.t.Errorf("%s gives away the %s", where, name)
		}
	}
}
