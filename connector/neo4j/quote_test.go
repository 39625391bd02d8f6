package neo4j

import (
	"regexp"
	"strconv"
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
		"a``b", "`", "```", `\`, `\\`, `\u0060`, `\\u0060`, `\U0060`, `\uuu0060`, "\\`", "a b", "MATCH", "🚆", "é", "e\u0301",
		"\u2028", "\r\n\t",
		"a` DETACH DELETE n //", strings.Repeat("x", 60_000),
	} {
		arrives(t.Errorf, name)
	}
	pieces := rapid.SampledFrom([]string{"`", "``", `\`, `\u`, `\u0060`, "0060", "u", "{", "}", ":", "'", `"`, "//", "/*",
		"$", "\n", "n", "é", "東", "🚆", "\u0085"})
	rapid.Check(t, func(r *rapid.T) {
		name := strings.Join(rapid.SliceOfN(pieces, 1, 12).Draw(r, "pieces"), "")
		if !utf8.ValidString(name) {
			r.Skip()
		}
		arrives(r.Fatalf, name)
	})
}

// FuzzQuote reads quoted names as Cypher 5 does: first \uXXXX anywhere becomes the character, then a name ends at the
// first single backtick. TestQuotedNamesArriveAsTheyAre asks the server itself.
func FuzzQuote(f *testing.F) {
	for _, name := range []string{"Airport", "`", "a``b", `\u0060`, `\\u0060`, "a` DETACH DELETE n //", "é", ""} {
		f.Add(name)
	}
	unicodeEscape := regexp.MustCompile(`\\u+[0-9a-fA-F]{4}`)
	f.Fuzz(func(t *testing.T, name string) {
		if !utf8.ValidString(name) {
			return
		}
		read := unicodeEscape.ReplaceAllStringFunc(quote(name), func(escape string) string {
			code, err := strconv.ParseUint(escape[len(escape)-4:], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return string(rune(code))
		})
		inner := strings.TrimSuffix(strings.TrimPrefix(read, "`"), "`")
		if len(inner) != len(read)-2 || strings.Contains(strings.ReplaceAll(inner, "``", ""), "`") ||
			strings.ReplaceAll(inner, "``", "`") != name {
			t.Errorf("%q is quoted as %q, which is read as %q", name, quote(name), read)
		}
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
