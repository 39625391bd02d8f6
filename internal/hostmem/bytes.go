package hostmem

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseBytes reads a size such as 4096, 512MiB, 8G or 1.5 GB. K, M, G and T with or without iB are powers of 1024; with
// B alone, of 1000.
func ParseBytes(text string) (int64, error) {
	s := strings.TrimSpace(text)
	end := len(s)
	for end > 0 && (s[end-1] < '0' || s[end-1] > '9') {
		end--
	}
	x, err := strconv.ParseFloat(s[:end], 64)
	unit, ok := map[string]float64{
		"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40,
		"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	}[strings.ToUpper(strings.TrimSpace(s[end:]))]
	if err != nil || !ok || !(x >= 0) || x*unit > math.MaxInt64/2 {
		return 0, fmt.Errorf("%q is no size such as 512MiB or 8GiB", text)
	}
	return int64(x * unit), nil
}

// FormatBytes writes a size for people, in powers of 1024.
func FormatBytes(n int64) string {
	x, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for x >= 1024 && len(units) > 1 {
		x, units = x/1024, units[1:]
	}
	if units[0] == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", x, units[0])
}
