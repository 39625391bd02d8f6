package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/internal/doctest"
)

// TestDocumentedConfigs reads every config of the README and of docs/, and every part of one: its keys must exist, and
// its values must be allowed. YAML of other programs is left alone.
func TestDocumentedConfigs(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("swordfish"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, path := range documentedPages(t) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range doctest.Blocks(string(page)) {
			whole, ok := wholeConfig(block.Text)
			if block.Language != "yaml" || !ok {
				continue
			}
			read++
			if err := documentedConfig(whole, !strings.HasPrefix(block.Text, "version:"), secret); err != nil {
				t.Errorf("%s, block of line %d: %v", path, block.Line, err)
			}
		}
	}
	if read == 0 {
		t.Error("no page has a config: the blocks are not read")
	}
}

// wholeConfig makes a config of a part of one: some keys of the file, or of a job. YAML with other keys is no config.
func wholeConfig(text string) (string, bool) {
	var keys yaml.MapSlice
	if yaml.Unmarshal([]byte(text), &keys) != nil || len(keys) == 0 {
		return "", false
	}
	named := map[string]bool{}
	for _, k := range keys {
		name, _ := k.Key.(string)
		named[name] = true
	}
	switch {
	case all(named, config.Config{}) && (!named["version"] || strings.HasPrefix(text, "version: 1\n")):
		return complete(named, text), true
	case all(named, config.Job{}):
		return complete(nil, inJob(named, text)), true
	}
	return "", false
}

// all reports whether the struct has all the keys.
func all(named map[string]bool, of any) bool {
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(of)) {
		known[field.Tag.Get("yaml")] = true
	}
	for name := range named {
		if !known[name] {
			return false
		}
	}
	return true
}

// complete adds the keys that a file must have.
func complete(named map[string]bool, text string) string {
	if !named["version"] {
		text = "version: 1\n" + text
	}
	if !named["jobs"] && !strings.Contains(text, "\njobs:\n") {
		text += inJob(map[string]bool{}, "")
	}
	return text
}

// inJob makes a job of some of its keys.
func inJob(named map[string]bool, text string) string {
	for _, needed := range []struct{ key, line string }{
		{"measures", "measures: [{measure: betweenness, nodes: bc}]\n"},
		{"graph", "graph: {nodes: [A], relationships: [{type: B}]}\n"}, {"name", "name: example\n"},
	} {
		if !named[needed.key] {
			text = needed.line + text
		}
	}
	return "jobs:\n  - " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

// files are values that name a file with a secret, which tests do not have in that place.
var files = regexp.MustCompile(`((?:password|secret|token)File: )[^,}\s]+`)

// leftOut are mistakes of a part of a config: what it does not show is missing.
var leftOut = regexp.MustCompile(`^the key \w+ is missing$|^neither relationships nor relationshipQuery `)

// documentedConfig returns the mistakes of a config. A part of one may leave out what the page is not about.
func documentedConfig(whole string, part bool, secret string) error {
	_, err := config.Parse("linchpin.yml", []byte(files.ReplaceAllString(whole, "${1}"+secret)), nil, configChecks())
	mistakes, ok := errors.AsType[*config.Error](err)
	if !ok || !part {
		return err
	}
	left := slices.DeleteFunc(mistakes.Mistakes, func(m config.Mistake) bool { return leftOut.MatchString(m.Message) })
	if len(left) == 0 {
		return nil
	}
	return &config.Error{Mistakes: left}
}

func TestWholeConfig(t *testing.T) {
	for text, wanted := range map[string]bool{
		"version: 1\njobs: []\n": true, "serve:\n  drift: 0.9\n": true, "graph: {nodes: [A]}\n": true,
		"write: {mode: ab}\n": true, "version: 2\nmodels: []\n": false, "apiVersion: v1\n": false, "- a\n": false,
		"services:\n  linchpin: {}\n": false,
	} {
		if _, ok := wholeConfig(text); ok != wanted {
			t.Errorf("%q is a config: %v", text, ok)
		}
	}
	whole, _ := wholeConfig("write: {mode: ab}\n")
	if err := documentedConfig(whole, true, ""); err != nil {
		t.Errorf("%s: %v", whole, err)
	}
	if whole, _ = wholeConfig("write: {mode: abc}\n"); documentedConfig(whole, true, "") == nil {
		t.Errorf("no mistake in %s", whole)
	}
}
