package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// filter is conditions as they stand in a statement, each with " AND " before it, and the values that they compare
// with.
type filter struct {
	text       string
	parameters map[string]any
}

// filterOf compiles conditions on a variable. Values are parameters, and nothing but known relations and quoted names
// stands in the text.
func filterOf(variable string, conditions []connector.Condition) (filter, error) {
	f := filter{parameters: map[string]any{}}
	for i, c := range conditions {
		property, name := variable+"."+quote(c.Property), fmt.Sprintf("where_%s_%d", variable, i)
		switch c.Is {
		case "present":
			f.text += " AND " + property + " IS NOT NULL"
			continue
		case "missing":
			f.text += " AND " + property + " IS NULL"
			continue
		case "=", "<>", "<", "<=", ">", ">=", "in", "starts with", "ends with", "contains":
		default:
			return f, &connector.Error{Kind: connector.BadQuery,
				Msg: fmt.Sprintf("condition on %s: unknown relation %q", c.Property, c.Is)}
		}
		f.text += " AND " + property + " " + strings.ToUpper(c.Is) + " $" + name
		f.parameters[name] = c.Value
	}
	return f, nil
}

// where is the filter behind WHERE rather than behind other conditions.
func (f filter) where() string {
	if f.text == "" {
		return ""
	}
	return " WHERE " + strings.TrimPrefix(f.text, " AND ")
}

// with adds the filter's values to a statement's own parameters.
func (f filter) with(parameters map[string]any) map[string]any {
	maps.Copy(parameters, f.parameters)
	return parameters
}

// checkPropertyNames reports a property of a condition, a caption or a coordinate that nothing in the database has ever
// had.
func (db *DB) checkPropertyNames(ctx context.Context, p connector.Projection) error {
	all := slices.Clone(p.Where)
	for _, r := range p.Relationships {
		all = append(all, r.Where...)
	}
	if len(all) == 0 && p.Caption == "" && p.Coordinates == (connector.Coordinates{}) {
		return nil
	}
	rows, err := db.query(ctx, "names", "CALL db.propertyKeys()", nil)
	if err != nil {
		return err
	}
	known := texts(rows)
	for _, c := range all {
		if !slices.Contains(known, c.Property) {
			return unknownAmong("property", c.Property, "a where compares it, and nothing in the database has it", known)
		}
	}
	if p.Caption != "" && !slices.Contains(known, p.Caption) {
		return unknownAmong("property", p.Caption, "it is the caption of nodes, and nothing in the database has it", known)
	}
	for _, c := range []string{p.Coordinates.Latitude, p.Coordinates.Longitude, p.Coordinates.Point} {
		if c != "" && !slices.Contains(known, c) {
			return unknownAmong("property", c,
				"it is one of the coordinates of nodes, and nothing in the database has it", known)
		}
	}
	return nil
}
