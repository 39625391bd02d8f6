package neo4j

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Owner says where a job owns a score property. The record stands in the database, as (:LinchpinProperty)-[:OF]->
// (:LinchpinJob), from before the first score is written until the job is dropped. Several jobs may own a property, on
// labels or types that they do not share.
type Owner struct {
	On       connector.Entity `json:"on"`
	Property string           `json:"property"`
	// Score is the name of the score that the property is for, under the mode of publication that it belongs to.
	Score string         `json:"score"`
	Mode  connector.Mode `json:"mode"`
	Job   string         `json:"job"`
	// Scopes are the labels or the relationship types that the job has written the property on.
	Scopes []string `json:"scopes"`
	// Everywhere says that it has written on nodes of any label, by a nodeQuery.
	Everywhere bool      `json:"everywhere"`
	Since      time.Time `json:"since"`
	// others are labels on which other jobs write a property of the same score.
	others []string
	key    string // of the record
}

func ownerKey(on connector.Entity, property string) string { return string(on) + ":" + property }

// Owners lists the properties that jobs own.
func (db *DB) Owners(ctx context.Context) (owners []Owner, err error) {
	err = db.transact(ctx, work{step: "owners", do: func(ctx context.Context, t tx) error {
		owners, err = t.owners(ctx)
		return err
	}})
	return owners, err
}

func (t tx) owners(ctx context.Context) (out []Owner, err error) {
	err = t.rows(ctx, "MATCH (p:"+propertyLabel+") WHERE p.job IS NOT NULL "+
		"RETURN p.on, p.property, p.job, p.scopes, p.everywhere, p.since, "+
		"coalesce(p.score, p.property), coalesce(p.mode, 'inplace'), p.key ORDER BY p.on, p.property, p.job", nil,
		func(row []any) {
			var o Owner
			on, _ := row[0].(string)
			o.On = connector.Entity(on)
			o.Property, _ = row[1].(string)
			o.Job, _ = row[2].(string)
			for _, scope := range list(row[3]) {
				o.Scopes = append(o.Scopes, fmt.Sprint(scope))
			}
			o.Everywhere, _ = row[4].(bool)
			o.Since, _ = row[5].(time.Time)
			o.Score, _ = row[6].(string)
			mode, _ := row[7].(string)
			o.Mode = connector.Mode(mode)
			o.key, _ = row[8].(string)
			out = append(out, o)
		})
	for i := range out {
		for _, other := range out[i].sharing(out) {
			out[i].others = union(out[i].others, other.Scopes)
		}
	}
	return out, err
}

// sharing returns the owners that are other jobs, of nodes' properties of the same score.
func (o Owner) sharing(owners []Owner) (out []Owner) {
	for _, x := range owners {
		if o.On == connector.OnNodes && x.On == o.On && x.Job != o.Job &&
			slices.Contains(o.Mode.Properties(o.Score), x.Property) {
			out = append(out, x)
		}
	}
	return out
}

// CheckProperties reports an error of kind NotOurs when a property that the job would write belongs to somebody else:
// to another job on entities of the projection, or to the user, who has it on such entities; or when a constraint wants
// its values to differ. Force lets it pass, with a warning. Warnings tell of indexes and further constraints on the
// properties, and of scores in place that the job does not write any more, too.
func (db *DB) CheckProperties(ctx context.Context, o connector.Ownership) (warnings []string, err error) {
	owners, err := db.Owners(ctx)
	if err != nil {
		return nil, err
	}
	for _, label := range o.Labels {
		err = db.transact(ctx, work{step: "owners", do: func(ctx context.Context, t tx) error {
			return t.checkLabel(ctx, o.Job, label)
		}})
		if err != nil {
			return nil, err
		}
	}
	refusals, err := db.refusals(ctx, o, owners)
	if err != nil {
		return nil, err
	}
	for _, e := range refusals {
		if !o.Force {
			return nil, e
		}
		warnings = append(warnings, e.Msg+": it is taken over")
	}
	left, err := db.leftWarnings(ctx, o, owners)
	if err != nil {
		return nil, err
	}
	indexes, err := db.checkIndexes(ctx, o)
	return slices.Concat(warnings, left, indexes), err
}

// refusals says what speaks against the job's writing its properties: other jobs, then the user's own.
func (db *DB) refusals(ctx context.Context, o connector.Ownership, owners []Owner) (out []*connector.Error, err error) {
	wanted := wantedBy(o)
	err = db.transact(ctx, work{step: "owners", do: func(ctx context.Context, t tx) error {
		out, err = t.conflicts(ctx, wanted, owners)
		return err
	}})
	if err != nil {
		return nil, err
	}
	known := sync.OnceValues(func() ([][]any, error) { return db.query(ctx, "owners", "CALL db.propertyKeys()", nil) })
	for _, x := range wanted {
		patterns := unownedPatterns(db, o.Projection, x, owners)
		if len(patterns) == 0 {
			continue
		}
		properties, err := known()
		if err != nil {
			return nil, err
		}
		if !slices.Contains(texts(properties), x.Property) {
			continue // no entity has ever had it
		}
		e, err := db.takenByUser(ctx, x, patterns)
		if err != nil {
			return nil, err
		}
		if e != nil {
			out = append(out, e)
		}
	}
	return out, nil
}

// wantedBy returns what the job would own.
func wantedBy(o connector.Ownership) (out []Owner) {
	for _, property := range o.NodeProperties {
		out = append(out, Owner{On: connector.OnNodes, Property: property, Job: o.Job})
	}
	for _, property := range o.RelationshipProperties {
		out = append(out, Owner{On: connector.OnRelationships, Property: property, Job: o.Job})
	}
	for i := range out {
		out[i].widen(o.Projection)
	}
	return out
}

// leftWarnings tells of properties in place that hold scores which the job wrote under earlier settings: no run changes
// them any more. Under AB and Stamp, and after a change of the mode, runs remove those.
func (db *DB) leftWarnings(ctx context.Context, o connector.Ownership, owners []Owner) (out []string, err error) {
	now := map[connector.Entity][]string{connector.OnNodes: o.NodeProperties,
		connector.OnRelationships: o.RelationshipProperties}
	for _, x := range owners {
		if x.Job != o.Job || x.Mode != connector.InPlace || o.Mode != connector.InPlace ||
			slices.Contains(now[x.On], x.Property) {
			continue
		}
		rows, err := db.query(ctx, "owners", fmt.Sprintf("MATCH %s WHERE x.%s IS NOT NULL WITH x LIMIT 1 RETURN 1",
			x.carriers(), quote(x.Property)), nil)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			out = append(out, fmt.Sprintf("property %s of %s holds scores that the job wrote before its settings changed, and "+
				"no run changes them any more "+
				"(linchpin drop %s removes all that it has written)", x.Property, x.On, o.Job))
		}
	}
	return out, nil
}

// takenByUser says where the patterns find the property although no job wrote it there, as an error to report, or nil.
func (db *DB) takenByUser(ctx context.Context, wanted Owner, patterns []string) (*connector.Error, error) {
	for _, cypher := range patterns {
		rows, err := db.query(ctx, "owners", cypher, nil)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			return &connector.Error{Kind: connector.NotOurs, Hint: "choose another name, or take it over with --force",
				Msg: fmt.Sprintf(
					"property %s is in use: %v has it, with %s, and no job of linchpin wrote it", wanted.Property, rows[0][0],
					describe(rows[0][1]))}, nil
		}
	}
	return nil, nil
}

// unownedPatterns are queries for one entity of the projection that has the property although no job ever wrote it
// there.
func unownedPatterns(db *DB, p connector.Projection, wanted Owner, owners []Owner) []string {
	const found = " WITH x LIMIT 1 RETURN %s, x.%s"
	property := quote(wanted.Property)
	var ours Owner
	for _, x := range owners {
		if x.On == wanted.On && x.Property == wanted.Property {
			ours.Scopes, ours.Everywhere = union(ours.Scopes, x.Scopes), ours.Everywhere || x.Everywhere
		}
	}
	var out []string
	if wanted.On == connector.OnRelationships {
		for _, kind := range wanted.Scopes {
			if !slices.Contains(ours.Scopes, kind) {
				out = append(out, fmt.Sprintf("MATCH ()-[x:%s]->() WHERE x.%s IS NOT NULL"+found, quote(kind), property,
					"'relationship ' + type(x) + ' ' + "+db.id("x"), property))
			}
		}
		return out
	}
	patterns := []string{"(x)"}
	if !p.AnyLabel() {
		patterns = nil
		for _, label := range p.Labels {
			if !slices.Contains(ours.Scopes, label) {
				patterns = append(patterns, "(x:"+quote(label)+")")
			}
		}
	}
	for _, pattern := range patterns {
		if ours.Everywhere {
			break
		}
		out = append(out, fmt.Sprintf("MATCH %s WHERE x.%s IS NOT NULL AND NOT x:%s"+found, pattern, property,
			quoteAll(slices.Concat(ours.Scopes, ownLabels())), db.nodeText("x"), property))
	}
	return out
}

// nodeText is an expression that names a node by its labels and its id.
func (db *DB) nodeText(x string) string {
	return fmt.Sprintf("'node ' + reduce(l = '', s IN labels(%[1]s) | l + ':' + s) + ' ' + %[2]s", x, db.id(x))
}

// widen adds what the projection selects.
func (o *Owner) widen(p connector.Projection) {
	scopes := p.Labels
	if o.On == connector.OnRelationships {
		scopes = nil
		for _, r := range p.Relationships {
			scopes = append(scopes, r.Type)
		}
	} else if p.AnyLabel() {
		o.Everywhere = true
	}
	o.Scopes = union(o.Scopes, scopes)
}

// union returns the sorted names of both lists; it is never nil.
func union(a, b []string) []string {
	all := slices.Concat([]string{}, a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// carriers is the pattern that meets every entity on which the job may have written the property, with the variable x.
// It leaves out nodes with a label of another job that shares the property: whose score they carry is not known.
func (o Owner) carriers() string {
	switch {
	case o.On == connector.OnRelationships:
		return "()-[x:" + quoteAll(o.Scopes) + "]->()"
	case o.Everywhere:
		return "(x" + notOurs() + ")"
	case len(o.others) > 0:
		return fmt.Sprintf("(x:(%s)&!(%s))", quoteAll(o.Scopes), quoteAll(o.others))
	}
	return "(x:" + quoteAll(o.Scopes) + ")"
}
