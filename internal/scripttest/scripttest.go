// Package scripttest holds the commands that the terminal sessions of several programs' tests share.
package scripttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Status runs a command and demands its exit status: status 2 linchpin validate.
func Status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// JSON looks a value up in the one JSON value of a file: json stdout seconds.load '0\..*' compares by text after
// a dot path, where a number picks an element of a list. With ! the key must be missing.
func JSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && !(neg && len(args) == 2) {
		ts.Fatalf("usage: json FILE PATH VALUE")
	}
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	decoder.UseNumber()
	var value any
	ts.Check(decoder.Decode(&value))
	if decoder.More() {
		ts.Fatalf("%s holds more than one JSON value", args[0])
	}
	present := true
	for _, key := range strings.Split(args[1], ".") {
		switch v := value.(type) {
		case map[string]any:
			value, present = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil && present {
				ts.Fatalf("%s: %q is no place in a list", args[1], key)
			}
			if present = present && i < len(v); present {
				value = v[i]
			}
		default:
			present = false
		}
	}
	switch {
	case neg && present:
		ts.Fatalf("%s is there: %v", args[1], value)
	case neg:
	case !present:
		ts.Fatalf("no %s", args[1])
	case args[2] == "number": // any that is not negative
		if n, ok := value.(json.Number); !ok || strings.HasPrefix(n.String(), "-") {
			ts.Fatalf("%s is %v, no number", args[1], value)
		}
	case fmt.Sprint(value) != args[2]:
		ts.Fatalf("%s is %v, want %s", args[1], value, args[2])
	}
}
