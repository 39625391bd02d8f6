// Package movies holds a small graph of films and people; see NOTICE.
package movies

import (
	_ "embed"
	"strings"
)

//go:embed movies.cypher
var text string

// Statements returns the Cypher statements that make the graph in an empty database.
func Statements() []string {
	var all []string
	for _, statement := range strings.Split(text, ";\n") {
		if strings.TrimSpace(statement) != "" {
			all = append(all, statement)
		}
	}
	return all
}
