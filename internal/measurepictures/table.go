package main

import (
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/internal/picture"
)

// shown are the nodes of the table of scores.
const shown = "HXPRTAZ"

// table is the table of scores on the page, in Markdown.
func table(all []scored) string {
	var b strings.Builder
	b.WriteString("| measure |")
	for _, name := range shown {
		fmt.Fprintf(&b, " %c |", name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(shown)) + "\n")
	for _, s := range all {
		fmt.Fprintf(&b, "| `%s` |", s.measure.Name)
		for _, name := range shown {
			for i, p := range places {
				if p.name == string(name) {
					fmt.Fprintf(&b, " %s |", picture.Number(s.Nodes[i]))
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
