package config

import (
	"fmt"
	"slices"
	"strings"
)

// Mistake is one thing that is wrong with the config.
type Mistake struct {
	// File, Line and Column say where, counted from 1; Line is 0 when the mistake is in no line.
	File         string
	Line, Column int
	// Variable is the environment variable that the value came from, instead of a place in the file.
	Variable string
	// Path is the key, such as jobs[0].graph.nodes; empty for the file as a whole.
	Path string
	// Message says what is wrong, with the value; Hint says what to do, or is empty.
	Message, Hint string
}

// String returns the mistake in one line, without its hint.
func (m Mistake) String() string {
	var parts []string
	switch {
	case m.Variable != "":
		parts = append(parts, "environment "+m.Variable)
	case m.Line > 0:
		parts = append(parts, fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column))
	default:
		parts = append(parts, m.File)
	}
	if m.Path != "" {
		parts = append(parts, m.Path)
	}
	return strings.Join(append(parts, m.Message), ": ")
}

// Warning is one thing that the config may not mean as it is read.
type Warning struct {
	Mistake
	// Job is the name of the job that it is about.
	Job string
}

// Error is everything that is wrong with a config, in the order of the file.
type Error struct {
	Mistakes []Mistake
	// Rest is the config without the jobs that have mistakes; nil when a mistake concerns more than single jobs.
	Rest *Config
}

// Error returns every mistake with its hint, one line each.
func (e *Error) Error() string {
	lines := make([]string, len(e.Mistakes))
	for i, m := range e.Mistakes {
		lines[i] = m.String()
		if m.Hint != "" {
			lines[i] += " (" + m.Hint + ")"
		}
	}
	return strings.Join(lines, "\n")
}

// sortMistakes orders by place: the environment first, then the lines of the file.
func sortMistakes(all []Mistake) {
	slices.SortStableFunc(all, func(a, b Mistake) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
}
