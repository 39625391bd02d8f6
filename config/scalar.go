package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// scalar reads a single value: text, number, bool, duration or password.
func (d *decoder) scalar(n ast.Node, v reflect.Value, r rules, path string) {
	if v.Type() == reflect.TypeFor[Password]() {
		text, ok := textOf(n)
		if !ok { // without the value: it may be the password
			d.fail(path, "expected text, found "+kind(n), "put quotes around it")
			return
		}
		v.Set(reflect.ValueOf(NewPassword(text)))
		return
	}
	if !assign(n, v) {
		d.fail(path, fmt.Sprintf("expected %s, found %s", describe(v.Type()), found(n)), typeHint(n, v.Type()))
		return
	}
	d.checkRules(v, r, path)
}

// assign sets v when the node holds a value of its type.
func assign(n ast.Node, v reflect.Value) bool {
	if v.Type() == reflect.TypeFor[time.Duration]() {
		text, ok := textOf(n)
		t, err := time.ParseDuration(text)
		v.SetInt(int64(t))
		return ok && err == nil
	}
	switch v.Kind() {
	case reflect.String:
		text, ok := textOf(n)
		v.SetString(text)
		return ok
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if ok {
			v.SetBool(b.Value)
		}
		return ok
	case reflect.Int, reflect.Int64:
		i, ok := integerOf(n)
		v.SetInt(i)
		return ok
	case reflect.Float64:
		f, ok := numberOf(n)
		v.SetFloat(f)
		return ok
	}
	return false
}

// anything reads a text, a number, a truth value, or a list of these.
func (d *decoder) anything(n ast.Node, v reflect.Value, path string) {
	if several, ok := n.(*ast.SequenceNode); ok {
		all := make([]any, len(several.Values))
		v.Set(reflect.ValueOf(all))
		for i, element := range several.Values {
			key := fmt.Sprintf("%s[%d]", path, i)
			if all[i], ok = plainOf(element); !ok {
				d.fail(key, "expected text, a number, true or false, found "+found(element), "")
				d.failed[path] = true
			}
		}
		return
	}
	x, ok := plainOf(n)
	if !ok {
		d.fail(path, "expected text, a number, true or false, found "+found(n), "")
		return
	}
	v.Set(reflect.ValueOf(x))
}

func plainOf(n ast.Node) (any, bool) {
	if b, ok := n.(*ast.BoolNode); ok {
		return b.Value, true
	}
	if i, ok := integerOf(n); ok {
		return i, true
	}
	if f, ok := numberOf(n); ok {
		return f, true
	}
	return textOf(n)
}

func textOf(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.StringNode:
		return x.Value, true
	case *ast.LiteralNode:
		return x.Value.Value, true
	}
	return "", false
}

func integerOf(n ast.Node) (int64, bool) {
	x, ok := n.(*ast.IntegerNode)
	if !ok {
		return 0, false
	}
	switch i := x.Value.(type) {
	case int64:
		return i, true
	case uint64:
		return int64(i), i <= math.MaxInt64
	}
	return 0, false
}

func numberOf(n ast.Node) (float64, bool) {
	switch x := n.(type) {
	case *ast.FloatNode:
		return x.Value, !math.IsInf(x.Value, 0) && !math.IsNaN(x.Value)
	case *ast.StringNode: // 1e-9 is a number in YAML 1.2, but the parser knows it as text
		if isPlainNumber(x) {
			f, err := strconv.ParseFloat(x.Value, 64)
			return f, err == nil
		}
	}
	i, ok := integerOf(n)
	return float64(i), ok
}

var numberPattern = regexp.MustCompile(`^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// percentOf reads a text such as 10%.
func percentOf(text string) (float64, bool) {
	digits, ok := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	return x, ok && err == nil
}

// isPlainNumber says whether text without quotes reads as a number.
func isPlainNumber(n *ast.StringNode) bool {
	return n.Token.Type == token.StringType && numberPattern.MatchString(n.Value)
}

// describe names a type for people.
func describe(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "a duration such as 30s"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return "text"
}

// kind names what a node holds, without its value.
func kind(n ast.Node) string {
	switch x := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "keys and values"
	case *ast.SequenceNode:
		return "a list"
	case *ast.BoolNode:
		return "a truth value"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.StringNode:
		if isPlainNumber(x) {
			return "a number"
		}
		return "text"
	case *ast.LiteralNode:
		return "text"
	}
	return "something else"
}

// found names what a node holds, with its value when that is short.
func found(n ast.Node) string {
	const longest = 60
	switch x := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		return kind(n)
	case *ast.StringNode:
		if isPlainNumber(x) {
			return x.Value
		}
		return "text " + shorten(x.Value, longest)
	case *ast.LiteralNode:
		return "text " + shorten(x.Value.Value, longest)
	}
	return n.GetToken().Value
}

func shorten(s string, longest int) string {
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

func typeHint(n ast.Node, want reflect.Type) string {
	text, isText := textOf(n)
	percent, isPercent := percentOf(text)
	switch {
	case want == reflect.TypeFor[time.Duration]():
		return "units are ms, s, m and h"
	case want.Kind() == reflect.String && kind(n) != "a list" && kind(n) != "keys and values":
		return "put quotes around it"
	case want.Kind() == reflect.Float64 && isPercent:
		return fmt.Sprintf("write %v", percent/100)
	case want.Kind() == reflect.Bool && isText && (text == "yes" || text == "on"):
		return "write true"
	case want.Kind() == reflect.Bool && isText && (text == "no" || text == "off"):
		return "write false"
	}
	return ""
}
