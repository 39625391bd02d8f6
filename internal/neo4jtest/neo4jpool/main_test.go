package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// fileVariable makes the test binary the command: it borrows a server, and writes to the file where that has its home.
const fileVariable = "NEO4JPOOL_FILE"

func TestBorrower(t *testing.T) {
	file := os.Getenv(fileVariable)
	if file == "" {
		t.Skip("it is for TestServersEndWithTheCommand")
	}
	s := neo4jtest.Shared(t)
	s.Query(t, "CREATE (:Left)", nil)
	if err := os.WriteFile(file, []byte(os.Getenv(neo4jtest.PoolVariable)+"\n"+s.Home()), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Exit(3) // without giving it back
}

func TestServersEndWithTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	file := filepath.Join(t.TempDir(), "borrowed")
	t.Setenv(fileVariable, file)
	status, err := run([]string{os.Args[0], "-test.run", "TestBorrower"})
	if err != nil || status != 3 {
		t.Fatalf("status %d, %v", status, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for left := range strings.Lines(string(text)) {
		if _, err := os.Stat(strings.TrimSpace(left)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", left, err)
		}
	}
}

func TestStatusOfTheCommand(t *testing.T) {
	if status, err := run([]string{"sh", "-c", "exit 7"}); status != 7 || err != nil {
		t.Errorf("%d, %v", status, err)
	}
	if _, err := run(nil); err == nil {
		t.Error("no command is no error")
	}
}
