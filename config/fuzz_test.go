package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse feeds any bytes: there is never a panic, and either a config or mistakes with a message each.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range []string{
		Example(), "", "\x00", "- - -", "{", "&a [*a, *a]", "? {a: b}\n: c", "a: &x {b: *x}", "%YAML 1.2\n---\n",
		"\xef\xbb\xbfversion: 1",
		"jobs: [[[[[[]]]]]]", "1: 2", "version: 0x1", "jobs: |\n  text", "!!binary x", "'", "version: 1\r\njobs: []\r\n",
		"\t",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("fuzz.yml", data, map[string]string{}, schedules)
		var mistakes *Error
		switch {
		case err == nil && c == nil:
			t.Error("neither config nor error")
		case err != nil && (!errors.As(err, &mistakes) || len(mistakes.Mistakes) == 0):
			t.Errorf("an error without mistakes: %v", err)
		case err != nil:
			for _, m := range mistakes.Mistakes {
				if m.Message == "" || m.Line < 0 || m.Column < 0 {
					t.Errorf("a mistake that says nothing: %+v", m)
				}
			}
		}
	})
}
