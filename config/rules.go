package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/internal/nearest"
)

// rules are what a jsonschema tag demands of a value. The decoder and the editor schema read the same tag.
type rules struct {
	required            bool
	enum                []string
	minItems, minLength int
	minimum, maximum    *float64
	above, below        *float64 // exclusive
	pattern             *regexp.Regexp
}

// field is a key of a struct.
type field struct {
	index []int
	rules rules
}

// fieldsOf returns the keys of a struct by name, with those of structs embedded in it.
func fieldsOf(t reflect.Type) map[string]field {
	out := map[string]field{}
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous:
			for name, inner := range fieldsOf(f.Type) {
				inner.index = append(slices.Clone(f.Index), inner.index...)
				out[name] = inner
			}
			continue
		case f.Tag.Get("yaml") == "-":
			continue // not a key of the file
		}
		out[f.Tag.Get("yaml")] = field{f.Index, parseRules(f.Tag.Get("jsonschema"))}
	}
	return out
}

func names(fields map[string]field) []string {
	out := make([]string, 0, len(fields))
	for name := range fields {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// parseRules reads the tag; a comma inside a value stands behind a backslash.
func parseRules(tag string) rules {
	var r rules
	for part := range strings.SplitSeq(strings.ReplaceAll(tag, `\,`, "\x00"), ",") {
		name, value, _ := strings.Cut(strings.ReplaceAll(part, "\x00", ","), "=")
		switch name {
		case "required":
			r.required = true
		case "enum":
			r.enum = append(r.enum, value)
		case "minItems":
			r.minItems, _ = strconv.Atoi(value)
		case "minLength":
			r.minLength, _ = strconv.Atoi(value)
		case "minimum":
			r.minimum = number(value)
		case "maximum":
			r.maximum = number(value)
		case "exclusiveMinimum":
			r.above = number(value)
		case "exclusiveMaximum":
			r.below = number(value)
		case "pattern":
			r.pattern = regexp.MustCompile(value)
		}
	}
	return r
}

func number(s string) *float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil
	}
	return &f
}

// checkRules checks a value that has the right type.
func (d *decoder) checkRules(v reflect.Value, r rules, path string) {
	switch v.Kind() {
	case reflect.String:
		d.checkText(v.String(), r, path)
	case reflect.Int, reflect.Int64:
		d.checkNumber(float64(v.Int()), fmt.Sprint(v.Interface()), r, path)
	case reflect.Float64:
		d.checkNumber(v.Float(), fmt.Sprint(v.Interface()), r, path)
	}
}

func (d *decoder) checkText(s string, r rules, path string) {
	switch {
	case len(s) < r.minLength:
		hint := "give one, or remove the key"
		if r.required || strings.HasSuffix(path, "]") {
			hint = ""
		}
		d.fail(path, "the value is empty", hint)
	case r.enum != nil && !slices.Contains(r.enum, s):
		d.fail(path, fmt.Sprintf("%s is not allowed", shorten(s, 60)), nearest.DidYouMean(s, r.enum))
	case r.pattern != nil && !r.pattern.MatchString(s):
		d.fail(path, fmt.Sprintf("%s is not allowed", shorten(s, 60)), patternHint(path))
	}
}

func (d *decoder) checkNumber(x float64, shown string, r rules, path string) {
	switch {
	case r.enum != nil && !slices.Contains(r.enum, shown):
		d.fail(path, shown+" is not allowed", "it must be "+strings.Join(r.enum, " or "))
	case r.minimum != nil && x < *r.minimum:
		d.fail(path, fmt.Sprintf("%s is less than %v", shown, *r.minimum), "")
	case r.maximum != nil && x > *r.maximum:
		d.fail(path, fmt.Sprintf("%s is more than %v", shown, *r.maximum), "")
	case r.above != nil && x <= *r.above:
		d.fail(path, fmt.Sprintf("%s is not greater than %v", shown, *r.above), "")
	case r.below != nil && x >= *r.below:
		d.fail(path, fmt.Sprintf("%s is not less than %v", shown, *r.below), "")
	}
}
