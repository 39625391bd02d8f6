package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// decodeFile reads the one document of the file.
func (d *decoder) decodeFile(data []byte, c *Config) {
	file, err := parse(bytes.TrimPrefix(data, []byte("\ufeff"))) // a byte order mark, as editors on Windows write it
	if err != nil {
		var syntax yaml.Error
		if errors.As(err, &syntax) && syntax.GetToken() != nil {
			d.abort(placeOf(syntax.GetToken()), "not YAML: "+oneLine(syntax.GetMessage()), "")
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
	return parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
}

func (d *decoder) abort(at place, message, hint string) {
	d.at[""], d.fatal = at, true
	d.mistake("", message, hint)
}
