package neo4jtest

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestDataSurvivesStopKillAndRestart(t *testing.T) {
	s := StartFor(t, Options{Password: "correct horse"})
	uri := s.URI()
	s.Query(t, "CREATE (:Kept {n: 1})", nil)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Query(t, "CREATE (:Kept {n: 2})", nil)
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.query(t.Context(), "RETURN 1", nil); err == nil {
		t.Fatal("a killed server answers")
	}
	if err := s.Reconfigure(t.Context(), func(o *Options) { o.ReadOnly = true }); err != nil {
		t.Fatal(err)
	}
	if s.URI() != uri {
		t.Errorf("restarted at %s, not %s", s.URI(), uri)
	}
	if rows := s.Query(t, "MATCH (k:Kept) RETURN count(k) AS c", nil); rows[0]["c"] != int64(2) {
		t.Errorf("%v nodes after a restart, want 2", rows[0]["c"])
	}
	if _, err := s.query(t.Context(), "CREATE (:Refused)", nil); err == nil {
		t.Error("a read-only server takes writes")
	}
	home := s.Home()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the temporary home is still there: %v", err)
	}
}

func TestSharedIsEmptied(t *testing.T) {
	s := Shared(t)
	s.Query(t, "CREATE (:A)-[:R]->(:B)", nil)
	s.Query(t, "CREATE CONSTRAINT one FOR (a:A) REQUIRE a.p IS UNIQUE", nil)
	if again := Shared(t); again != s {
		t.Error("a second server")
	}
	if rows := s.Query(t, "MATCH (n) RETURN count(n) AS c", nil); rows[0]["c"] != int64(0) {
		t.Errorf("%v nodes left", rows[0]["c"])
	}
	if rows := s.Query(t,
		"SHOW CONSTRAINTS YIELD labelsOrTypes WHERE none(l IN labelsOrTypes WHERE l STARTS WITH 'Linchpin')",
		nil); len(rows) != 0 {
		t.Errorf("constraints left: %v", rows)
	}
}

// TestBorrowing has one server for two borrowers. The second one kills it, which makes it the second one's own.
func TestBorrowing(t *testing.T) {
	t.Setenv(PoolVariable, "") // from a pool of several packages, another one could borrow it in between
	var pid int
	var home string
	t.Run("the first", func(t *testing.T) {
		s := Borrow(t, Options{})
		s.Query(t, "CREATE (:Left)", nil)
		pid = s.PID()
	})
	t.Run("the second", func(t *testing.T) {
		s := Borrow(t, Options{})
		if s.PID() != pid {
			t.Fatalf("process %d, and %d was given back", s.PID(), pid)
		}
		if rows := s.Query(t, "MATCH (n) RETURN count(n) AS c", nil); rows[0]["c"] != int64(0) {
			t.Errorf("%v nodes left", rows[0]["c"])
		}
		s.Query(t, "CREATE (:Kept)", nil)
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		if s.PID() != 0 || handshake(s.Port()) == nil {
			t.Error("a killed server answers")
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rows := s.Query(t, "MATCH (n:Kept) RETURN count(n) AS c", nil); rows[0]["c"] != int64(1) {
			t.Errorf("%v nodes after a restart, want 1", rows[0]["c"])
		}
		home = s.Home()
	})
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the home is still there: %v", err)
	}
}

// childVariable makes the test binary start a server, print its pid and home, and wait to be killed.
const childVariable = "NEO4JTEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	s, err := borrow(Options{}, false)
	if err != nil {
		_, _ = os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(s.URI() + " " + s.Home() + "\n")
	time.Sleep(10 * time.Minute)
}

func TestServerEndsWithItsParent(t *testing.T) {
	for _, how := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGQUIT} {
		t.Run(how.String(), func(t *testing.T) {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), childVariable+"=1", PoolVariable+"=") // its own pool
			child.Stderr = os.Stderr
			if how == syscall.SIGQUIT {
				child.Stderr = nil // the goroutines' stacks
			}
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			uri, home, _ := strings.Cut(strings.TrimSpace(line), " ")
			if err := child.Process.Signal(how); err != nil {
				t.Fatal(err)
			}
			if err := child.Wait(); err == nil {
				t.Error("the child ended by itself")
			}
			deadline := time.Now().Add(20 * time.Second)
			for !gone(uri, home) {
				if time.Now().After(deadline) {
					t.Fatalf("%s or %s is still there", uri, home)
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
}

// gone says whether nothing listens at the address and the home is removed.
func gone(uri, home string) bool {
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var port int
	for _, digit := range uri[strings.LastIndex(uri, ":")+1:] {
		port = 10*port + int(digit-'0')
	}
	return handshake(port) != nil
}
