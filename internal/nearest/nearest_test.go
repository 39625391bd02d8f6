package nearest

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	names := []string{"betweenness", "closeness", "harmonic", "degree", "strength", "größe"}
	for written, want := range map[string]string{
		"betweeness": "betweenness", "Betweenness": "betweenness", "between": "betweenness", "be": "",
		"closenes": "closeness",
		"degre":    "degree", "dergee": "degree", "harmnoic": "harmonic", "pagerank": "", "": "", "größ": "größe",
		strings.Repeat("x", 1e6): "",
	} {
		got, ok := Name(written, names)
		if got != want || ok != (want != "") {
			t.Errorf("%.20q: got %q, %t, want %q", written, got, ok, want)
		}
	}
}
