package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const folder = "../../docs/pictures/measures"

// TestUpToDate compares the committed files with what the program writes. make pictures mends a difference.
func TestUpToDate(t *testing.T) {
	files, err := draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range committed {
		if _, ok := files[file.Name()]; !ok {
			t.Errorf("%s is in %s, but the program does not write it", file.Name(), folder)
		}
	}
	total := 0
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the program writes: run make pictures", name)
		}
		total += len(want)
	}
	if total > 150_000 {
		t.Errorf("the pictures take %d bytes, want at most 150,000", total)
	}
}

// TestPage demands that the page shows the picture of every measure, and the scores of the table.
func TestPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/measures.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	e, err := newExample()
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.scores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if !strings.Contains(page, "(pictures/measures/"+s.measure.Name+".svg)") {
			t.Errorf("the page lacks the picture of %s", s.measure.Name)
		}
	}
	if want := table(all); !strings.Contains(page, want) {
		t.Errorf("the page lacks this table of scores:\n%s", want)
	}
}
