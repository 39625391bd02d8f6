package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// place is where a value came from: a line and column of the file, or a variable of the environment.
type place struct {
	line, column int
	variable     string
}

// decoder walks the syntax tree of the file into the structs and notes where each key stands. Libraries' strict
// decoders stop at the first mistake; this one goes on.
type decoder struct {
	file     string
	at       map[string]place
	failed   map[string]bool // keys whose value could not be read: later checks leave them alone
	anchors  map[string]ast.Node
	lines    []string // of the file
	mistakes []Mistake
	warnings []Mistake // of jobs that are valid all the same
	fatal    bool      // there is no tree to go on with
}

// defaulter is a list element that has defaults.
type defaulter interface{ setDefaults() }

func newDecoder(file string) *decoder {
	return &decoder{file: file, at: map[string]place{}, failed: map[string]bool{}, anchors: map[string]ast.Node{}}
}

// mistake notes a mistake at a key, or at the nearest key around it that has a place.
func (d *decoder) mistake(path, message, hint string) {
	d.mistakes = append(d.mistakes, d.about(path, message, hint))
}

// warn notes a warning at a key, or at the nearest key around it that has a place.
func (d *decoder) warn(path, message, hint string) {
	d.warnings = append(d.warnings, d.about(path, message, hint))
}

func (d *decoder) about(path, message, hint string) Mistake {
	p, around := d.at[path], path
	for p == (place{}) && around != "" {
		around = around[:max(0, strings.LastIndexAny(around, ".["))]
		p = d.at[around]
	}
	return Mistake{File: d.file, Line: p.line, Column: p.column, Variable: p.variable, Path: path, Message: message,
		Hint: hint}
}

// fail notes a mistake in the value of a key itself.
func (d *decoder) fail(path, message, hint string) {
	d.failed[path] = true
	d.mistake(path, message, hint)
}

// value reads a node into v and checks the rules of its key.
func (d *decoder) value(n ast.Node, v reflect.Value, r rules, path string) {
	if path != "" && n != nil {
		d.at[path] = placeOfNode(n)
	}
	n, ok := d.resolve(n, path)
	if !ok {
		return
	}
	if _, null := n.(*ast.NullNode); null {
		d.fail(path, "no value", "give one, or remove the key")
		return
	}
	switch {
	case v.Type() == reflect.TypeFor[Devices]():
		d.devices(n, v, path)
	case v.Type() == reflect.TypeFor[Range]():
		d.rangeOf(n, v, path)
	case v.Type() == reflect.TypeFor[Sample]():
		d.sample(n, v, path)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), r, path)
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[Password]():
		if text, ok := textOf(n); ok && readsText(v.Type()) {
			d.shortForm(text, v, path)
			return
		}
		d.mapping(n, v, path)
	case v.Kind() == reflect.Interface:
		d.anything(n, v, path)
	case v.Kind() == reflect.Slice:
		d.sequence(n, v, r, path)
	default:
		d.scalar(n, v, r, path)
	}
}

// resolve follows anchors and aliases to the value that they stand for.
func (d *decoder) resolve(n ast.Node, path string) (ast.Node, bool) {
	const most = 16 // an alias that leads to itself would go on for ever
	for range most {
		switch x := n.(type) {
		case nil:
			d.fail(path, "no value", "give one, or remove the key")
			return nil, false
		case *ast.AnchorNode:
			d.anchors[x.Name.GetToken().Value] = x.Value
			n = x.Value
		case *ast.AliasNode:
			name := x.Value.GetToken().Value
			target, ok := d.anchors[name]
			if !ok {
				d.unknownAlias(x, name, path)
				return nil, false
			}
			n = target
		case *ast.TagNode:
			d.fail(path, fmt.Sprintf("the tag %s is not read here", x.Start.Value), "remove it")
			return nil, false
		default:
			return n, true
		}
	}
	d.fail(path, "an alias that leads to itself", "")
	return nil, false
}

// unknownAlias notes an alias that stands for nothing, which is often text that needs quotes.
func (d *decoder) unknownAlias(n *ast.AliasNode, name, path string) {
	if hint := quotesHint(d.line(placeOf(n.GetToken()))); hint != "" && strings.Contains(hint, " *") {
		d.fail(path, "in YAML, text that begins with * is the name of another value", hint)
		return
	}
	d.fail(path, fmt.Sprintf("*%s stands for nothing", name), fmt.Sprintf("mark a value above with &%s", name))
}

// line returns the line of the file that a place is in.
func (d *decoder) line(p place) string {
	if p.line < 1 || p.line > len(d.lines) {
		return ""
	}
	return strings.TrimSuffix(d.lines[p.line-1], "\r")
}

// mapping reads the keys of a struct.
func (d *decoder) mapping(n ast.Node, v reflect.Value, path string) {
	var entries []*ast.MappingValueNode
	switch x := n.(type) {
	case *ast.MappingNode:
		entries = x.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{x}
	default:
		d.fail(path, "expected keys and values, found "+found(n), structHint(n, v.Type(), path))
		return
	}
	fields := fieldsOf(v.Type())
	first := map[string]int{}
	for _, e := range entries {
		d.entry(e, v, fields, path, first)
	}
	for _, name := range names(fields) {
		if fields[name].rules.required && first[name] == 0 {
			d.mistake(path, "the key "+name+" is missing", exampleOf(name))
		}
	}
}

// texter is a struct that may be written as a text alone.
type texter interface {
	// setText takes the text, and returns the key that it stands for.
	setText(text string) (key string)
}

func readsText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[texter]())
}

// shortForm reads a struct that is written as a text alone.
func (d *decoder) shortForm(text string, v reflect.Value, path string) {
	key := v.Addr().Interface().(texter).setText(text)
	d.at[join(path, key)] = d.at[path]
	d.checkText(text, fieldsOf(v.Type())[key].rules, join(path, key))
}

// structHint says how something that has keys is written.
func structHint(n ast.Node, t reflect.Type, path string) string {
	if text, ok := textOf(n); ok && t == reflect.TypeFor[Condition]() {
		return conditionHint(text, path)
	}
	return exampleOf(path)
}

// entry reads one key of a struct and its value.
func (d *decoder) entry(e *ast.MappingValueNode, v reflect.Value, fields map[string]field, path string,
	first map[string]int) {
	token := e.Key.GetToken()
	name, key := token.Value, join(path, token.Value)
	f, known := fields[name]
	switch {
	case e.Key.IsMergeKey():
		d.misplaced(token, path, "merge keys (<<) are not read here", "write the keys out, or use *name for a whole value")
	case !known:
		d.misplaced(token, key, "unknown key", keyHint(name, names(fields)))
	case first[name] != 0:
		d.misplaced(token, key, fmt.Sprintf("the key stands twice; first in line %d", first[name]), "keep one of them")
	default:
		first[name] = token.Position.Line
		d.at[key] = placeOf(token)
		d.value(e.Value, v.FieldByIndex(f.index), f.rules, key)
	}
}

// misplaced notes a mistake in a key rather than a value.
func (d *decoder) misplaced(t *token.Token, path, message, hint string) {
	p := placeOf(t)
	d.mistakes = append(d.mistakes, Mistake{
		File: d.file, Line: p.line, Column: p.column, Path: path, Message: message, Hint: hint,
	})
}

// sequence reads a list. The rules are those of the list's key: how many elements it needs.
func (d *decoder) sequence(n ast.Node, v reflect.Value, r rules, path string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		hint := "write - before each element"
		text, isText := textOf(n)
		switch element := v.Type().Elem(); {
		case isText && (element.Kind() == reflect.String || readsText(element)):
			hint = fmt.Sprintf("write [%s]", text)
		case isText:
			hint = structHint(n, element, path)
		}
		d.fail(path, "expected a list, found "+found(n), hint)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
	for i, element := range list.Values {
		target := v.Index(i)
		if x, ok := target.Addr().Interface().(defaulter); ok {
			x.setDefaults()
		}
		key := fmt.Sprintf("%s[%d]", path, i)
		d.value(element, target, rules{minLength: 1}, key)
	}
	if len(list.Values) < r.minItems {
		d.fail(path, "the list is empty", exampleOf(path))
	}
}

func placeOf(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{line: 1, column: 1}
	}
	return place{line: t.Position.Line, column: t.Position.Column}
}

// placeOfNode is where a value begins. The tree keeps a mapping in block style at its first colon.
func placeOfNode(n ast.Node) place {
	switch x := n.(type) {
	case *ast.MappingNode:
		if !x.IsFlowStyle && len(x.Values) > 0 {
			return placeOf(x.Values[0].Key.GetToken())
		}
	case *ast.MappingValueNode:
		return placeOf(x.Key.GetToken())
	}
	return placeOf(n.GetToken())
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
