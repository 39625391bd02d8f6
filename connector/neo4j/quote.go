package neo4j

import "strings"

var identifierEscapes = strings.NewReplacer("`", "``", `\`, `\u005C`)

// quote returns a label, type or property name as it stands in a query; no other function puts names there. Cypher 5
// replaces \uXXXX wherever it stands, in quoted names too, so a backslash is written as its own escape. A name that is
// empty or holds a NUL is quoted like any other, and the server refuses it.
func quote(name string) string { return "`" + identifierEscapes.Replace(name) + "`" }

// quoteAll joins quoted names, for label and type expressions: `A`|`B`.
func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return strings.Join(quoted, "|")
}

// Quote returns a name as Cypher takes it, whatever characters it has.
func Quote(name string) string { return quote(name) }
