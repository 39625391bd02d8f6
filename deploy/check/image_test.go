package check

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// image is what deploy/image makes, unpacked.
type image struct {
	root, user string
	env, args  []string
}

// imageConfig has the parts of an OCI config that tests look at.
type imageConfig struct {
	Architecture string
	Config       struct {
		User                 string
		Env, Entrypoint, Cmd []string
		Labels               map[string]string
	}
}

func command(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = folder, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false "+os.Getenv("GOFLAGS"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v %s", name, args, err, out)
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// assemble builds the image twice, with the same bytes, and unpacks its layers.
func assemble(t *testing.T) (image, imageConfig) {
	t.Helper()
	work := t.TempDir()
	binary, archive, layout := filepath.Join(work, "linchpin"), filepath.Join(work, "image.tar"),
		filepath.Join(work, "layout")
	command(t, "../..", "go", "build", "-ldflags", "-X main.version=0.1.0", "-o", binary, "./cmd/linchpin")
	command(t, "../image", "go", "build", "-o", filepath.Join(work, "image"), ".")
	for _, out := range []string{archive, archive + ".again"} {
		command(t, work, "./image", "-binary", binary, "-arch", runtime.GOARCH, "-version", "0.1.0", "-commit", "abc",
			"-created", "1700000000", "-out", out)
	}
	command(t, work, "cmp", archive, archive+".again")
	im := image{root: filepath.Join(work, "root")}
	for _, folder := range []string{layout, im.root} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command(t, layout, "tar", "-xf", archive)
	var manifest []struct {
		Config           string
		RepoTags, Layers []string
	}
	readJSON(t, filepath.Join(layout, "manifest.json"), &manifest)
	if len(manifest) != 1 || !slices.Equal(manifest[0].RepoTags, []string{"linchpin:0.1.0"}) {
		t.Fatalf("manifest.json is %+v", manifest)
	}
	for _, layer := range manifest[0].Layers {
		command(t, im.root, "tar", "-xpzf", filepath.Join(layout, layer))
	}
	var config imageConfig
	readJSON(t, filepath.Join(layout, manifest[0].Config), &config)
	c := config.Config
	im.user, im.env, im.args = c.User, c.Env, append(c.Entrypoint, c.Cmd...)
	return im, config
}

// checkConfig looks at what the image says of itself, and at the certificates that TLS needs.
func checkConfig(t *testing.T, im image, config imageConfig) {
	t.Helper()
	if im.user != "65532:65532" {
		t.Errorf("runs as %q", im.user)
	}
	labels := config.Config.Labels
	if config.Architecture != runtime.GOARCH || labels["org.opencontainers.image.version"] != "0.1.0" ||
		labels["org.opencontainers.image.revision"] != "abc" {
		t.Errorf("the image says of itself %+v", config)
	}
	roots, err := os.ReadFile(filepath.Join(im.root, "etc/ssl/certs/ca-certificates.crt"))
	if err != nil || !x509.NewCertPool().AppendCertsFromPEM(roots) {
		t.Errorf("no root certificates: %v", err)
	}
}

// TestImageRuns starts what deploy/image makes as a container engine would: in a root of its own that holds nothing
// but the image's files and is read-only, as the image's user, with the state folder as a volume. It needs root.
func TestImageRuns(t *testing.T) {
	if out, err := exec.Command("unshare", "--mount", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine lets us have no mounts of our own: %v %s", err, out)
	}
	im, config := assemble(t)
	checkConfig(t, im, config)
	jobs := "version: 1\nneo4j: {uri: \"bolt://127.0.0.1:1\"}\njobs: [{name: a, graph: {nodes: [A], relationships: [{type: R}]}, measures: [{measure: degree, nodes: d}]}]\n"
	if err := os.MkdirAll(filepath.Join(im.root, "etc/linchpin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(im.root, "etc/linchpin/linchpin.yml"), []byte(jobs), 0o644); err != nil {
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
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(ready,
		"cannot reach Neo4j"); time.Sleep(50 * time.Millisecond) {
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
	if status, err := os.ReadFile(proc + "status"); err != nil ||
		!strings.Contains(string(status), "Uid:\t65532\t65532\t65532\t65532") {
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
