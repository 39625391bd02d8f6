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
	rows, err := db.query(ctx, "owners", "SHOW INDEXES YIELD name, entityType, labelsOrTypes, properties, "+
		"owningConstraint "+
		"WHERE any(p IN properties WHERE entityType = 'NODE' AND p IN $nodes OR entityType = 'RELATIONSHIP' AND p IN "+
		"$relationships) "+
		"RETURN name, labelsOrTypes, properties, owningConstraint, entityType ORDER BY name",
		map[string]any{"nodes": slices.Concat([]string{}, o.NodeProperties),
			"relationships": slices.Concat([]string{}, o.RelationshipProperties)})
	if err != nil {
		return nil, err
	}
	scopes := map[any][]string{"NODE": o.Projection.Labels}
	for _, r := range o.Projection.Relationships {
		scopes["RELATIONSHIP"] = append(scopes["RELATIONSHIP"], r.Type)
	}
	for _, row := range rows {
		on := fmt.Sprintf("%s(%s)", joined(row[1]), joined(row[2]))
		what := fmt.Sprintf("index %v on %s covers a score property", row[0], on)
		if row[3] == nil {
			warnings = append(warnings, what+": writing scores is slower, and readers of the index see them change")
			continue
		}
		if !o.Force && len(list(row[2])) == 1 && slices.Contains(scopes[row[4]], joined(row[1])) {
			return warnings, &connector.Error{
				Kind: connector.NotOurs, Msg: fmt.Sprintf("the constraint %v on %s wants every score to be another, and refuses "+
					"equal ones", row[3], on),
				Hint: fmt.Sprintf("choose another property, remove the constraint (DROP CONSTRAINT %s), or try all the same with "+
					"--force", quote(fmt.Sprint(row[3]))),
			}
		}
		warnings = append(warnings, what+" by a constraint: equal or missing scores may be refused")
	}
	return warnings, nil
}

func joined(x any) string {
	var all []string
	for _, name := range list(x) {
		all = append(all, fmt.Sprint(name))
	}
	return strings.Join(all, ", ")
}
