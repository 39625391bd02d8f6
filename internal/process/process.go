// Package process tells processes apart, so that one can be sure that another has ended.
package process

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Identity names one process among all that ever ran. The zero value is a process of which nothing is known.
type Identity struct {
	Host string
	// Boot is the kernel's id of this start of the machine, and Namespace the PID namespace that PID counts in.
	Boot, Namespace string
	PID             int64
	// Started is when the process started, in ticks since the boot: PIDs are used again, together with it they are not.
	Started int64
}

// Self returns this process's identity, and the zero value where the system does not tell it: outside Linux, or without
// /proc.
func Self() Identity {
	host, err := os.Hostname()
	if err != nil {
		return Identity{}
	}
	return self(host, "/proc")
}

func self(host, proc string) Identity {
	boot, err := os.ReadFile(filepath.Join(proc, "sys/kernel/random/boot_id"))
	if err != nil {
		return Identity{}
	}
	namespace, err := os.Readlink(filepath.Join(proc, "self/ns/pid"))
	if err != nil {
		return Identity{}
	}
	// /proc may show another namespace than ours, where our PID is somebody else's.
	link, err := os.Readlink(filepath.Join(proc, "self"))
	if err != nil || link != strconv.Itoa(os.Getpid()) {
		return Identity{}
	}
	started, err := startOf(proc, int64(os.Getpid()))
	if err != nil {
		return Identity{}
	}
	return Identity{Host: host, Boot: strings.TrimSpace(string(boot)), Namespace: namespace, PID: int64(os.Getpid()),
		Started: started}
}

// Gone says that the process has certainly ended. It is false when there is any doubt: a process of another host, of
// before the last boot, or of another PID namespace cannot be seen from here.
func (i Identity) Gone() bool { return i.goneFor(Self(), "/proc") }

func (i Identity) goneFor(me Identity, proc string) bool {
	if me == (Identity{}) || i.PID <= 0 || i.PID > math.MaxInt32 || i.Started <= 0 || i.Host != me.Host ||
		i.Boot != me.Boot || i.Namespace != me.Namespace {
		return false
	}
	started, err := startOf(proc, i.PID)
	if err == nil {
		return started != i.Started
	}
	// /proc may hide other users' processes; the kernel answers for those, too.
	return errors.Is(err, errEnded) || errors.Is(err, os.ErrNotExist) && !exists(int(i.PID))
}

// exists asks the kernel for a process, without disturbing it.
func exists(pid int) bool {
	p, err := os.FindProcess(pid)
	return err != nil || !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// errEnded is what startOf returns of a process that has ended while its parent has not taken note yet.
var errEnded = errors.New("the process has ended")

// startOf returns when a process started, in ticks since the boot.
func startOf(proc string, pid int64) (int64, error) {
	text, err := os.ReadFile(filepath.Join(proc, strconv.FormatInt(pid, 10), "stat"))
	if err != nil {
		return 0, err
	}
	// The second field is the program's name in parentheses, which may hold spaces and parentheses itself.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return 0, fmt.Errorf("process %d: its stat has %d fields after the name, want 20 or more", pid, len(fields))
	}
	state, threads := fields[0], fields[17]
	if (state == "Z" || state == "X") && (threads == "0" || threads == "1") {
		return 0, errEnded
	}
	return strconv.ParseInt(fields[19], 10, 64)
}
