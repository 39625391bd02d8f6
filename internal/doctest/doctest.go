// Package doctest reads the blocks of a page of documentation and does what they say, so that tests notice what is
// wrong there.
package doctest

import (
	"strings"
)

// Block is a fenced block of a page. A comment on the line before the fence, which only readers of the source see, may
// say how a test treats it.
type Block struct {
	// Language is the first word after the fence: console, sh, cypher, yaml.
	Language string
	// Reason says why the block cannot be run in a test; empty for one that can: <!-- not run: needs a cluster -->.
	Reason string
	// Given names what a reader has before this block, such as a graph in the database: <!-- given: movies -->.
	Given []string
	// File is the name of the file that the reader puts the text into: <!-- file: roads.csv -->.
	File string
	// Run is true for Cypher that the reader executes, in its turn: <!-- run -->.
	Run bool
	// Status is the exit status that its last command ends with, if that is not 0: <!-- status: 1 -->.
	Status string
	// Line is that of the fence, from 1.
	Line int
	Text string
}

// Blocks returns the blocks of a page of Markdown, in order. A block that does not end goes to the end of the page.
func Blocks(page string) []Block {
	var blocks []Block
	var open *Block
	var marked Block
	fence := ""
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case open != nil && trimmed == fence:
			blocks, open = append(blocks, *open), nil
		case open != nil:
			open.Text += line + "\n"
		case strings.HasPrefix(trimmed, "```"):
			info := strings.TrimLeft(trimmed, "`")
			fence = trimmed[:len(trimmed)-len(info)]
			begun := marked
			begun.Language, begun.Line = firstWord(info), i+1
			open, marked = &begun, Block{}
		default:
			marked = readMarker(trimmed)
		}
	}
	if open != nil {
		blocks = append(blocks, *open)
	}
	return blocks
}

// Section returns the part of a page under the first heading that begins with a text, to the next heading of its level
// or a higher one; empty if there is none.
func Section(page, heading string) string {
	var section strings.Builder
	level := 0
	for line := range strings.Lines(page) {
		hashes := len(line) - len(strings.TrimLeft(line, "#"))
		isHeading := hashes > 0 && strings.HasPrefix(line[hashes:], " ")
		switch {
		case level == 0 && isHeading && strings.HasPrefix(line[hashes+1:], heading):
			level = hashes
		case level > 0 && isHeading && hashes <= level:
			return section.String()
		case level > 0:
			section.WriteString(line)
		}
	}
	return section.String()
}

func firstWord(s string) string {
	if words := strings.Fields(s); len(words) > 0 {
		return words[0]
	}
	return ""
}
