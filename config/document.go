package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// decodeFile reads the one document of the file.
func (d *decoder) decodeFile(data []byte, c *Config) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // a byte order mark, as editors on Windows write it
	d.lines = strings.Split(string(data), "\n")
	file, err := parse(data)
	var excess *tooMuch
	if errors.As(err, &excess) {
		d.abort(excess.at, excess.what, "")
		return
	}
	if err != nil {
		var syntax yaml.Error
		if errors.As(err, &syntax) && syntax.GetToken() != nil {
			at := placeOf(syntax.GetToken())
			message, hint := syntaxMessage(syntax.GetMessage(), d.line(at))
			d.abort(at, message, hint)
			return
		}
		d.abort(place{}, "not YAML: "+oneLine(err.Error()), "")
		return
	}
	var documents []ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil && doc.Body.Type() != ast.CommentGroupType {
			documents = append(documents, doc.Body)
		}
	}
	switch {
	case len(documents) == 0:
		d.abort(place{line: 1, column: 1}, "the file is empty", "linchpin init writes one to start from")
		return
	case len(file.Docs) > 1:
		second := file.Docs[1]
		at := place{line: 1, column: 1}
		if second.Start != nil {
			at = placeOf(second.Start)
		}
		d.abort(at, "a second document begins here", "put everything into one document, without ---")
		return
	}
	d.at[""] = place{line: 1, column: 1}
	d.value(documents[0], reflect.ValueOf(c).Elem(), rules{}, "")
}

// parse guards against panics of the parser, which hostile files have been seen to cause.
func parse(data []byte) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser gave up: %v", r)
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if err := bound(tokens); err != nil {
		return nil, err
	}
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// The parser calls itself for each level and for each further key of a mapping, and becomes very slow where these are
// many.
const (
	mostLevels = 100
	mostKeys   = 10_000 // with no element of a list between them
)

// tooMuch is nesting, or a number of keys, that no config has.
type tooMuch struct {
	at   place
	what string
}

func (e *tooMuch) Error() string { return e.what }

// bound refuses what would keep the parser busy for minutes.
func bound(tokens token.Tokens) error {
	brackets, elements, line, keys := 0, 0, 0, 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType: // several of one line stand in each other
			keys = 0
			if t.Position.Line != line {
				elements, line = 0, t.Position.Line
			}
			elements++
		case token.MappingValueType:
			keys++
		}
		switch {
		case brackets+elements > mostLevels:
			return &tooMuch{placeOf(t), fmt.Sprintf("nested more than %d levels deep", mostLevels)}
		case keys > mostKeys:
			return &tooMuch{placeOf(t), fmt.Sprintf("more than %d keys", mostKeys)}
		}
	}
	return nil
}

func (d *decoder) abort(at place, message, hint string) {
	d.at[""], d.fatal = at, true
	d.mistake("", message, hint)
}
