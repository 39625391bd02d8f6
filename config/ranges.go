package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Range is the greatest distance of a pair that counts: a number of hops, or of a weight.
type Range struct {
	// Along is the weight that measures; "" for hops.
	Along string `yaml:"-" json:",omitempty"`
	// Most is the greatest distance.
	Most float64 `yaml:"-"`
	// Each has the greatest distances of several ranges, while the file is read; Load then makes a measure of each.
	Each []float64 `yaml:"-" json:"-"`
}

// String is the number, or the list of numbers in brackets.
func (r *Range) String() string {
	if r.Each == nil {
		return Decimal(r.Most)
	}
	var all []string
	for _, x := range r.Each {
		all = append(all, Decimal(x))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// Decimal writes a range without an exponent.
func Decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// RangeName is the property of the scores within one of several ranges: p_5 of p and 5, p_0_5 of 0.5.
func RangeName(property string, within float64) string {
	if property == "" {
		return ""
	}
	return property + "_" + strings.ReplaceAll(Decimal(within), ".", "_")
}

// split returns a measure for each of its ranges, with properties of their own; the measure itself where it has no list
// of ranges.
func (m *Measure) split() []Measure {
	if m.Within == nil || m.Within.Each == nil {
		return []Measure{*m}
	}
	var out []Measure
	for _, most := range m.Within.Each {
		one := *m
		one.Nodes, one.Relationships = RangeName(m.Nodes, most), RangeName(m.Relationships, most)
		one.Within = &Range{Along: m.Within.Along, Most: most}
		out = append(out, one)
	}
	return out
}

// splitRanges has a measure of each range in place of those with several.
func (c *Config) splitRanges() {
	for i := range c.Jobs {
		var measures []Measure
		for _, m := range c.Jobs[i].Measures {
			measures = append(measures, m.split()...)
		}
		c.Jobs[i].Measures = measures
	}
}

const rangeHint = "write within: 5 for hops, or within: {miles: 500} for the weight miles"

// rangeOf reads a number of hops, or one weight with a number; in place of a number a list of several.
func (d *decoder) rangeOf(n ast.Node, v reflect.Value, path string) {
	r := Range{}
	switch x := n.(type) {
	case *ast.MappingValueNode:
		r.Along, n = x.Key.GetToken().Value, x.Value
	case *ast.MappingNode:
		if len(x.Values) != 1 {
			d.fail(path, fmt.Sprintf("expected one weight, found %d", len(x.Values)), rangeHint)
			return
		}
		r.Along, n = x.Values[0].Key.GetToken().Value, x.Values[0].Value
	}
	list, several := n.(*ast.SequenceNode)
	if !several {
		r.Most = d.distance(n, r.Along, path)
	} else if len(list.Values) == 0 {
		d.fail(path, "the list of ranges is empty", "such as [2, 5, 10]")
	} else {
		d.distances(list, &r, path)
	}
	v.Set(reflect.ValueOf(r))
}

// distances reads several ranges.
func (d *decoder) distances(list *ast.SequenceNode, r *Range, path string) {
	for _, n := range list.Values {
		x := d.distance(n, r.Along, path)
		if slices.Contains(r.Each, x) && !d.failed[path] {
			d.fail(path, fmt.Sprintf("the range %s is listed twice", Decimal(x)), "remove one of the two")
		}
		r.Each = append(r.Each, x)
	}
	r.Most = slices.Max(r.Each)
}

// distance reads the greatest distance of a range.
func (d *decoder) distance(n ast.Node, along, path string) float64 {
	most, ok := numberOf(n)
	_, whole := integerOf(n)
	switch {
	case !ok:
		d.fail(path, "expected a number, found "+found(n), rangeHint)
	case !(most > 0):
		d.fail(path, fmt.Sprintf("%v is not greater than 0", most), rangeHint)
	case most > math.MaxFloat64:
		d.fail(path, fmt.Sprintf("%v is not finite", most), "remove within for no limit")
	case along == "" && !whole:
		d.fail(path, fmt.Sprintf("%v is not a whole number of hops", most), rangeHint)
	}
	return most
}

// checkRange checks that a range is of what the measure's paths are measured by.
func (d *decoder) checkRange(m *Measure, g *Graph, path string) {
	weights := g.weights()
	switch along := m.Within.Along; {
	case along == "" && m.Weighted:
		d.mistake(path, fmt.Sprintf("%s counts hops, and %s follows the weights", m.Within, m.Measure),
			fmt.Sprintf("write within: {%s: %s}, or weighted: false", weights[0], m.Within))
	case along != "" && !m.Weighted:
		d.mistake(path, fmt.Sprintf("%s is a weight, and %s counts hops", along, m.Measure),
			"write a number of hops, or weighted: true")
	case along != "" && !slices.Contains(weights, along):
		d.mistake(path, fmt.Sprintf("%q is not a weight of the graph", along), "it has "+strings.Join(weights, ", "))
	}
}
