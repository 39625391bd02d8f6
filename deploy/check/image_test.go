package check

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// stages reads the Dockerfile.
func stages(t *testing.T) []instructions.Stage {
	t.Helper()
	f, err := os.Open("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tree, err := parser.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range tree.Warnings {
		t.Error(w.Short)
	}
	all, _, err := instructions.Parse(tree.AST, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// image is what the last stage of the Dockerfile makes, without a container engine and without the layers of its base:
// only what the file itself copies is there.
type image struct {
	root, user string
	env, args  []string
}

// assemble does what the Dockerfile says: it runs the build stage's commands in the repository, with the folder out in
// the place of /out, and lays out the files of the last stage.
func assemble(t *testing.T) image {
	t.Helper()
	all, out := stages(t), t.TempDir()
	built := func(path string) string { return strings.ReplaceAll(path, "/out/", out+"/") }
	for _, c := range all[0].Commands {
		r, ok := c.(*instructions.RunCommand)
		if !ok || !strings.Contains(strings.Join(r.CmdLine, " "), "/out/") {
			continue
		}
		build := exec.Command("sh", "-c", built(strings.Join(r.CmdLine, " ")))
		build.Dir, build.Env = "../..", append(os.Environ(), "VERSION=checked", "GOFLAGS=-buildvcs=false")
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, text)
		}
	}
	im := image{root: t.TempDir()}
	var entry, arguments []string
	for _, c := range all[len(all)-1].Commands {
		switch c := c.(type) {
		case *instructions.CopyCommand:
			to := filepath.Join(im.root, c.DestPath)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if text, err := exec.Command("cp", "-r", built(c.SourcePaths[0]), to).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, text)
			}
		case *instructions.EnvCommand:
			for _, e := range c.Env {
				im.env = append(im.env, e.Key+"="+e.Value)
			}
		case *instructions.UserCommand:
			im.user = c.User
		case *instructions.EntrypointCommand:
			entry = c.CmdLine
		case *instructions.CmdCommand:
			arguments = c.CmdLine
		}
	}
	im.args = append(entry, arguments...)
	return im
}

func TestDockerfileRunsAsNobody(t *testing.T) {
	all, user := stages(t), ""
	for _, c := range all[len(all)-1].Commands {
		if u, ok := c.(*instructions.UserCommand); ok {
			user = u.User
		}
	}
	if user != "65532:65532" {
		t.Errorf("runs as %q", user)
	}
}

// TestImageRuns starts what the Dockerfile makes as a container engine would: in a root of its own that holds nothing
// but the image's files and is read-only, as the image's user, with the state folder as a volume. It needs root.
func TestImageRuns(t *testing.T) {
	if out, err := exec.Command("unshare", "--mount", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine lets us have no mounts of our own: %v %s", err, out)
	}
	im := assemble(t)
	config := "version: 1\nneo4j: {uri: \"bolt://127.0.0.1:1\"}\njobs: [{name: a, graph: {nodes: [A], relationships: [{type: R}]}, measures: [{measure: degree, nodes: d}]}]\n"
	if err := os.MkdirAll(filepath.Join(im.root, "etc/linchpin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(im.root, "etc/linchpin/linchpin.yml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	script := `mount --bind "$ROOT" "$ROOT" && mount -o remount,bind,ro "$ROOT" && mount -t tmpfs -o uid=65532,gid=65532,mode=0700 tmpfs "$ROOT/var/lib/linchpin" &&
		exec env -u ROOT -u PATH ` + `"$(command -v chroot)" --userspec=` + im.user + ` "$ROOT" "$@"`
	run := exec.Command("unshare", append([]string{"--mount", "sh", "-c", script, "sh"}, im.args...)...)
	run.Env = append(im.env, "ROOT="+im.root, "PATH="+os.Getenv("PATH"), "LINCHPIN_SERVE_LISTEN="+address)
	var log strings.Builder
	run.Stdout, run.Stderr = &log, &log
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	t.Cleanup(func() { _ = run.Process.Kill() })
	ready := ""
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(ready, "cannot reach Neo4j"); time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get("http://" + address + "/readyz"); err == nil {
			text, _ := io.ReadAll(r.Body)
			r.Body.Close()
			ready = string(text)
		}
		if time.Now().After(end) {
			_ = run.Process.Kill()
			<-ended
			t.Fatalf("never up: %s %s", ready, log.String())
		}
	}
	if !strings.Contains(ready, `"state":"ok"`) {
		t.Errorf("the state folder cannot be written: %s", ready)
	}
	proc := fmt.Sprintf("/proc/%d/", run.Process.Pid)
	if status, err := os.ReadFile(proc + "status"); err != nil || !strings.Contains(string(status), "Uid:\t65532\t65532\t65532\t65532") {
		t.Errorf("the process runs as somebody else: %v %s", err, status)
	}
	if err := os.WriteFile(proc+"root/probe", nil, 0o644); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("the root file system can be written: %v", err)
	}
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("after SIGTERM: %v %s", err, log.String())
	}
}
