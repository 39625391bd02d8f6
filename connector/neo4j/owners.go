package neo4j

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Owner says which job owns a score property. The record stands in the database, as (:LinchpinProperty)-[:OF]->
// (:LinchpinJob), from before the first score is written until the job is dropped.
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
}

func ownerKey(on connector.Entity, property string) string { return string(on) + ":" + property }

// Owners lists the properties that jobs own.
func (db *DB) Owners(ctx context.Context) ([]Owner, error) {
	rows, err := db.query(ctx, "owners", "MATCH (p:"+propertyLabel+") WHERE p.job IS NOT NULL "+
		"RETURN p.on, p.property, p.job, p.scopes, p.everywhere, p.since, "+
		"coalesce(p.score, p.property), coalesce(p.mode, 'inplace') ORDER BY p.key", nil)
	if err != nil {
		return nil, err
	}
	var out []Owner
	for _, row := range rows {
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
		out = append(out, o)
	}
	return out, nil
}

// CheckProperties reports an error of kind NotOurs when a property that the job would write belongs to somebody else: to
// another job, or to the user, who has it on entities of the projection; or when a constraint wants its values to differ.
// Force lets it pass, with a warning. Warnings tell of indexes and further constraints on the properties, and of scores in
// place that the job does not write any more, too.
func (db *DB) CheckProperties(ctx context.Context, o connector.Ownership) (warnings []string, err error) {
	owners, err := db.Owners(ctx)
	if err != nil {
		return nil, err
	}
	known, err := db.query(ctx, "owners", "CALL db.propertyKeys()", nil)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct {
		on         connector.Entity
		properties []string
	}{{connector.OnNodes, o.NodeProperties}, {connector.OnRelationships, o.RelationshipProperties}} {
		for _, property := range part.properties {
			e, err := db.takenBy(ctx, o, part.on, property, owners, texts(known))
			switch {
			case err != nil:
				return nil, err
			case e != nil && !o.Force:
				return nil, e
			case e != nil:
				warnings = append(warnings, e.Msg+": it is taken over")
			}
		}
	}
	left, err := db.leftWarnings(ctx, o, owners)
	if err != nil {
		return nil, err
	}
	indexes, err := db.checkIndexes(ctx, o)
	return slices.Concat(warnings, left, indexes), err
}

// leftWarnings tells of properties in place that hold scores which the job wrote under earlier settings: no run changes
// them any more. Under AB and Stamp, and after a change of the mode, runs remove those.
func (db *DB) leftWarnings(ctx context.Context, o connector.Ownership, owners []Owner) (out []string, err error) {
	now := map[connector.Entity][]string{connector.OnNodes: o.NodeProperties, connector.OnRelationships: o.RelationshipProperties}
	for _, x := range owners {
		if x.Job != o.Job || x.Mode != connector.InPlace || o.Mode != connector.InPlace || slices.Contains(now[x.On], x.Property) {
			continue
		}
		rows, err := db.query(ctx, "owners", fmt.Sprintf("MATCH %s WHERE x.%s IS NOT NULL WITH x LIMIT 1 RETURN 1", x.carriers(), quote(x.Property)), nil)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			out = append(out, fmt.Sprintf("property %s of %s holds scores that the job wrote before its settings changed, and no run changes them any more "+
				"(linchpin drop %s removes all that it has written)", x.Property, x.On, o.Job))
		}
	}
	return out, nil
}

// takenBy says who else has the property, as an error to report, or nil.
func (db *DB) takenBy(ctx context.Context, o connector.Ownership, on connector.Entity, property string, owners []Owner, known []string) (*connector.Error, error) {
	const hint = "choose another name, or take it over with --force"
	var mine Owner
	for _, owner := range owners {
		if owner.On != on || owner.Property != property {
			continue
		}
		if owner.Job != o.Job {
			return &connector.Error{Kind: connector.NotOurs, Hint: hint, Msg: fmt.Sprintf("property %s of %s belongs to the job %s", property, on, owner.Job)}, nil
		}
		mine = owner
	}
	if !slices.Contains(known, property) {
		return nil, nil // no entity has ever had it
	}
	for _, cypher := range unownedPatterns(db, o.Projection, on, property, mine) {
		rows, err := db.query(ctx, "owners", cypher, nil)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			return &connector.Error{Kind: connector.NotOurs, Hint: hint, Msg: fmt.Sprintf(
				"property %s is in use: %v has it, with %s, and no job of linchpin wrote it", property, rows[0][0], describe(rows[0][1]))}, nil
		}
	}
	return nil, nil
}

// unownedPatterns are queries for one entity of the projection that has the property although the job never wrote it
// there.
func unownedPatterns(db *DB, p connector.Projection, on connector.Entity, property string, mine Owner) []string {
	const found = " WITH x LIMIT 1 RETURN %s + %s, x.%s"
	var out []string
	if on == connector.OnRelationships {
		for _, r := range p.Relationships {
			if !slices.Contains(mine.Scopes, r.Type) {
				out = append(out, fmt.Sprintf("MATCH ()-[x:%s]->() WHERE x.%s IS NOT NULL"+found, quote(r.Type), quote(property),
					"'relationship ' + type(x) + ' '", db.id("x"), quote(property)))
			}
		}
		return out
	}
	ours := ""
	if len(mine.Scopes) > 0 {
		ours = " AND NOT x:" + quoteAll(mine.Scopes)
	}
	patterns := []string{"(x)"}
	if !p.AnyLabel() {
		patterns = nil
		for _, label := range p.Labels {
			if !slices.Contains(mine.Scopes, label) {
				patterns = append(patterns, "(x:"+quote(label)+")")
			}
		}
	}
	for _, pattern := range patterns {
		if mine.Everywhere {
			break
		}
		out = append(out, fmt.Sprintf("MATCH %s WHERE x.%s IS NOT NULL%s AND NOT x:%s"+found, pattern, quote(property), ours, quoteAll(ownLabels()),
			"'node ' + reduce(l = '', s IN labels(x) | l + ':' + s) + ' '", db.id("x"), quote(property)))
	}
	return out
}

// claim records, before anything is written, that the job owns the properties of the columns on the scopes of the
// projection, and that the run has begun to write, with so many writers. It returns the whole of what the job has ever
// written them on, and what is published.
func (db *DB) claim(ctx context.Context, columns []connector.Column, o connector.WriteOptions, writers int) (claimed map[string]Owner, p connector.Publication, err error) {
	if err := db.ensureSchema(ctx); err != nil {
		return nil, p, err
	}
	err = db.transact(ctx, work{step: "write", writes: true, do: func(ctx context.Context, t tx) error {
		claimed = map[string]Owner{}
		for _, c := range columns {
			for _, property := range modeOf(o).Properties(c.Property) {
				owner, err := t.claimOne(ctx, Owner{On: c.On, Property: property, Score: c.Property, Mode: modeOf(o), Job: o.Job}, o)
				if err != nil {
					return err
				}
				claimed[ownerKey(c.On, property)] = owner
			}
		}
		if p, err = t.begin(ctx, o); err != nil {
			return err
		}
		if err := t.fence(ctx, o); err != nil {
			return err
		}
		return t.addFences(ctx, o, writers)
	}})
	return claimed, p, err
}

func (t tx) claimOne(ctx context.Context, owner Owner, o connector.WriteOptions) (Owner, error) {
	parameters := map[string]any{"key": ownerKey(owner.On, owner.Property), "on": string(owner.On), "property": owner.Property,
		"score": owner.Score, "mode": string(owner.Mode), "job": o.Job}
	// Writing first takes the database's lock on the node, so that two jobs cannot both find it free.
	if err := t.rows(ctx, "MERGE (p:"+propertyLabel+" {key: $key}) SET p.property = $property, p.on = $on", parameters, nil); err != nil {
		return owner, err
	}
	var before string
	err := t.rows(ctx, "MATCH (p:"+propertyLabel+" {key: $key}) RETURN p.job, p.scopes, p.everywhere", parameters, func(row []any) {
		before, _ = row[0].(string)
		for _, scope := range list(row[1]) {
			owner.Scopes = append(owner.Scopes, fmt.Sprint(scope))
		}
		owner.Everywhere, _ = row[2].(bool)
	})
	if err != nil {
		return owner, err
	}
	if before != "" && before != o.Job && !o.Force {
		return owner, &connector.Error{Kind: connector.NotOurs, Msg: fmt.Sprintf("property %s of %s belongs to the job %s", owner.Property, owner.On, before),
			Hint: "choose another name, or take it over with --force"}
	}
	owner.widen(o.Projection)
	parameters["scopes"], parameters["everywhere"] = owner.Scopes, owner.Everywhere
	return owner, t.rows(ctx, "MATCH (p:"+propertyLabel+" {key: $key}) OPTIONAL MATCH (p)-[old:OF]->() DELETE old WITH DISTINCT p "+
		"SET p.since = CASE p.job WHEN $job THEN p.since ELSE datetime() END, p.job = $job, p.scopes = $scopes, p.everywhere = $everywhere, p.score = $score, p.mode = $mode "+
		"MERGE (j:"+jobLabel+" {name: $job}) CREATE (p)-[:OF]->(j)", parameters, nil)
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
	o.Scopes = slices.Concat([]string{}, o.Scopes, scopes)
	slices.Sort(o.Scopes)
	o.Scopes = slices.Compact(o.Scopes)
}

// everywhere widens what belongs to AB or Stamp to all nodes: one that lost its label for a while must not come back with
// an old score.
func (o Owner) everywhere() Owner {
	o.Everywhere = o.Everywhere || o.Mode != connector.InPlace
	return o
}

// carriers is the pattern that meets every entity on which the job may have written the property, with the variable x.
func (o Owner) carriers() string {
	switch {
	case o.On == connector.OnRelationships:
		return "()-[x:" + quoteAll(o.Scopes) + "]->()"
	case o.Everywhere:
		return "(x" + notOurs() + ")"
	}
	return "(x:" + quoteAll(o.Scopes) + ")"
}
