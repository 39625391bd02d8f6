package file

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/linchpin-graph/linchpin/connector"
)

// errorf is an error about the file as a whole.
func (in *input) errorf(format string, args ...any) error {
	return &connector.Error{Kind: connector.BadData, Msg: in.path + ": " + fmt.Sprintf(format, args...)}
}

// wrap is an error about the file as a whole that keeps its cause.
func (in *input) wrap(what string, err error) error {
	return &connector.Error{Kind: connector.BadData, Msg: in.path + ": " + what, Err: bareError(err)}
}

// lineErrorf is an error about the row read last; text is what stands there.
func (in *input) lineErrorf(text []byte, format string, args ...any) error {
	return in.errorAt(in.at, text, format, args...)
}

// errorAt is an error about a line.
func (in *input) errorAt(line int, text []byte, format string, args ...any) error {
	return &connector.Error{
		Kind: connector.BadData,
		Msg:  fmt.Sprintf("%s: line %d: %s: %s", in.path, line, fmt.Sprintf(format, args...), quoted(text)),
	}
}

// quoted shortens a text to what fits a line of a terminal and quotes it.
func quoted(text []byte) string {
	const most = 60
	text = trimEnd(text)
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(string(text[:cut])) + "..."
}
