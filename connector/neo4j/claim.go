package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// claim records, before anything is written, that the job owns the properties of the columns on the scopes of the
// projection, and that the run has begun to write, with so many writers. It returns the whole of what the job has ever
// written them on, and what is published.
func (db *DB) claim(ctx context.Context, columns []connector.Column, o connector.WriteOptions,
	writers int) (claimed map[string]Owner, p connector.Publication, err error) {
	if err := db.ensureSchema(ctx); err != nil {
		return nil, p, err
	}
	var wanted []Owner
	for _, c := range columns {
		for _, property := range modeOf(o).Properties(c.Property) {
			x := Owner{On: c.On, Property: property, Score: c.Property, Mode: modeOf(o), Job: o.Job}
			x.widen(o.Projection)
			wanted = append(wanted, x)
		}
	}
	err = db.transact(ctx, work{step: "write", writes: true, do: func(ctx context.Context, t tx) error {
		if claimed, err = t.claimAll(ctx, wanted, o.Force); err != nil {
			return err
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

// claimAll records what a job owns from now on, and returns it by ownerKey. Mostly it owns all of that already.
func (t tx) claimAll(ctx context.Context, wanted []Owner, force bool) (map[string]Owner, error) {
	owners, err := t.owners(ctx)
	if err != nil {
		return nil, err
	}
	if claimed := ownedAlready(wanted, owners); claimed != nil {
		return claimed, nil
	}
	// Claims go one by one, so that two jobs cannot both find a property free: MERGE locks the key until the transaction
	// ends.
	if err := t.rows(ctx, "MERGE (c:"+propertyLabel+" {key: 'claim'}) DELETE c", nil, nil); err != nil {
		return nil, err
	}
	if owners, err = t.owners(ctx); err != nil {
		return nil, err
	}
	if !force {
		refusals, err := t.conflicts(ctx, wanted, owners)
		if err != nil {
			return nil, err
		}
		if len(refusals) > 0 {
			return nil, refusals[0]
		}
	}
	for _, o := range wanted {
		if err := t.claimOne(ctx, o, owners); err != nil {
			return nil, err
		}
	}
	if owners, err = t.owners(ctx); err != nil {
		return nil, err
	}
	claimed := map[string]Owner{}
	for _, o := range wanted {
		i := slices.IndexFunc(owners, func(x Owner) bool {
			return x.Job == o.Job && x.On == o.On &&
				x.Property == o.Property
		})
		claimed[ownerKey(o.On, o.Property)] = owners[i]
	}
	return claimed, nil
}

// ownedAlready returns the owners of what is wanted, by ownerKey, or nil if something is left to record: a property
// that the job has not written there yet, one that other jobs have too, or a record of an earlier version.
func ownedAlready(wanted, owners []Owner) map[string]Owner {
	claimed := map[string]Owner{}
	for _, o := range wanted {
		var same []Owner
		for _, x := range owners {
			if x.On == o.On && x.Property == o.Property {
				same = append(same, x)
			}
		}
		if len(same) != 1 || len(same[0].others) > 0 || !same[0].covers(o) {
			return nil
		}
		claimed[ownerKey(o.On, o.Property)] = same[0]
	}
	return claimed
}

// covers reports whether the record says all that one for wanted would.
func (o Owner) covers(wanted Owner) bool {
	return o.Job == wanted.Job && o.key == recordKey(wanted) && o.Score == wanted.Score && o.Mode == wanted.Mode &&
		(o.Everywhere || !wanted.Everywhere) && slices.Equal(o.Scopes, union(o.Scopes, wanted.Scopes))
}

// recordKey is the key of an owner's record.
func recordKey(o Owner) string { return o.Job + "/" + ownerKey(o.On, o.Property) }

// claimOne adds what the job has owned before, takes over what is in the way, and records the whole.
func (t tx) claimOne(ctx context.Context, o Owner, owners []Owner) error {
	all := o
	for _, x := range owners {
		switch {
		case x.On != o.On || x.Property != o.Property:
		case x.Job == o.Job:
			all.Scopes, all.Everywhere = union(all.Scopes, x.Scopes), all.Everywhere || x.Everywhere
		case o.common(x) != "":
			if o.Everywhere || x.Everywhere { // what one of them wrote cannot be told from what the other did
				all.Scopes, all.Everywhere = union(all.Scopes, x.Scopes), true
				x.Scopes = nil
			}
			if err := t.cede(ctx, x, o.Scopes); err != nil {
				return err
			}
		}
	}
	// Earlier versions had one key for each property, whosever it was. Their records go, with those that one of them has
	// made since: the job must not have two.
	parameters := ownerRecord(all)
	parameters["key"] = recordKey(all)
	return t.rows(ctx, "OPTIONAL MATCH (old:"+propertyLabel+" {job: $job, on: $on, property: $property}) "+
		"WITH collect(old) AS olds, min(old.since) AS since FOREACH (old IN olds | DETACH DELETE old) MERGE (j:"+jobLabel+
		" {name: $job}) "+
		"CREATE (:"+propertyLabel+" {key: $key, job: $job, on: $on, property: $property, scopes: $scopes, everywhere: "+
		"$everywhere, "+
		"score: $score, mode: $mode, since: coalesce(since, datetime())})-[:OF]->(j)", parameters, nil)
}

// cede takes scopes from an owner, and its record when it has no others.
func (t tx) cede(ctx context.Context, o Owner, scopes []string) error {
	o.Scopes = slices.DeleteFunc(slices.Clone(o.Scopes), func(scope string) bool { return slices.Contains(scopes, scope) })
	if len(o.Scopes) == 0 {
		return t.disown(ctx, o)
	}
	return t.rows(ctx, "MATCH (p:"+propertyLabel+" {job: $job, on: $on, property: $property}) SET p.scopes = $scopes",
		ownerRecord(o), nil)
}

// disown removes the record of an owner.
func (t tx) disown(ctx context.Context, o Owner) error {
	return t.rows(ctx, "MATCH (p:"+propertyLabel+" {job: $job, on: $on, property: $property}) DETACH DELETE p",
		ownerRecord(o), nil)
}

// ownerRecord returns an owner's properties in the database.
func ownerRecord(o Owner) map[string]any {
	return map[string]any{"job": o.Job, "on": string(o.On), "property": o.Property, "scopes": o.Scopes,
		"everywhere": o.Everywhere,
		"score":      o.Score, "mode": string(o.Mode)}
}

// conflicts returns an error of kind NotOurs for each property that another job writes on the same label or type, and
// for each such job one if a node has labels of both.
func (t tx) conflicts(ctx context.Context, wanted, owners []Owner) (out []*connector.Error, err error) {
	looked := map[[2]string]bool{}
	for _, o := range wanted {
		for _, x := range owners {
			if x.On != o.On || x.Property != o.Property || x.Job == o.Job {
				continue
			}
			if common := o.common(x); common != "" {
				out = append(out, &connector.Error{Kind: connector.NotOurs,
					Msg: fmt.Sprintf("property %s of %s belongs to the job %s on %s", o.Property, o.On, x.Job, common),
					Hint: fmt.Sprintf("choose another name, remove the other scores with linchpin drop %s, or take it over with "+
						"--force", x.Job)})
				continue
			}
			e, err := t.nodeOfBoth(ctx, o, x, looked)
			if err != nil {
				return nil, err
			}
			if e != nil {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// common says on what both owners write, or "" if they share no label or type.
func (o Owner) common(x Owner) string {
	part := "label "
	if o.On == connector.OnRelationships {
		part = "type "
	}
	switch {
	case x.Everywhere:
		return "nodes of any label"
	case o.Everywhere:
		return fmt.Sprintf("%s%s, and the job %s selects nodes of any label", part, strings.Join(x.Scopes, ", "), o.Job)
	}
	for _, scope := range o.Scopes {
		if slices.Contains(x.Scopes, scope) {
			return part + scope
		}
	}
	return ""
}

// nodeOfBoth returns an error that names a node with a label of each owner, or nil. It looks at each pair of labels
// once.
func (t tx) nodeOfBoth(ctx context.Context, o, x Owner, looked map[[2]string]bool) (e *connector.Error, err error) {
	if o.On == connector.OnRelationships {
		return nil, nil // which have one type
	}
	for _, own := range o.Scopes {
		for _, other := range x.Scopes {
			pair := [2]string{own, other}
			if looked[pair] {
				continue
			}
			looked[pair] = true
			cypher := fmt.Sprintf("MATCH (x:%s&%s) WITH x LIMIT 1 RETURN %s", quote(own), quote(other), t.db.nodeText("x"))
			err := t.rows(ctx, cypher, nil, func(row []any) {
				e = &connector.Error{Kind: connector.NotOurs, Hint: "remove one of the labels, choose another name, or overwrite " +
					"the other scores with --force",
					Msg: fmt.Sprintf("%v has label %s and label %s, on which the job %s writes property %s", row[0], own, other, x.Job,
						x.Property)}
			})
			if err != nil || e != nil {
				return e, err
			}
		}
	}
	return nil, nil
}
