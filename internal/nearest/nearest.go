// Package nearest finds the name that was meant when a name was misspelt.
package nearest

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/antzucaro/matchr"
)

// longest is the most bytes of a name that is compared: the distance takes quadratic time.
const longest = 100

// Name returns the name that is closest to what was written, when it is close enough to be what was meant: at most a
// third of its letters differ (to swap two neighbours is one difference), one difference is always forgiven, and three
// letters or more that only one name begins with mean that name.
func Name(written string, names []string) (name string, ok bool) {
	if len(written) > longest || !strings.ContainsFunc(written, unicode.IsLetter) {
		return "", false
	}
	written = strings.ToLower(written)
	if name, ok = begunBy(written, names); ok {
		return name, true
	}
	best := 0
	for _, n := range names {
		if len(n) > longest {
			continue
		}
		d := matchr.OSA(written, strings.ToLower(n))
		if d <= max(1, len([]rune(n))/3) && (!ok || d < best) {
			name, best, ok = n, d, true
		}
	}
	return name, ok
}

// begunBy returns the only name that begins with what was written.
func begunBy(written string, names []string) (name string, ok bool) {
	if len(written) < 3 {
		return "", false
	}
	for _, n := range names {
		if strings.HasPrefix(strings.ToLower(n), written) {
			if ok {
				return "", false
			}
			name, ok = n, true
		}
	}
	return name, ok
}

// DidYouMean returns a hint for a name that is none of the given: the nearest one, or all of them.
func DidYouMean(written string, names []string) string {
	if name, ok := Name(written, names); ok {
		return fmt.Sprintf("did you mean %q?", name)
	}
	if len(names) == 0 {
		return ""
	}
	return "one of " + strings.Join(names, ", ")
}
