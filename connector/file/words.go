package file

import (
	"errors"
	"io"
)

// maxWord is the longest word of a METIS file, in bytes; its lines may have any length.
const maxWord = 64

// errEndOfLine is returned by words.next at the end of a line.
var errEndOfLine = errors.New("end of line")

// words reads a METIS file word by word. Lines that start with % are skipped.
type words struct {
	in     *input
	word   []byte
	inLine bool // the line has begun
}

// next returns the next word of the line, errEndOfLine at its end, io.EOF at the end of the file.
func (w *words) next() ([]byte, error) {
	w.word = w.word[:0]
	for {
		c, err := w.in.r.ReadByte()
		if err != nil {
			return w.atEnd(err)
		}
		if err := w.in.check(1); err != nil {
			return nil, err
		}
		if !w.inLine {
			w.begin()
			if c == '%' {
				if err := w.skipLine(); err != nil {
					return nil, err
				}
				continue
			}
		}
		switch {
		case c == '\n':
			if len(w.word) > 0 {
				return w.word, w.in.r.UnreadByte()
			}
			w.inLine = false
			return nil, errEndOfLine
		case isSpace(c):
			if len(w.word) > 0 {
				return w.word, nil
			}
		case len(w.word) == maxWord:
			return nil, w.in.lineErrorf(w.word, "longer than %d bytes without a space", maxWord)
		default:
			w.word = append(w.word, c)
		}
	}
}

func (w *words) begin() {
	w.inLine = true
	w.in.line++
	w.in.at = w.in.line
}

// atEnd ends the last word, then the last line, then the file.
func (w *words) atEnd(err error) ([]byte, error) {
	switch {
	case err != io.EOF:
		return nil, w.in.readError(err)
	case len(w.word) > 0:
		return w.word, nil
	case w.inLine:
		w.inLine = false
		return nil, errEndOfLine
	}
	return nil, io.EOF
}

func (w *words) skipLine() error {
	for {
		c, err := w.in.r.ReadByte()
		if err != nil {
			w.inLine = false
			return w.in.readError(err)
		}
		if err := w.in.check(1); err != nil {
			return err
		}
		if c == '\n' {
			w.inLine = false
			return nil
		}
	}
}

// pastBlank returns the next word, wherever it stands.
func (w *words) pastBlank() ([]byte, error) {
	for {
		word, err := w.next()
		if err != errEndOfLine {
			return word, err
		}
	}
}
