// Package hostmem says how much memory this process can still take, so that what would not fit is refused instead of
// killed.
package hostmem

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// LimitVariable is the environment variable that lowers the limit, such as 512MiB or 8GiB.
const LimitVariable = "LINCHPIN_MEMORY_LIMIT"

// Available returns how many more bytes this process can take: what the system has left, at most what its cgroups
// leave it and what LimitVariable allows it in all. It is math.MaxInt64 where nothing of that can be read. An error
// means that the variable cannot be understood.
func Available() (int64, error) {
	free := cgroupFree("/proc/self/cgroup", "/sys/fs/cgroup", systemFree("/proc/meminfo"))
	text := os.Getenv(LimitVariable)
	if text == "" {
		return free, nil
	}
	limit, err := ParseBytes(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", LimitVariable, err)
	}
	return max(0, min(free, limit-resident("/proc/self/statm"))), nil
}

// Guard makes the garbage collector work harder before the process outgrows what is available, instead of letting the
// heap double. GOMEMLIMIT, when set, stays as it is.
func Guard() {
	const least = 64 << 20 // under this a collector would do nothing but collect
	free, err := Available()
	if err != nil || free == math.MaxInt64 || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(max(least, free/10*9))
}

// spareHeap is how many bytes of garbage Spare lets be, and leastSpare what the process must be allowed in all.
const spareHeap, leastSpare = 64 << 20, 1 << 30

// Spare lets the garbage collector leave some tens of megabytes until release is called, where the limit of Guard is
// far. To read, reduce and order a small graph leaves no more, which otherwise takes a fifth of the processor time to
// collect. They are the size of a slice that nothing touches, so that it takes no memory itself.
func Spare() (release func()) {
	if debug.SetMemoryLimit(-1) < leastSpare {
		return func() {}
	}
	heap := make([]byte, spareHeap)
	return func() { runtime.KeepAlive(heap) }
}

// systemFree reads MemAvailable: free memory, and caches that the system would give up.
func systemFree(meminfo string) int64 {
	f, err := os.Open(meminfo)
	if err != nil {
		return math.MaxInt64
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if words := strings.Fields(s.Text()); len(words) > 1 && words[0] == "MemAvailable:" {
			if kib, err := strconv.ParseInt(words[1], 10, 64); err == nil {
				return kib << 10
			}
		}
	}
	return math.MaxInt64
}

// cgroupFree returns what the cgroups around the process leave it of what is free, of both versions, up to the root.
func cgroupFree(membership, root string, free int64) int64 {
	data, err := os.ReadFile(membership)
	if err != nil {
		return free
	}
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // id:controllers:path
		switch {
		case len(parts) < 3:
		case parts[1] == "":
			free = pathFree(root, parts[2], "memory.max", "memory.current", free)
		case strings.Contains(","+parts[1]+",", ",memory,"):
			free = pathFree(filepath.Join(root, "memory"), parts[2], "memory.limit_in_bytes", "memory.usage_in_bytes", free)
		}
	}
	return free
}

// pathFree goes from a cgroup up to the root: the tightest limit on the way holds. Inside a container the path is
// often not visible and only the root's files are. What could be reclaimed takes a fifth of a millisecond to read, and
// is read where it matters.
func pathFree(root, path, limitFile, usedFile string, free int64) int64 {
	for p := filepath.Clean("/" + path); ; p = filepath.Dir(p) {
		limit, limitOK := readNumber(filepath.Join(root, p, limitFile))
		used, usedOK := readNumber(filepath.Join(root, p, usedFile))
		if limitOK && usedOK && limit-used < free {
			free = min(free, max(0, limit-used+reclaimable(filepath.Join(root, p, "memory.stat"))))
		}
		if p == "/" {
			return free
		}
	}
}

// reclaimable is the page cache that the kernel drops before it refuses memory; it counts as used.
func reclaimable(stat string) int64 {
	data, err := os.ReadFile(stat)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "inactive_file "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
			return n
		}
	}
	return 0
}

// readNumber reads a file that holds one number. "max" is no number.
func readNumber(path string) (int64, bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n, err == nil
}

func resident(statm string) int64 {
	data, err := os.ReadFile(statm)
	if err != nil {
		return 0
	}
	words := strings.Fields(string(data))
	if len(words) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(words[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// PeakResident returns the most memory that this process has held so far, or 0 where the system does not say.
func PeakResident() int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "VmHWM:" {
			kib, _ := strconv.ParseInt(words[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}
