package file

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/linchpin-graph/linchpin/connector"
)

// maxLine is the longest line, or quoted CSV row, in bytes. It bounds memory whatever the file holds.
const maxLine = 1 << 20

// input is a text file that is read line by line.
type input struct {
	path     string
	ctx      context.Context
	progress connector.Progress

	file *os.File
	size int64 // on disk
	raw  *counter
	r    *bufio.Reader
	line int // number of the line read last, from 1
	at   int // number of the first line of the row read last
	rows int64
	// expected is how many rows there are, where the file says so in front.
	expected int64
	// unchecked is how many bytes were read since the context was last looked at.
	unchecked int
}

// counter counts the bytes taken from the file.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// open opens a text file, unzipping it if asked to.
func open(ctx context.Context, path string, zipped bool) (*input, error) {
	info, err := checkRegular(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &connector.Error{Kind: connector.BadData, Msg: fmt.Sprintf("%s: cannot be read", path),
			Err: bareError(err)}
	}
	in := &input{path: path, ctx: ctx, file: f, size: info.Size(), raw: &counter{r: f}}
	var r io.Reader = in.raw
	if zipped {
		z, err := gzip.NewReader(bufio.NewReaderSize(in.raw, 1<<18))
		if err != nil {
			f.Close()
			return nil, in.errorf("not a gzip file, although its name ends in .gz")
		}
		r = z
	}
	in.r = bufio.NewReaderSize(r, maxLine)
	return in, in.skipMark(zipped)
}

// skipMark skips the byte order mark of UTF-8 and notices other encodings early.
func (in *input) skipMark(zipped bool) error {
	head, _ := in.r.Peek(3)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err := in.r.Discard(3)
		return err
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")):
		in.file.Close()
		return in.errorf("written in UTF-16; save it as UTF-8")
	case !zipped && bytes.HasPrefix(head, []byte("\x1f\x8b")):
		in.file.Close()
		return in.errorf("compressed with gzip; let its name end in .gz")
	}
	return nil
}

// next returns the next line with its line end. It is valid until the next call. At the end the error is io.EOF.
func (in *input) next() ([]byte, error) {
	line, err := in.r.ReadSlice('\n')
	if len(line) > 0 {
		in.line++
		in.at = in.line
	}
	switch {
	case err == nil || err == io.EOF && len(line) > 0:
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, in.lineErrorf(line, "longer than %d bytes", maxLine)
	default:
		return nil, in.readError(err)
	}
	if err := in.check(len(line)); err != nil {
		return nil, err
	}
	if bytes.IndexByte(line, 0) >= 0 {
		return nil, in.lineErrorf(line, "holds a NUL byte; is this a text file?")
	}
	if !utf8.Valid(line) {
		return nil, in.lineErrorf(line, "not valid UTF-8")
	}
	return line, nil
}

// check looks at the context after every megabyte.
func (in *input) check(read int) error {
	if in.unchecked += read; in.unchecked < 1<<20 {
		return nil
	}
	in.unchecked = 0
	return in.ctx.Err()
}

// readError says in plain words why reading stopped; io.EOF stays io.EOF.
func (in *input) readError(err error) error {
	switch {
	case err == io.EOF:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return in.errorf("the compressed data breaks off after line %d; the file is truncated", in.line)
	default:
		return in.wrap(fmt.Sprintf("cannot be read after line %d", in.line), err)
	}
}

// tick tells progress, some thousand rows at a time.
func (in *input) tick(rows int) error {
	in.rows += int64(rows)
	if in.progress != nil && in.expected > 0 {
		in.progress(in.rows, in.expected)
		return in.ctx.Err()
	}
	if in.progress != nil && in.raw != nil && in.raw.n > 0 {
		in.progress(in.rows, max(in.rows, int64(float64(in.rows)/float64(in.raw.n)*float64(in.size))))
	}
	return in.ctx.Err()
}

// trimEnd removes the line end, LF or CR LF.
func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
		if n > 1 && line[n-2] == '\r' {
			line = line[:n-2]
		}
	}
	return line
}

// bareError leaves out the path that errors of package os carry, since ours name it already.
func bareError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// peekLine returns the first line that is not blank, without its line end and without taking it: as much of it as the
// buffer holds, and nothing at the end of the file.
func (in *input) peekLine() ([]byte, error) {
	for n := 1 << 10; ; n *= 2 {
		head, err := in.r.Peek(min(n, maxLine))
		line := bytes.TrimLeft(head, "\r\n")
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			return trimEnd(line[:i+1]), nil
		}
		switch {
		case err == io.EOF || n >= maxLine:
			return line, nil
		case err != nil:
			return nil, in.readError(err)
		}
	}
}
