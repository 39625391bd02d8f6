package house

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPathOfAJob checks that each step of ARCHITECTURE.md's path names a file that exists, in at most 15 steps.
func TestPathOfAJob(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(data), "\n## 2. ")
	section, _, _ = strings.Cut(section, "\n## 3. ")
	steps := regexp.MustCompile(`(?m)^(\d+)\. (.*)$`).FindAllStringSubmatch(section, -1)
	if len(steps) == 0 || len(steps) > 15 {
		t.Errorf("%d steps", len(steps))
	}
	named := regexp.MustCompile("`([a-z][a-z0-9_/]*\\.(?:go|cu|cuh))`")
	for _, step := range steps {
		if !strings.HasPrefix(step[2], "`") {
			t.Errorf("step %s does not begin with a file", step[1])
		}
	}
	for _, file := range named.FindAllStringSubmatch(section, -1) {
		if _, err := os.Stat(filepath.Join(root, file[1])); err != nil {
			t.Errorf("the path names %s: %v", file[1], err)
		}
	}
}

// old are words that readers stumble over, with what to write instead.
var old = map[string]string{
	"anew": "again", "beside": "next to, with, in addition to", "lest": "so that … not", "whatever": "any, every",
	"but for": "except for", "stands in": "is in", "stand in": "are in", "tight arc": "shortest-path arc",
	"tight arcs": "shortest-path arcs",
	"as it does": "like", "where that is": "if",
}

// TestPlainEnglish reads what users read.
func TestPlainEnglish(t *testing.T) {
	words := slices.Sorted(maps.Keys(old))
	pattern := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
	var files []string
	for _, glob := range []string{"*.md", "docs/*.md", "docs/howto/*.md", "docs/design/*.md", "changelog/*.md",
		"changelog/unreleased/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if word := pattern.FindString(line); word != "" && !strings.Contains(line, `"`+word) {
				t.Errorf("%s:%d: %q; write %s", file, i+1, word, old[strings.ToLower(word)])
			}
		}
	}
}
