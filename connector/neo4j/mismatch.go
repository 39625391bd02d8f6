package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// valuesAtMost is the number of a property's values that its types are told from.
const valuesAtMost = 1000

// noNode is the error of a graph without nodes, with the types of the properties that where compares.
func (db *DB) noNode(ctx context.Context, p connector.Projection) error {
	switch {
	case p.AllNodes && len(p.Where) == 0:
		return &connector.Error{Kind: connector.Empty, Msg: "the database has no nodes"}
	case len(p.Where) == 0:
		return &connector.Error{Kind: connector.Empty, Msg: fmt.Sprintf("no node has a label of %v", p.Labels)}
	}
	e := &connector.Error{Kind: connector.Empty, Msg: fmt.Sprintf("no node with a label of %v meets the conditions "+
		"of where", p.Labels)}
	if p.AllNodes {
		e.Msg = "no node meets the conditions of where"
	}
	var have []string
	for _, c := range p.Where {
		v, err := db.valuesOf(ctx, nodesOf(p), c.Property)
		if err != nil {
			return err
		}
		have = append(have, v.compared(c))
	}
	e.Hint = strings.Join(have, "; ")
	return e
}

func nodesOf(p connector.Projection) string { return "(x" + labelsOf(p) + ")" }

// mismatches returns a line for each condition that compares a property with a value of a type that it never has.
func (db *DB) mismatches(ctx context.Context, p connector.Projection) ([]string, error) {
	out, err := db.mismatchesIn(ctx, nodesOf(p), p.Where)
	for _, r := range p.Relationships {
		if err != nil {
			return nil, err
		}
		var more []string
		more, err = db.mismatchesIn(ctx, "()-[x:"+quote(r.Type)+"]->()", r.Where)
		out = append(out, more...)
	}
	return out, err
}

func (db *DB) mismatchesIn(ctx context.Context, pattern string, conditions []connector.Condition) ([]string, error) {
	var out []string
	for _, c := range conditions {
		v, err := db.valuesOf(ctx, pattern, c.Property)
		if err != nil {
			return nil, err
		}
		if !v.comparable(c) {
			out = append(out, v.compared(c))
		}
	}
	return out, nil
}

// values are some of a property's, by their type.
type values map[string][]any

// valuesOf looks at a property of the first entities of a pattern, which has the variable x.
func (db *DB) valuesOf(ctx context.Context, pattern, property string) (values, error) {
	name := "x." + quote(property)
	rows, err := db.query(ctx, "estimate", "MATCH "+pattern+" WITH x LIMIT $look WITH "+name+
		" AS v WHERE v IS NOT NULL WITH v LIMIT $values RETURN collect(v)",
		map[string]any{"look": db.lookAtMost, "values": valuesAtMost})
	out := values{}
	if err != nil || len(rows) != 1 {
		return out, err
	}
	for _, x := range list(rows[0][0]) {
		out[typeOf(x)] = append(out[typeOf(x)], x)
	}
	return out, nil
}

// comparable reports whether some value is of a type that the condition compares with. Without any value nothing is
// known.
func (v values) comparable(c connector.Condition) bool {
	with, several := c.Value.([]any)
	if !several {
		with = []any{c.Value}
	}
	for _, x := range with {
		if _, has := v[typeOf(x)]; has {
			return true
		}
	}
	return len(v) == 0 || c.Value == nil
}

// compared says what values the property has, and what the condition compares them with.
func (v values) compared(c connector.Condition) string {
	types := []string{}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		types = append(types, fmt.Sprintf("%s (such as %s)", name, strings.Join(examples(v[name]), ", ")))
	}
	text := fmt.Sprintf("the values of %s are %s", c.Property, strings.Join(types, " and "))
	if len(types) == 0 {
		text = "nothing here has the property " + c.Property
	}
	if c.Value == nil {
		return text + fmt.Sprintf("; where demands that it is %s", c.Is)
	}
	return text + fmt.Sprintf("; where compares %s %s", c.Is, describe(c.Value))
}

// typeOf names the types that Cypher does not compare with one another, in the plural.
func typeOf(x any) string {
	switch x.(type) {
	case string:
		return "texts"
	case bool:
		return "truth values"
	case int64, int, float64:
		return "numbers"
	case []any:
		return "lists"
	}
	return "dates, times or points"
}

// examples shows the first values that differ, three at most.
func examples(all []any) []string {
	var out []string
	for _, x := range all {
		if text := show(x); len(out) < 3 && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func show(x any) string {
	switch v := x.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	}
	return fmt.Sprint(x)
}
