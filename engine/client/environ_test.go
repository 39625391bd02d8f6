package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A worker gets neither the database's password nor the service's token.
func TestWorkerInheritsNoSecrets(t *testing.T) {
	dir := t.TempDir()
	out, worker := filepath.Join(dir, "env"), filepath.Join(dir, "worker")
	if err := os.WriteFile(worker, []byte("#!/bin/sh\nenv > "+out+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LINCHPIN_NEO4J_PASSWORD", "swordfish")
	t.Setenv("LINCHPIN_SERVE_TOKEN", "swordfish")
	t.Setenv("LINCHPIN_TEST_OTHER", "kept")
	c := testClient("")
	c.Program, c.Env = worker, nil
	if _, err := c.Devices(t.Context()); err == nil {
		t.Fatal("a script passes for a worker")
	}
	text, err := os.ReadFile(out)
	if err != nil || strings.Contains(string(text), "swordfish") ||
		!strings.Contains(string(text), "LINCHPIN_TEST_OTHER=kept") {
		t.Errorf("%v: %s", err, text)
	}
}
