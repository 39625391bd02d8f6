package picture

import (
	"strings"
	"unicode"
)

// Entity is what people call a node or a relationship: its name, the names of both ends, or its id.
func Entity(id, name, source, target string) string {
	switch {
	case source != "":
		return join(source, target)
	case name != "":
		return visible(name)
	}
	return visible(id)
}

// visible puts a name of spaces into quotes.
func visible(name string) string {
	if strings.TrimSpace(name) == "" {
		return `"` + name + `"`
	}
	return name
}

// join writes two names next to each other. A name that is written from right to left stays on its side of the dash.
func join(a, b string) string {
	return isolated(a) + " – " + isolated(b)
}

// isolated keeps the direction of a name to itself, with the marks that Unicode has for it.
func isolated(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool {
		return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}) {
		return "\u2068" + name + "\u2069"
	}
	return visible(name)
}
