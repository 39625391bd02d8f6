package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestQuotedMessages finds every message that docs/troubleshooting.md quotes in the sources: what stands in backticks
// in the first column of a table. An ellipsis stands for what the message fills in.
func TestQuotedMessages(t *testing.T) {
	page, err := os.ReadFile("../../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	sources := stringsOfSources(t)
	quoted := regexp.MustCompile("`([^`]+)`")
	count, messages := 0, false
	for i, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			messages = false
			continue
		}
		if messages = messages || strings.HasPrefix(line, "| message"); !messages {
			continue
		}
		for _, found := range quoted.FindAllStringSubmatch(cells[1], -1) {
			count++
			for _, part := range strings.Split(found[1], "…") {
				if !strings.Contains(sources, strings.TrimSpace(part)) {
					t.Errorf("line %d: no source has the message %q", i+1, strings.TrimSpace(part))
				}
			}
		}
	}
	if count < 30 {
		t.Errorf("%d messages on the page: its tables are not read", count)
	}
}

// stringsOfSources returns the sources of linchpin without its tests. Texts that are added up over lines are joined.
func stringsOfSources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, room := range []string{"cmd/linchpin", "config", "connector", "engine", "fleet", "jobs", "kernels", "serve"} {
		err := filepath.WalkDir(filepath.Join("../..", room), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return regexp.MustCompile(`"\s*\+\s*"`).ReplaceAllString(all.String(), "")
}
