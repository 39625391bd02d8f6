// Package doctest reads the blocks of a page of documentation, so that tests can do what the page says.
package doctest

import (
	"strings"
)

// Block is a fenced block of a page.
type Block struct {
	// Language is the first word after the fence: console, sh, cypher, yaml.
	Language string
	// Reason says why the block cannot be run in a test; empty for one that can. It stands in a comment on the line
	// before the fence, where readers of the source see it: <!-- not run: needs a cluster -->.
	Reason string
	// Line is that of the fence, from 1.
	Line int
	Text string
}

// Blocks returns the blocks of a page of Markdown, in order. A block that does not end goes to the end of the page.
func Blocks(page string) []Block {
	var blocks []Block
	var open *Block
	fence, reason := "", ""
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case open != nil && trimmed == fence:
			blocks, open, reason = append(blocks, *open), nil, ""
		case open != nil:
			open.Text += line + "\n"
		case strings.HasPrefix(trimmed, "```"):
			info := strings.TrimLeft(trimmed, "`")
			fence = trimmed[:len(trimmed)-len(info)]
			open = &Block{Language: firstWord(info), Reason: reason, Line: i + 1}
		default:
			reason = notRun(trimmed)
		}
	}
	if open != nil {
		blocks = append(blocks, *open)
	}
	return blocks
}

func firstWord(s string) string {
	if words := strings.Fields(s); len(words) > 0 {
		return words[0]
	}
	return ""
}

// notRun returns the reason in the comment that marks the block on the next line.
func notRun(line string) string {
	rest, ok := strings.CutPrefix(line, "<!-- not run:")
	if !ok {
		return ""
	}
	rest, _ = strings.CutSuffix(rest, "-->")
	return strings.TrimSpace(rest)
}

// Commands returns the commands of a block: each line of sh, and in console those after a prompt, the rest being output.
// A line that ends with a backslash goes on in the next; comments and empty lines are left out.
func (b Block) Commands() []string {
	if b.Language != "sh" && b.Language != "console" {
		return nil
	}
	var commands []string
	joined, continues := "", false
	for _, line := range strings.Split(b.Text, "\n") {
		line = strings.TrimSpace(line)
		if b.Language == "console" && !continues {
			prompted, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			line = prompted
		}
		line, continues = strings.CutSuffix(line, "\\")
		joined += line
		if continues {
			continue
		}
		if joined != "" && !strings.HasPrefix(joined, "#") {
			commands = append(commands, joined)
		}
		joined = ""
	}
	return commands
}
