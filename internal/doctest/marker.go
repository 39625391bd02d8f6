package doctest

import "strings"

// readMarker returns a block that has only what the comment before its fence says.
func readMarker(line string) Block {
	text, ok := strings.CutPrefix(line, "<!--")
	text, ends := strings.CutSuffix(text, "-->")
	if !ok || !ends {
		return Block{}
	}
	key, value, _ := strings.Cut(strings.TrimSpace(text), ":")
	value = strings.TrimSpace(value)
	switch key {
	case "not run":
		return Block{Reason: value}
	case "given":
		return Block{Given: list(value)}
	case "file":
		return Block{File: value}
	case "status":
		return Block{Status: value}
	case "run":
		return Block{Run: true}
	}
	return Block{}
}

func list(value string) []string {
	var all []string
	for _, one := range strings.Split(value, ",") {
		all = append(all, strings.TrimSpace(one))
	}
	return all
}
