package debian

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// unit has the settings of a systemd unit; some come several times.
type unit map[string][]string

func (r root) unit() unit {
	u := unit{}
	for line := range strings.Lines(r.read("/lib/systemd/system/linchpin.service")) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			u[key] = append(u[key], value)
		}
	}
	return u
}

func (u unit) one(t *testing.T, key string) string {
	t.Helper()
	if len(u[key]) != 1 {
		t.Fatalf("the unit has %d lines %s=", len(u[key]), key)
	}
	return u[key][0]
}

// ids are the numbers of a user of the root.
func (r root) ids(user string) (uid, gid int) {
	r.t.Helper()
	for line := range strings.Lines(r.read("/etc/passwd")) {
		if f := strings.Split(line, ":"); f[0] == user {
			uid, _ = strconv.Atoi(f[2])
			gid, _ = strconv.Atoi(f[3])
			return uid, gid
		}
	}
	r.t.Fatalf("there is no user %s", user)
	return 0, 0
}

// prepare makes what systemd makes before it starts the unit: the state folder and the credentials.
func (r root) prepare(u unit, uid, gid int) (credentials string) {
	r.t.Helper()
	credentials = "/run/credentials/linchpin.service"
	state := "/var/lib/" + u.one(r.t, "StateDirectory")
	mode, err := strconv.ParseUint(u.one(r.t, "StateDirectoryMode"), 8, 32)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.MkdirAll(r.path("/run/credentials"), 0o755); err != nil {
		r.t.Fatal(err)
	}
	for folder, mode := range map[string]os.FileMode{credentials: 0o500, state: os.FileMode(mode)} {
		if err := os.MkdirAll(r.path(folder), mode); err != nil {
			r.t.Fatal(err)
		}
		r.own(folder, uid, gid)
	}
	for _, c := range u["LoadCredential"] {
		name, file, _ := strings.Cut(c, ":")
		to := credentials + "/" + name
		_ = os.Remove(r.path(to))
		r.write(to, r.read(file), 0o400)
		r.own(to, uid, gid)
	}
	return credentials
}

func (r root) own(name string, uid, gid int) {
	r.t.Helper()
	if err := os.Chown(r.path(name), uid, gid); err != nil {
		r.t.Fatal(err)
	}
}

// serve starts the unit's command as its user, with its environment, waits until it answers, and stops it.
func (r root) serve() {
	r.t.Helper()
	u := r.unit()
	uid, gid := r.ids(u.one(r.t, "User"))
	credentials := r.prepare(u, uid, gid)
	address := freeAddress(r.t)
	start := append([]string{"sh", "-c", "umask " + u.one(r.t, "UMask") + ` && exec "$@"`, "sh"},
		strings.Fields(u.one(r.t, "ExecStart"))...)
	run := r.command(fmt.Sprintf("--userspec=%d:%d", uid, gid), start...)
	run.Env = append(run.Env, "LINCHPIN_SERVE_LISTEN="+address)
	for _, e := range u["Environment"] {
		run.Env = append(run.Env, strings.Fields(strings.ReplaceAll(e, "%d", credentials))...)
	}
	var log strings.Builder
	run.Stdout, run.Stderr = &log, &log
	if err := run.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	r.t.Cleanup(func() { _ = run.Process.Kill() })
	if ready := waitReady(run, ended, address); !strings.Contains(ready, `"state":"ok"`) {
		_ = run.Process.Kill()
		r.t.Fatalf("the unit does not start: %s %s", ready, log.String())
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", run.Process.Pid))
	if want := fmt.Sprintf("Uid:\t%d\t%d\t%d\t%d", uid, uid, uid, uid); err != nil ||
		!strings.Contains(string(status), want) {
		r.t.Errorf("the process does not run as user %d: %v %s", uid, err, status)
	}
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		r.t.Fatal(err)
	}
	if err := <-ended; err != nil {
		r.t.Errorf("after SIGTERM: %v %s", err, log.String())
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// waitReady returns what the service says when it has tried to reach its database, which is not there.
func waitReady(run *exec.Cmd, ended chan error, address string) string {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-ended:
			ended <- err
			return fmt.Sprintf("%s ended: %v", run.Path, err)
		default:
		}
		if answer, err := http.Get("http://" + address + "/readyz"); err == nil {
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if strings.Contains(string(text), "cannot reach Neo4j") {
				return string(text)
			}
		}
	}
	return "no answer"
}
