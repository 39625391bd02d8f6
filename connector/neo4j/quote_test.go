package neo4j

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestQuotedNamesArriveAsTheyAre draws names that try to end their quotation, and asks the real server what it read.
func TestQuotedNamesArriveAsTheyAre(t *testing.T) {
	s, _ := fresh(t)
	arrives := func(fail func(string, ...any), name string) {
		row := s.Query(t, "RETURN keys({"+quote(name)+": 1}) AS k", nil)[0]
		if k := row["k"].([]any); len(k) != 1 || k[0] != name {
			fail("%q arrived as %q", name, k)
		}
	}
	for _, name := range []string{
		"a``b", "`", "```", `\`, `\\`, `\u0060`, `\\u0060`, `\U0060`, `\uuu0060`, "\\`", "a b", "MATCH", "🚆", "é", "e\u0301", "\u2028", "\r\n\t",
		"a` DETACH DELETE n //", strings.Repeat("x", 60_000),
	} {
		arrives(t.Errorf, name)
	}
	pieces := rapid.SampledFrom([]string{"`", "``", `\`, `\u`, `\u0060`, "0060", "u", "{", "}", ":", "'", `"`, "//", "/*", "$", "\n", "n", "é", "東", "🚆", "\u0085"})
	rapid.Check(t, func(r *rapid.T) {
		name := strings.Join(rapid.SliceOfN(pieces, 1, 12).Draw(r, "pieces"), "")
		if !utf8.ValidString(name) {
			r.Skip()
		}
		arrives(r.Fatalf, name)
	})
}

func TestHintAmong(t *testing.T) {
	for misspelt, want := range map[string]string{
		"Airprot": "did you mean Airport?", "airport": "did you mean Airport?", "Xyz": "there are Airport, City, Route",
	} {
		if got := hintAmong(misspelt, []string{"City", "Airport", "Route"}, "there are"); got != want {
			t.Errorf("%s: %q, want %q", misspelt, got, want)
		}
	}
}
