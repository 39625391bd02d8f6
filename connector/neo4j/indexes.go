package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// checkIndexes warns of indexes on the properties, and of constraints, which rest on indexes. One that wants every
// score of a label or type of the projection to be another is an error of kind NotOurs, unless Force: the write would
// be refused.
func (db *DB) checkIndexes(ctx context.Context, o connector.Ownership) (warnings []string, err error) {
	all, err := db.indexes(ctx)
	if err != nil {
		return nil, err
	}
	properties := map[string][]string{"NODE": o.NodeProperties, "RELATIONSHIP": o.RelationshipProperties}
	scopes := map[string][]string{"NODE": o.Projection.Labels}
	for _, r := range o.Projection.Relationships {
		scopes["RELATIONSHIP"] = append(scopes["RELATIONSHIP"], r.Type)
	}
	for _, x := range all {
		if !slices.ContainsFunc(x.properties, func(p string) bool { return slices.Contains(properties[x.on], p) }) {
			continue
		}
		on := fmt.Sprintf("%s(%s)", strings.Join(x.scopes, ", "), strings.Join(x.properties, ", "))
		what := fmt.Sprintf("index %v on %s covers a score property", x.name, on)
		if x.constraint == "" {
			warnings = append(warnings, what+": writing scores is slower, and readers of the index see them change")
			continue
		}
		if !o.Force && len(x.properties) == 1 && len(x.scopes) == 1 && slices.Contains(scopes[x.on], x.scopes[0]) {
			return warnings, &connector.Error{
				Kind: connector.NotOurs, Msg: fmt.Sprintf("the constraint %v on %s wants every score to be another, and refuses "+
					"equal ones", x.constraint, on),
				Hint: fmt.Sprintf("choose another property, remove the constraint (DROP CONSTRAINT %s), or try all the same with "+
					"--force", quote(x.constraint)),
			}
		}
		warnings = append(warnings, what+" by a constraint: equal or missing scores may be refused")
	}
	return warnings, nil
}

// index is one of the database's, on nodes of labels or relationships of types.
type index struct {
	name               string
	on                 string // NODE or RELATIONSHIP
	scopes, properties []string
	constraint         string // that it belongs to; "" for none
}

// indexes lists the database's indexes by name.
func (db *DB) indexes(ctx context.Context) (out []index, err error) {
	rows, err := db.query(ctx, "schema", "SHOW INDEXES YIELD name, entityType, labelsOrTypes, properties, "+
		"owningConstraint", nil)
	for _, row := range rows {
		x := index{name: fmt.Sprint(row[0]), on: fmt.Sprint(row[1]), scopes: listed(row[2]), properties: listed(row[3])}
		x.constraint, _ = row[4].(string)
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b index) int { return strings.Compare(a.name, b.name) })
	return out, err
}

func listed(x any) (out []string) {
	for _, name := range list(x) {
		out = append(out, fmt.Sprint(name))
	}
	return out
}
