package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/linchpin-graph/linchpin/export"
)

// output is standard output, which remembers that something could not be written, so that commands need not look at
// each line.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// checkOutput finds a file that could not be written after all the work. Nothing of it is left, nor is a file changed
// that is there.
func checkOutput(flag, path string) error {
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return usagef("--%s %s: there is no folder %s", flag, path, folder)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return usagef("--%s %s is a folder", flag, path)
	case err == nil && !info.Mode().IsRegular():
		return nil // to open a pipe could wait for its reader
	}
	p, err := export.CreatePending(path)
	if err != nil {
		return usagef("--%s %s cannot be written: %s", flag, path, plainReason(err))
	}
	p.Discard()
	return nil
}

// printJSON writes one value to standard output, indented.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// table is text in aligned columns.
type table struct {
	header []string
	rows   [][]string
	// right says which columns stand at the right edge, such as numbers.
	right []bool
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the table, two spaces between columns, nothing at the end of lines.
func (t *table) print(w io.Writer) error {
	widths := make([]int, len(t.header))
	all := append([][]string{t.header}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range all {
		var b strings.Builder
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < len(t.right) && t.right[i] {
				b.WriteString(gap + cell + "  ")
			} else {
				b.WriteString(cell + gap + "  ")
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// isTerminal says whether a person reads what is written there.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// onTerminal reports whether a person reads standard output.
func (a *app) onTerminal() bool {
	o, ok := a.stdout.(*output)
	return ok && isTerminal(o.Writer)
}
