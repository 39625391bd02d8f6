package hostmem

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestSystemFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "meminfo")
	write(t, path, "MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable:     700 kB\n")
	if got := systemFree(path); got != 700<<10 {
		t.Errorf("got %d", got)
	}
	if got := systemFree(path + "x"); got != math.MaxInt64 {
		t.Errorf("unreadable: got %d", got)
	}
}

func TestCgroupFree(t *testing.T) {
	for name, c := range map[string]struct {
		membership string
		files      map[string]string
		want       int64
	}{
		"version 2, tightest above": {"0::/a/b\n", map[string]string{
			"a/b/memory.max": "max\n", "a/b/memory.current": "50\n",
			"a/memory.max": "1000\n", "a/memory.current": "400\n", "a/memory.stat": "anon 1\ninactive_file 100\n",
		}, 700},
		"version 2 seen from inside a container": {"0::/../../x\n", map[string]string{
			"memory.max": "5000\n", "memory.current": "1000\n",
		}, 4000},
		"version 1": {"5:cpu,memory:/j\n0::/\n", map[string]string{
			"memory/j/memory.limit_in_bytes": "800\n", "memory/j/memory.usage_in_bytes": "300\n",
		}, 500},
		"over the limit": {"0::/\n", map[string]string{"memory.max": "10\n", "memory.current": "30\n"}, 0},
		"no limit":       {"0::/\n", map[string]string{"memory.max": "max\n"}, math.MaxInt64},
		"nonsense":       {"what\n", nil, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for path, text := range c.files {
				write(t, filepath.Join(root, path), text)
			}
			write(t, filepath.Join(root, "membership"), c.membership)
			if got := cgroupFree(filepath.Join(root, "membership"), root, math.MaxInt64); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestAvailableWithLimit(t *testing.T) {
	t.Setenv(LimitVariable, "1K") // far less than the process holds already
	if got, err := Available(); err != nil || got != 0 {
		t.Errorf("got %d, %v", got, err)
	}
	t.Setenv(LimitVariable, "lots")
	if _, err := Available(); err == nil ||
		err.Error() != `LINCHPIN_MEMORY_LIMIT: "lots" is no size such as 512MiB or 8GiB` {
		t.Errorf("got %v", err)
	}
	t.Setenv(LimitVariable, "")
	if got, err := Available(); err != nil || got <= 0 {
		t.Errorf("got %d, %v", got, err)
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"4096": 4096, "512MiB": 512 << 20, "8G": 8 << 30, "1.5 GB": 1_500_000_000, "0": 0, "2k": 2048, "3B": 3,
		"1TiB": 1 << 40,
	} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1XB", "9999999T", "NaN", "1e"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 3 << 30: "3.0 GiB",
		1 << 52: "4096.0 TiB"} {
		if got := FormatBytes(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

func TestPeakResident(t *testing.T) {
	if got := PeakResident(); got < 1<<20 {
		t.Errorf("got %d", got)
	}
}

func TestGuard(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv(LimitVariable, "1GiB")
	Guard()
	if got := debug.SetMemoryLimit(-1); got < 64<<20 || got > 1<<30/10*9 {
		t.Errorf("limit %d", got)
	}
	t.Setenv(LimitVariable, "1K")
	Guard()
	if got := debug.SetMemoryLimit(-1); got != 64<<20 {
		t.Errorf("least limit %d", got)
	}
}
