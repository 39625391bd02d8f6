package debian

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is a Debian without systemd as its first process. A systemctl that only writes down its calls stands where
// maintainer scripts look for it.
type root struct {
	t      *testing.T
	folder string
}

// inside gives the command that follows the root's own /proc and the machine's /dev, as long as it runs.
const inside = `mount --bind /dev "$ROOT/dev" && mount -t proc proc "$ROOT/proc" && exec chroot $CHROOT "$ROOT" "$@"`

func newRoot(t *testing.T) root {
	t.Helper()
	if out, err := exec.Command("unshare", "--mount", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine lets us have no mounts of our own: %v %s", err, out)
	}
	r := root{t, t.TempDir()}
	if out, err := exec.Command("tar", "-xpf", variable(t, "LINCHPIN_ROOT"), "-C", r.folder).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if err := os.MkdirAll(r.path("/run/systemd/system"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("/usr/local/bin/systemctl", "#!/bin/sh\necho \"$@\" >>/run/systemctl.log\n", 0o755)
	r.write("/run/systemctl.log", "", 0o644)
	return r
}

// variable is one that scripts/release-check.sh sets.
func variable(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: `make release-check` makes the packages and the root, and runs this test", name)
	}
	return value
}

func (r root) path(name string) string { return filepath.Join(r.folder, name) }

// command is one that runs in the root. chroot has the options of chroot.
func (r root) command(chroot string, args ...string) *exec.Cmd {
	c := exec.Command("unshare", append([]string{"--mount", "sh", "-c", inside, "sh"}, args...)...)
	c.Env = []string{"ROOT=" + r.folder, "CHROOT=" + chroot,
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"}
	return c
}

func (r root) run(args ...string) string {
	r.t.Helper()
	out, err := r.command("", args...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v: %v %s", args, err, out)
	}
	return string(out)
}

func (r root) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r root) write(name, text string, mode os.FileMode) {
	r.t.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), mode); err != nil {
		r.t.Fatal(err)
	}
}

func (r root) has(name string) bool {
	_, err := os.Lstat(r.path(name))
	return err == nil
}

// systemctl returns the calls since the last time.
func (r root) systemctl() string {
	calls := r.read("/run/systemctl.log")
	r.write("/run/systemctl.log", "", 0o644)
	return calls
}

// passing are files that dpkg and useradd keep for themselves.
var passing = regexp.MustCompile(
	`^(dev|proc|sys|tmp|run|var/lib/dpkg|var/log|var/cache)/|^etc/[a-z]+-$|^etc/\.pwd\.lock$`,
)

// files lists all paths, except those that pass, and the names of users and groups.
func (r root) files() []string {
	r.t.Helper()
	var all []string
	err := filepath.WalkDir(r.folder, func(path string, _ fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(r.folder, path); !passing.MatchString(name) {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range []string{"/etc/passwd", "/etc/group"} {
		for line := range strings.Lines(r.read(f)) {
			all = append(all, f+" "+line)
		}
	}
	return all
}
