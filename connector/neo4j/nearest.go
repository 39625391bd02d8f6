package neo4j

import (
	"slices"
	"strings"
)

// nearest returns the name most like the misspelt one, or "" when none is near, and then some of the names.
func nearest(misspelt string, names []string) (name, some string) {
	best := max(1, len([]rune(misspelt))/3) + 1
	for _, n := range names {
		if d := editDistance(strings.ToLower(misspelt), strings.ToLower(n)); d < best {
			name, best = n, d
		}
	}
	if name != "" {
		return name, ""
	}
	names = slices.Sorted(slices.Values(names))
	if len(names) > 8 {
		names = append(names[:8:8], "...")
	}
	return "", strings.Join(names, ", ")
}

// editDistance counts the letters to insert, remove or replace (Levenshtein).
func editDistance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if len(from) > 200 || len(to) > 200 {
		return 200
	}
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range to {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
