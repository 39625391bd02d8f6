package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestOutputThatIsLost runs commands whose standard output cannot be written.
func TestOutputThatIsLost(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"version"}, {"devices"}, {"devices", "--json"}, {"completion", "bash"}} {
		var stderr bytes.Buffer
		if status := run(args, fullDisk{}, &stderr); status != statusFailed ||
			strings.Count(stderr.String(), "no space left on device") != 1 {
			t.Errorf("%s: status %d, %s", args, status, stderr.String())
		}
	}
}
