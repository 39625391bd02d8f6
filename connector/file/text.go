package file

import (
	"bytes"
	"io"
)

// readText reads an edge list in two or three columns separated by white space.
func readText(t *table) error {
	t.begin(false)
	columns := 0
	for {
		line, err := t.in.next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a, rest := cutWord(line)
		if len(a) == 0 || a[0] == '#' || a[0] == '%' {
			continue
		}
		b, rest := cutWord(rest)
		w, rest := cutWord(rest)
		count := 2
		if len(w) > 0 {
			count = 3
		}
		if extra, _ := cutWord(rest); len(b) == 0 || len(extra) > 0 {
			return t.in.lineErrorf(line, "%d columns; a line has two or three: source, target, weight", len(bytes.Fields(line)))
		}
		if columns == 0 {
			columns = count
			if t.options.Header == WithHeader {
				continue
			}
			t.noteHeader(a, b)
			if t.weighted() && count == 2 && t.rel.DefaultWeight == nil {
				return t.noWeights()
			}
		}
		if count != columns {
			return t.in.lineErrorf(line, "%d columns where the lines before have %d", count, columns)
		}
		if err := t.addTexts(a, b, w, line); err != nil {
			return err
		}
	}
}

// noteHeader says so when the first edge of a file without a header looks like one.
func (t *table) noteHeader(a, b []byte) {
	if known([][]byte{a, b}) == 2 && t.options.Note != nil {
		t.options.Note("the first line is read as an edge between " + quoted(a) + " and " + quoted(b) +
			"; --header takes it as names of columns")
	}
}

// cutWord returns the first word of a line, empty at its end, and what follows. White space is as in ASCII.
func cutWord(line []byte) (word, rest []byte) {
	i := 0
	for i < len(line) && isSpace(line[i]) {
		i++
	}
	j := i
	for j < len(line) && !isSpace(line[j]) {
		j++
	}
	return line[i:j], line[j:]
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
