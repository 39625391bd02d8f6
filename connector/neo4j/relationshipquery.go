package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

const queryKey = "relationshipQuery"

// queryHint says what a relationshipQuery looks like.
const queryHint = "such as MATCH (a)-[r:ROUTE]->(b) RETURN a AS source, b AS target, r.miles AS weight"

// checkQuery has the user's query planned, which shows whether it can run and what it returns; it reads nothing.
func (db *DB) checkQuery(ctx context.Context, q connector.Query) (weighted bool, err error) {
	var columns []string
	err = db.transact(ctx, work{step: "export", do: func(ctx context.Context, t tx) error {
		result, err := t.Run(ctx, "EXPLAIN "+q.Text, nil)
		if err != nil {
			return badQuery(queryKey, err)
		}
		if columns, err = result.Keys(); err != nil {
			return badQuery(queryKey, err)
		}
		summary, err := result.Consume(ctx)
		if err == nil && summary.StatementType() != driver.StatementTypeReadOnly {
			return queryError(queryKey+" writes to the database, and may only read", "")
		}
		return badQuery(queryKey, err)
	}})
	if err != nil {
		return false, err
	}
	for _, c := range columns {
		if !slices.Contains([]string{"source", "target", "weight"}, c) {
			return false, queryError(fmt.Sprintf("%s returns a column %q", queryKey, c),
				"it must return source, target and, if wanted, weight: "+queryHint)
		}
	}
	if !slices.Contains(columns, "source") || !slices.Contains(columns, "target") {
		return false, queryError(fmt.Sprintf("%s returns %s", queryKey, cmp.Or(strings.Join(columns, ", "), "nothing")),
			"it must return source and target: "+queryHint)
	}
	return slices.Contains(columns, "weight"), nil
}

// queried is a relationship of the user's query, between node indices.
type queried struct {
	source, target int32
	weight         float64
}

// queryRows takes what the user's query returns.
type queryRows struct {
	reader   *reader
	at       map[string]int // columns by name
	elements map[string]int32
	all      []queried
	dropped  export.Dropped
	bad      export.BadWeights[queriedBad]
	met      int64
}

// readQuery reads the relationships that the user's query returns. They have no ids, so they are put in an order of
// their own: the snapshot does not depend on that of the rows.
func (r *reader) readQuery(ctx context.Context, q connector.Query) error {
	var rows *queryRows
	err := r.db.transact(ctx, work{step: "export", do: func(ctx context.Context, t tx) error {
		rows = &queryRows{reader: r, at: map[string]int{}}
		result, err := t.Run(ctx, q.Text, nil)
		if err != nil {
			return badQuery(queryKey, err)
		}
		columns, err := result.Keys()
		if err != nil {
			return badQuery(queryKey, err)
		}
		for i, c := range columns {
			rows.at[c] = i
		}
		var record *driverRecord
		for result.NextRecord(ctx, &record) {
			if err := rows.add(ctx, record.Values); err != nil {
				return err
			}
		}
		return badQuery(queryKey, result.Err())
	}})
	if err != nil {
		return err
	}
	switch {
	case len(rows.bad.Faults()) > 0:
		return rows.badWeights()
	case rows.met == 0:
		return &connector.Error{Kind: connector.Empty, Msg: queryKey + " returned no relationships",
			Hint: "run it in Neo4j Browser to see what it returns"}
	case rows.dropped.Dangling == rows.met:
		return &connector.Error{Kind: connector.Empty, Msg: fmt.Sprintf("%s returned %d relationships, none of them "+
			"between nodes of the graph", queryKey, rows.met),
			Hint: "source and target are nodes, or id(n), or elementId(n), of those that nodes or nodeQuery selects"}
	}
	r.read.Store(rows.met)
	r.advance()
	return rows.deliver()
}

// queriedBad is a relationship of the user's query whose weight is refused.
type queriedBad struct {
	source, target int32
	value          any
}

// Before puts those of lower nodes first.
func (b queriedBad) Before(other queriedBad) bool {
	return cmp.Or(cmp.Compare(b.source, other.source), cmp.Compare(b.target, other.target)) < 0
}

// badWeights is the error that names all kinds of refused weights.
func (q *queryRows) badWeights() error {
	nodes := q.reader.nodes
	return &connector.Error{
		Kind: connector.BadData,
		Msg: "bad weights in " + queryKey + ": " + q.bad.Text(func(f export.WeightFault, b queriedBad) string {
			return fmt.Sprintf("%s(%s)-->(%s)", shown(f, b.value), nodes.String(int(b.source)), nodes.String(int(b.target)))
		}),
		Hint: "let the query leave them out, or use coalesce (if missing) or toFloat (if texts show numbers); or set " +
			"zeroWeights and invalidWeights",
	}
}

func (q *queryRows) deliver() error {
	slices.SortFunc(q.all, func(a, b queried) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target), cmp.Compare(a.weight, b.weight))
	})
	_, weighted := q.at["weight"]
	rels := export.Rels{}
	for _, one := range q.all {
		rels.Source, rels.Target = append(rels.Source, one.source), append(rels.Target, one.target)
		if weighted {
			rels.Weights = append(rels.Weights, one.weight)
		}
	}
	q.reader.builder.Drop(q.dropped)
	if err := q.reader.builder.AddRelationships(rels); err != nil && len(q.all) > 0 {
		return &connector.Error{Kind: connector.TooLarge, Msg: "the graph is too large", Err: err}
	}
	return nil
}

// add takes a row: a relationship, or lists of them.
func (q *queryRows) add(ctx context.Context, row []any) error {
	source, target, weight := row[q.at["source"]], row[q.at["target"]], any(nil)
	if i, ok := q.at["weight"]; ok {
		weight = row[i]
	}
	sources, ok := source.([]any)
	if !ok {
		return q.one(ctx, source, target, weight)
	}
	targets, ok := target.([]any)
	weights, weighted := weight.([]any)
	if _, has := q.at["weight"]; !ok || len(targets) != len(sources) || has &&
		(!weighted || len(weights) != len(sources)) {
		return queryError(fmt.Sprintf("%s returns a list of %d as source beside %s as target and %s as weight", queryKey,
			len(sources), describe(target), describe(weight)),
			"lists of one row have one length; collect leaves out nulls")
	}
	for i := range sources {
		w := any(nil)
		if weighted {
			w = weights[i]
		}
		if err := q.one(ctx, sources[i], targets[i], w); err != nil {
			return err
		}
	}
	return nil
}

func (q *queryRows) one(ctx context.Context, source, target, weight any) error {
	q.met++
	u, known, err := q.index(ctx, "source", source)
	if err != nil {
		return err
	}
	v, known2, err := q.index(ctx, "target", target)
	if err != nil {
		return err
	}
	if !known || !known2 {
		q.dropped.Dangling++
		return nil
	}
	r := queried{source: u, target: v}
	if _, ok := q.at["weight"]; ok {
		w, keep, refused := weigher{policy: q.reader.projection.Weights}.weigh(weight, &q.dropped)
		if refused != 0 {
			q.bad.Add(refused, queriedBad{u, v, weight})
		}
		if !keep {
			return nil
		}
		r.weight = w
	}
	q.all = append(q.all, r)
	return nil
}

// index returns the place in the graph of an end: a node, or what id() or elementId() says of it.
func (q *queryRows) index(ctx context.Context, column string, end any) (int32, bool, error) {
	integers := q.reader.db.server.IntegerIDs
	switch x := end.(type) {
	case driver.Node:
		if integers {
			end = x.Id //nolint:staticcheck // deprecated, and what id() returns in the other records
		} else {
			end = x.ElementId
		}
	case int64:
		if !integers {
			return 0, false, queryError(fmt.Sprintf("%s returns integers as %s, and this server's entities have none", queryKey,
				column), "let it return elementId(n), or n")
		}
	case string:
		if integers {
			return q.element(ctx, x)
		}
	case nil:
		return 0, false, queryError(fmt.Sprintf("%s returns null as %s", queryKey, column),
			"leave out rows without a "+column)
	default:
		return 0, false, queryError(fmt.Sprintf("%s returns %s as %s", queryKey, describe(end), column),
			"it must be a node or its id: "+queryHint)
	}
	i, known := q.reader.index(end)
	return i, known, nil
}

// element looks an elementId up among the graph's nodes, which are known by integers.
func (q *queryRows) element(ctx context.Context, id string) (int32, bool, error) {
	if q.elements == nil {
		q.elements = map[string]int32{}
		nodes := q.reader.nodes
		for low := 0; low < nodes.Len(); low += recordSize {
			rows, err := q.reader.db.query(ctx, "export", "UNWIND $ids AS i MATCH (n) WHERE id(n) = i "+
				"RETURN collect(id(n)), collect(elementId(n))",
				map[string]any{"ids": parameter(part(nodes, low, min(low+recordSize, nodes.Len())))})
			if err != nil {
				return 0, false, err
			}
			elements := list(rows[0][1])
			for k, i := range list(rows[0][0]) {
				at, _ := q.reader.index(i)
				q.elements[elements[k].(string)] = at
			}
		}
	}
	i, known := q.elements[id]
	return i, known, nil
}
