// Package debian tries the packages of a release in a Debian root. scripts/release-check.sh calls it.
package debian

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// deb copies a package of the release into the root.
func (r root) deb(pattern string) string {
	r.t.Helper()
	found, err := filepath.Glob(filepath.Join(variable(r.t, "LINCHPIN_DIST"), pattern))
	if err != nil || len(found) != 1 {
		r.t.Fatalf("%d packages %s: %v", len(found), pattern, err)
	}
	inside := "/tmp/" + filepath.Base(found[0])
	if out, err := exec.Command("cp", found[0], r.path(inside)).CombinedOutput(); err != nil {
		r.t.Fatalf("%v %s", err, out)
	}
	return inside
}

// older makes a package of version 0.0.9 of another one. Its config differs, so that an upgrade meets two changes of
// one file, as it will between releases.
func (r root) older(deb string) string {
	r.t.Helper()
	r.run("dpkg-deb", "-R", deb, "/tmp/older")
	r.run("sed", "-i", "s/^Version: .*/Version: 0.0.9/", "/tmp/older/DEBIAN/control")
	config := "/tmp/older/etc/linchpin/linchpin.yml"
	r.write(config, r.read(config)+"# as 0.0.9 had it\n", 0o644)
	r.run("dpkg-deb", "-Znone", "-b", "/tmp/older", "/tmp/older.deb")
	return "/tmp/older.deb"
}

// installed are the files that users look for, by their modes.
var installed = map[string]os.FileMode{
	"/usr/bin/linchpin":                                  0o755,
	"/lib/systemd/system/linchpin.service":               0o644,
	"/etc/linchpin":                                      0o755 | os.ModeDir,
	"/etc/linchpin/linchpin.yml":                         0o644,
	"/usr/share/man/man1/linchpin.1.gz":                  0o644,
	"/usr/share/man/man1/linchpin-run.1.gz":              0o644,
	"/usr/share/bash-completion/completions/linchpin":    0o644,
	"/usr/share/zsh/vendor-completions/_linchpin":        0o644,
	"/usr/share/fish/vendor_completions.d/linchpin.fish": 0o644,
	"/usr/share/doc/linchpin/copyright":                  0o644,
}

func (r root) checkInstalled() {
	r.t.Helper()
	for name, mode := range installed {
		if info, err := os.Stat(r.path(name)); err != nil || info.Mode() != mode {
			r.t.Errorf("%s: %v %v, mode %v expected", name, err, info, mode)
		}
	}
}

func TestPackageFromInstallToPurge(t *testing.T) {
	r := newRoot(t)
	before := r.files()
	deb := r.deb("linchpin_*_amd64.deb")
	older := r.older(deb)

	out := r.run("dpkg", "-i", older)
	r.checkInstalled()
	if calls := r.systemctl(); calls != "daemon-reload\n" || !strings.Contains(out, "systemctl enable --now linchpin") {
		t.Errorf("an installation calls systemctl %q and prints %s", calls, out)
	}
	r.write("/etc/linchpin/linchpin.yml", r.read("/etc/linchpin/linchpin.yml")+"# ours\n", 0o644)
	r.write("/etc/linchpin/password", "secret\n", 0o600)
	r.write("/etc/linchpin/token", strings.Repeat("0123456789abcdef", 3)+"\n", 0o600)
	r.serve()

	r.write("/var/lib/linchpin/kept", "", 0o600)
	out = r.run("dpkg", "--force-confdef", "--force-confold", "-i", deb)
	r.checkInstalled()
	if calls := r.systemctl(); !strings.Contains(calls, "try-restart linchpin.service\n") ||
		strings.Contains(calls, "disable") {
		t.Errorf("an upgrade calls systemctl %q and prints %s", calls, out)
	}
	if version := r.run("linchpin", "version"); !strings.Contains(version, "linchpin 0.") {
		t.Errorf("version prints %s", version)
	}
	r.checkKept()
	r.serve()

	r.run("dpkg", "-r", "linchpin")
	if calls := r.systemctl(); !strings.Contains(calls, "disable --now linchpin.service\n") {
		t.Errorf("a removal calls systemctl %q", calls)
	}
	if r.has("/usr/bin/linchpin") || r.has("/lib/systemd/system/linchpin.service") {
		t.Error("a removal leaves the program or its unit")
	}
	r.checkKept()

	r.run("dpkg", "-P", "linchpin")
	for _, name := range r.files() {
		if !slices.Contains(before, name) {
			t.Errorf("a purge leaves %s", name)
		}
	}
}

// checkKept looks for what an upgrade and a removal must not touch.
func (r root) checkKept() {
	r.t.Helper()
	if config := r.read("/etc/linchpin/linchpin.yml"); !strings.HasSuffix(config, "# as 0.0.9 had it\n# ours\n") {
		r.t.Errorf("the config was replaced: %s", config)
	}
	for _, name := range []string{"/etc/linchpin/password", "/etc/linchpin/token", "/var/lib/linchpin/kept"} {
		if !r.has(name) {
			r.t.Errorf("%s is gone", name)
		}
	}
	r.ids("linchpin")
}

// TestWorkerPackage installs the worker next to linchpin. Without a driver it cannot start, but all else that it links
// is there.
func TestWorkerPackage(t *testing.T) {
	r := newRoot(t)
	r.run("dpkg", "-i", r.deb("linchpin_*_amd64.deb"), r.deb("linchpin-worker_*_amd64.deb"))
	for line := range strings.Lines(r.run("ldd", "/usr/bin/linchpin-worker")) {
		if strings.Contains(line, "not found") && !strings.Contains(line, "libcuda.so.1 =>") {
			t.Errorf("the worker misses a library: %s", line)
		}
	}
	if drop := r.read("/lib/systemd/system/linchpin.service.d/gpu.conf"); !strings.Contains(drop, "PrivateDevices=no") {
		t.Errorf("the service does not see the GPU: %s", drop)
	}
	r.run("dpkg", "-P", "linchpin-worker", "linchpin")
	if r.has("/usr/bin/linchpin-worker") || r.has("/lib/systemd/system/linchpin.service.d") {
		t.Error("a purge leaves files of the worker")
	}
}
