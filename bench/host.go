package bench

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Host describes the CPU and its number of threads.
func Host() string {
	return fmt.Sprintf("%s, %d threads", cpuModel("/proc/cpuinfo"), runtime.GOMAXPROCS(0))
}

// cpuModel returns the model that the file names first, or the architecture where there is none.
func cpuModel(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return runtime.GOARCH
}
