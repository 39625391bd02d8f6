package config

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"betweenness", "closeness", "harmonic", "degree", "strength"}
	for written, want := range map[string]string{
		"betweeness": "betweenness", "Betweenness": "betweenness", "between": "betweenness", "be": "", "closenes": "closeness",
		"degre": "degree", "dergee": "degree", "harmnoic": "harmonic", "pagerank": "", "": "",
		strings.Repeat("x", 1e6): "",
	} {
		got, ok := Nearest(written, names)
		if got != want || ok != (want != "") {
			t.Errorf("%.20q: got %q, %t, want %q", written, got, ok, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"größe", "grösse", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
