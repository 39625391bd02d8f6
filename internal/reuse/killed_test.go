package reuse

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// savingIn names, in the environment of a child, the file that it saves again and again.
const savingIn = "REUSE_TEST_SAVING_IN"

// TestKilledWhileSaving: a process that is killed at any time leaves the file of one Save, complete.
func TestKilledWhileSaving(t *testing.T) {
	if path := os.Getenv(savingIn); path != "" {
		saveForever(path)
	}
	path := filepath.Join(t.TempDir(), "reuse.bin")
	for i := range 20 {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledWhileSaving$")
		child.Env = append(os.Environ(), savingIn+"="+path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		for i == 0 { // until the first file is there
			if _, err := os.Stat(path); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(20+7*i) * time.Millisecond)
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // killed
		s := New(path, "test", 1<<30)
		if err := s.Load(); err != nil {
			t.Fatal(err)
		}
		a, first := s.Find(keyOf("a"))
		b, second := s.Find(keyOf("b"))
		if first == second || len(a)+len(b) != halfMillion {
			t.Fatalf("neither the one nor the other: %d and %d values", len(a), len(b))
		}
	}
}

const halfMillion = 500_000

// saveForever saves two stores in turn, until it is killed.
func saveForever(path string) {
	values := make([]float64, halfMillion)
	for {
		for _, name := range []string{"a", "b"} {
			s := New(path, "test", 1<<30)
			s.Keep(Part{Key: keyOf(name), Values: values, Work: 1})
			if err := s.Save(); err != nil {
				os.Exit(1)
			}
		}
	}
}
