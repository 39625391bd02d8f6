package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/doctest"
)

// TestDocumentedCommands parses every linchpin command line of the README and of docs/: its command and flags must
// exist. docs/notes are dated and keep what was true then.
func TestDocumentedCommands(t *testing.T) {
	parsed := 0
	for _, path := range documentedPages(t) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range doctest.Blocks(string(page)) {
			for _, command := range block.Commands() {
				args := strings.Fields(command)
				if args[0] != "linchpin" {
					continue
				}
				parsed++
				if err := parses(args[1:]); err != nil {
					t.Errorf("%s, block of line %d: %s: %v", path, block.Line, command, err)
				}
			}
		}
	}
	if parsed == 0 {
		t.Error("no page has a linchpin command: the blocks are not read")
	}
}

func documentedPages(t *testing.T) []string {
	t.Helper()
	pages := []string{"../../README.md"}
	err := filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "notes" {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// parses looks a command up and reads its flags, without running it. What follows a # or an operator of the shell is
// left out.
func parses(args []string) error {
	for i, arg := range args {
		if strings.HasPrefix(arg, "#") || strings.ContainsAny(arg[:1], "|>&;") {
			args = args[:i]
			break
		}
	}
	c, rest, err := newRootCommand(&app{stdout: os.Stdout, stderr: os.Stderr}).Find(args)
	if err != nil {
		return err
	}
	if !c.HasParent() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return knownCommand(c, rest)
	}
	return ignoreHelp(c.ParseFlags(rest))
}

// ignoreHelp takes the answer to --help for none.
func ignoreHelp(err error) error {
	if err != nil && strings.Contains(err.Error(), "help requested") {
		return nil
	}
	return err
}

func TestParsesRefuses(t *testing.T) {
	for _, line := range []string{"runn hubs", "run --no-such-flag hubs"} {
		if parses(strings.Fields(line)) == nil {
			t.Errorf("linchpin %s parses", line)
		}
	}
	for _, line := range []string{"run hubs # tonight", "run --help", "jobs --cypher > file"} {
		if err := parses(strings.Fields(line)); err != nil {
			t.Errorf("linchpin %s: %v", line, err)
		}
	}
}
