package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// queryNodes runs the user's query, which may not write, and returns the ids of the nodes that it names: by nodes, by
// integers as of id(n), or by texts as of elementId(n). A node that is deleted meanwhile makes it run again.
func (r *reader) queryNodes(ctx context.Context) (export.IDs, error) {
	const most = 5
	before := map[string]bool{} // what the query returned the last time that is the id of no node
	for attempt := 1; ; attempt++ {
		ids, none, err := r.queryNodesOnce(ctx)
		if err != nil || len(none) == 0 {
			return ids, err
		}
		for id := range none {
			if before[id] || attempt == most {
				return export.IDs{}, queryError(fmt.Sprintf("%s returns %s, which is the id of no node", r.key(), id),
					"it must return nodes, such as RETURN n")
			}
		}
		before = none
	}
}

// queryNodesOnce returns the ids of nodes that the query names, and what it names that is the id of no node.
func (r *reader) queryNodesOnce(ctx context.Context) (ids export.IDs, none map[string]bool, err error) {
	var found map[string]*export.IDs
	err = r.db.transact(ctx, work{step: "export", do: func(ctx context.Context, t tx) error {
		found = map[string]*export.IDs{"id": {}, "elementId": {}}
		var wrong error
		err := t.foreign(ctx, r.projection.NodeQuery, nil, func(row []any) {
			if wrong == nil {
				wrong = takeNode(r.key(), row, found["id"], found["elementId"], r.db.server.IntegerIDs)
			}
		})
		if err != nil {
			return badQuery(r.key(), err)
		}
		return wrong
	}})
	if err != nil {
		return export.IDs{}, nil, err
	}
	none = map[string]bool{}
	for _, function := range slices.Sorted(maps.Keys(found)) {
		if err := r.resolve(ctx, function, *found[function], &ids, none); err != nil {
			return export.IDs{}, nil, err
		}
	}
	return ids, none, nil
}

// key is the key of the query in the config.
func (r *reader) key() string { return cmp.Or(r.queryKey, "nodeQuery") }

// takeNode takes what a row of the user's query, by its key, names.
func takeNode(key string, row []any, ints, elements *export.IDs, integers bool) error {
	if len(row) != 1 {
		return queryError(fmt.Sprintf("%s returns %d columns", key, len(row)),
			"it must return one column of nodes, such as RETURN n")
	}
	switch x := row[0].(type) {
	case int64:
		ints.Ints = append(ints.Ints, x)
	case string:
		elements.Texts = append(elements.Texts, x)
	case driver.Node:
		if integers {
			ints.Ints = append(ints.Ints, x.Id) //nolint:staticcheck // deprecated, and what id() returns in the other records
		} else {
			elements.Texts = append(elements.Texts, x.ElementId)
		}
	case nil:
		return queryError(key+" returns null", "it must return nodes: leave out rows without a node (WHERE n IS "+
			"NOT NULL)")
	default:
		return queryError(fmt.Sprintf("%s returns %s", key, describe(x)),
			"it must return one column of nodes, such as RETURN n")
	}
	return nil
}

// resolve appends the ids of one kind that are ids of nodes, in the kind that the connector uses, and to none the
// others.
func (r *reader) resolve(ctx context.Context, function string, given export.IDs, to *export.IDs,
	none map[string]bool) error {
	given = distinct(given, export.IDs{})
	if function == "id" && given.Len() > 0 && !r.db.server.IntegerIDs {
		return queryError(r.key()+" returns integers, and this server's entities have none",
			"let it RETURN elementId(n), or n")
	}
	cypher := fmt.Sprintf("UNWIND $ids AS i MATCH (n) WHERE %s(n) = i RETURN collect(%s), collect(i)", function,
		r.db.id("n"))
	for low := 0; low < given.Len(); low += recordSize {
		some := part(given, low, min(low+recordSize, given.Len()))
		rows, err := r.db.query(ctx, "export", cypher, map[string]any{"ids": parameter(some)})
		if err != nil {
			return err
		}
		var met export.IDs
		appendIDs(&met, rows[0][1])
		left := distinct(some, met)
		for i := range left.Len() {
			none[left.String(i)] = true
		}
		appendIDs(to, rows[0][0])
	}
	return nil
}

func queryError(msg, hint string) error {
	return &connector.Error{Kind: connector.BadQuery, Msg: msg, Hint: hint}
}

// badQuery tells the mistakes of a user's query, by its key, from faults of the server.
func badQuery(key string, err error) error {
	switch {
	case hasCode(err, "Neo.ClientError.Statement.AccessMode"):
		return &connector.Error{Kind: connector.BadQuery, Msg: key + " writes to the database, and may only read"}
	case hasCode(err, "Neo.ClientError.Statement"), hasCode(err, "Neo.ClientError.Procedure"):
		return &connector.Error{Kind: connector.BadQuery, Msg: key + " does not run", Err: serverSays(serverErrorOf(err))}
	}
	return err
}

// describe names the kind of a value and shows it.
func describe(x any) string {
	switch v := x.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the text %q", v)
	case bool:
		return fmt.Sprintf("the truth value %t", v)
	case int64:
		return fmt.Sprintf("the integer %d", v)
	case float64:
		return fmt.Sprintf("the number %v", v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "a map"
	case driver.Date:
		return "the date " + v.String()
	case driver.Duration:
		return "the duration " + v.String()
	case driver.LocalDateTime, driver.LocalTime, driver.Time, time.Time:
		return fmt.Sprintf("the time %v", v)
	case driver.Point2D, driver.Point3D:
		return "a point"
	case driver.Relationship:
		return "a relationship"
	case driver.Path:
		return "a path"
	}
	return fmt.Sprintf("a value of type %T", x)
}
