package config

import (
	"fmt"
	"strings"
	"unicode"
)

// Nearest returns the name that is closest to what was written, when it is close enough to be what was meant: at most
// a third of its letters differ, one difference is always forgiven, and three letters or more that only one name begins
// with mean that name.
func Nearest(written string, names []string) (name string, ok bool) {
	const longest = 100 // no name is as long, and the distance takes quadratic time
	if len(written) > longest || !strings.ContainsFunc(written, unicode.IsLetter) {
		return "", false
	}
	if written, begun := strings.ToLower(written), 0; len(written) >= 3 {
		for _, n := range names {
			if strings.HasPrefix(strings.ToLower(n), written) {
				name, begun = n, begun+1
			}
		}
		if begun == 1 {
			return name, true
		}
	}
	best := 0
	for _, n := range names {
		d := distance(strings.ToLower(written), strings.ToLower(n))
		if d <= max(1, len(n)/3) && (!ok || d < best) {
			name, best, ok = n, d, true
		}
	}
	return name, ok
}

// DidYouMean returns a hint for a name that is none of the given: the nearest one, or all of them.
func DidYouMean(written string, names []string) string {
	if name, ok := Nearest(written, names); ok {
		return fmt.Sprintf("did you mean %q?", name)
	}
	if len(names) == 0 {
		return ""
	}
	return "one of " + strings.Join(names, ", ")
}

// distance is the Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and
// swaps of neighbours.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range t {
		rows[0][j+1] = j + 1
	}
	for i := range s {
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			d := min(rows[i][j+1]+1, rows[i+1][j]+1, rows[i][j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				d = min(d, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = d
		}
	}
	return rows[len(s)][len(t)]
}
