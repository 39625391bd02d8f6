package config

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
)

const referencePage = "../docs/reference/config.md"

// TestReference writes the page of all keys from the schema and compares it with the committed one; -update writes it.
func TestReference(t *testing.T) {
	text := reference(t)
	if *update {
		if err := os.WriteFile(referencePage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	committed, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(committed), text); diff != "" {
		t.Errorf("%s is out of date; go test ./config -run TestReference -update:\n%s", referencePage, diff)
	}
}

func reference(t *testing.T) string {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(Schema()), &s); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# All keys of the config\n\nThis page is made from `config/schema.json`. " +
		"`linchpin init` writes a config to begin with, and `linchpin validate` checks one.\n")
	seen := map[string]bool{}
	for next := []string{"Config"}; len(next) > 0; next = next[1:] {
		if seen[next[0]] {
			continue
		}
		seen[next[0]] = true
		next = append(next, writeSection(&b, next[0], s.Definitions[next[0]])...)
	}
	return b.String()
}

// writeSection writes the keys of one mapping, and returns the mappings that they hold.
func writeSection(b *strings.Builder, name string, s *jsonschema.Schema) []string {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", name, s.Description)
	required := map[string]bool{}
	for _, key := range s.Required {
		required[key] = true
	}
	var inner []string
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		value, refs := valueOf(p.Value)
		inner = append(inner, refs...)
		preset := ""
		switch {
		case required[p.Key]:
			preset = "required"
		case p.Value.Default != nil:
			preset = fmt.Sprintf("`%v`", p.Value.Default)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Key, value, preset, strings.ReplaceAll(p.Value.Description, "|", "\\|"))
	}
	return inner
}

// valueOf says what a value may be, and names the mappings in it.
func valueOf(s *jsonschema.Schema) (string, []string) {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name)), []string{name}
	}
	switch {
	case len(s.Enum) > 0:
		var values []string
		for _, v := range s.Enum {
			values = append(values, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(values, ", "), nil
	case s.Items != nil:
		value, refs := valueOf(s.Items)
		return "list: " + value, refs
	case len(s.OneOf) > 0:
		return describeChoice(s.OneOf)
	case s.Type == "":
		return "any", nil
	}
	return s.Type, nil
}

func describeChoice(choice []*jsonschema.Schema) (string, []string) {
	var values, refs []string
	for _, one := range choice {
		value, more := valueOf(one)
		values, refs = append(values, value), append(refs, more...)
	}
	return strings.Join(values, " or "), refs
}
