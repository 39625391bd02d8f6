package neo4j

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// form is a way to read the relationships of a type. All deliver the same; which is fast depends on how many there are
// and where.
type form int

const (
	bySize form = iota
	// byPages scans the type's index, page by page: for few, wherever they are.
	byPages
	// byRanges walks ranges of relationship ids in a loop on the server: for many that lie close together.
	byRanges
	// byLists is byRanges without packing, for ids that do not fit.
	byLists
	// byNodes goes out from the graph's nodes: for a small part of a large database, and for ids that lie far apart.
	byNodes
)

// scanLimit is how many relationships pages are used for.
const scanLimit = 2_000_000

// columns is what a statement returns of the relationships (a)-[r]->(b) that it met: lists of the ends, the ids and the
// weights. Ends that the pattern names cost the server a third less than startNode(r) and endNode(r). collect leaves
// out a missing weight; once one is met, the group is read with an empty map in its place, which no property can be.
func (r *reader) columns(of connector.Relationship, missing, packed bool) string {
	weight := weightColumn(of, missing)
	if packed {
		return "collect(" + pack("id(a)", "id(b)", "id(r)", "i") + ") AS p" + weight
	}
	return fmt.Sprintf("collect(%s) AS s, collect(%s) AS t, collect(%s) AS r", r.db.id("a"), r.db.id("b"), r.db.id("r")) +
		weight
}

func weightColumn(of connector.Relationship, missing bool) string {
	switch weight := "r." + quote(of.Weight); {
	case of.Weight == "":
		return ""
	case missing:
		return ", collect(coalesce(" + weight + ", {})) AS w"
	default:
		return ", collect(" + weight + ") AS w"
	}
}

// names are those of the columns.
func names(of connector.Relationship, packed bool) string {
	columns := "s, t, r"
	if packed {
		columns = "i, p"
	}
	if of.Weight != "" {
		columns += ", w"
	}
	return columns
}

// readRelationships reads those of one group.
func (r *reader) readRelationships(ctx context.Context, group int) error {
	of, count := r.projection.Relationships[group], r.before.types[group]
	if count == 0 {
		return nil
	}
	var err error
	e := extent{count: count}
	if r.db.server.IntegerIDs && (count > pageSize || r.db.form != bySize) {
		if e, err = r.db.extent(ctx, "()-[x:"+quote(of.Type)+"]->()", count); err != nil {
			return err
		}
	}
	met := r.read.Load()
	switch r.chooseForm(ctx, e) {
	case byNodes:
		return r.readFromNodes(ctx, group) // which does not meet all
	case byRanges, byLists:
		err = r.readRanges(ctx, group, e)
	default:
		err = r.readPages(ctx, group)
	}
	if len(of.Where) > 0 {
		return err
	}
	r.expect("relationships of type "+of.Type, r.read.Load()-met, count)
	return err
}

func (r *reader) chooseForm(ctx context.Context, e extent) form {
	n := int64(r.nodes.Len())
	switch {
	case r.db.form != bySize:
		return r.db.form
	case e.count <= pageSize:
		return byPages
	case (r.projection.NodeQuery != "" || len(r.projection.Where) > 0) && r.isSmallPart(ctx, n):
		return byNodes
	case r.db.server.IntegerIDs && e.dense():
		return byRanges
	case e.count <= scanLimit:
		return byPages
	}
	return byNodes
}

// isSmallPart says whether the graph has less than a twentieth of the database's nodes.
func (r *reader) isSmallPart(ctx context.Context, n int64) bool {
	all, err := r.db.count(ctx, "export", "MATCH (n) RETURN count(n)", nil)
	return err == nil && 20*n < all
}

func (r *reader) readRanges(ctx context.Context, group int, e extent) error {
	of := r.projection.Relationships[group]
	f, err := filterOf("r", of.Where)
	if err != nil {
		return err
	}
	return r.db.spans(ctx, e, func(ctx context.Context, low, high int64) error {
		return r.readRange(ctx, group, f, low, high)
	})
}

func (r *reader) readPages(ctx context.Context, group int) error {
	of, count := r.projection.Relationships[group], r.before.types[group]
	f, err := filterOf("r", of.Where)
	if err != nil {
		return err
	}
	cypher := around{
		"MATCH (a)-[r:" + quote(of.Type) + "]->(b)" + f.where() +
			" WITH a, r, b ORDER BY r SKIP $skip LIMIT $limit WITH toInteger(rand() * $records) AS g, a, r, b WITH g, ",
		" RETURN " + names(of, false),
	}
	return r.db.pages(ctx, count, func(ctx context.Context, skip, limit int64) error {
		return r.take(ctx, group, limit > leastBatch, cypher,
			f.with(map[string]any{"skip": skip, "limit": limit, "records": min(count, limit)/recordSize + 1}))
	})
}

// around is a statement without the columns between its two parts.
type around struct{ before, after string }

// take runs a statement and hands what it returns to the builder. splits says that the caller asks for less when the
// server's memory does not suffice.
func (r *reader) take(ctx context.Context, group int, splits bool, cypher around, parameters map[string]any) error {
	return r.deliver(ctx, group, splits, func(ctx context.Context, t tx, b *block) error {
		return b.read(ctx, t, cypher, parameters)
	})
}

// deliver fills a block in a transaction and, when that has ended well, hands it to the builder.
func (r *reader) deliver(ctx context.Context, group int, splits bool,
	fill func(context.Context, tx, *block) error) error {
	b, _ := r.blocks.Get().(*block)
	if b == nil {
		b = &block{reader: r}
	}
	defer r.blocks.Put(b)
	err := r.db.transact(ctx, work{step: "export", bulk: true, splits: splits, do: func(ctx context.Context, t tx) error {
		b.reset(group)
		err := fill(ctx, t, b)
		if errors.Is(err, errMissing) {
			r.missing[group].Store(true)
			b.reset(group)
			err = fill(ctx, t, b)
		}
		return err
	}})
	if err != nil {
		return err
	}
	return b.deliver()
}

// errMissing says that relationships lack a weight, and which is not known.
var errMissing = errors.New("a weight is missing")

// block gathers the relationships of one transaction.
type block struct {
	reader  *reader
	group   int
	rels    export.Rels
	dropped export.Dropped
	weigher weigher
	bad     export.BadWeights[badWeight]
	rows    int
	missing bool // the statement shows missing weights
	packed  bool // the statement packs each relationship into one integer
}

func (b *block) relationship() connector.Relationship {
	return b.reader.projection.Relationships[b.group]
}

// reset empties the block and keeps its memory.
func (b *block) reset(group int) {
	kept := b.rels
	*b = block{reader: b.reader, group: group}
	of := b.relationship()
	b.weigher = weigher{policy: b.reader.projection.Weights, def: of.DefaultWeight, parse: of.Parse}
	b.rels = export.Rels{Group: group, Source: kept.Source[:0], Target: kept.Target[:0]}
	b.rels.IDs.Ints, b.rels.IDs.Texts = kept.IDs.Ints[:0], kept.IDs.Texts[:0]
	if of.Weight != "" {
		b.rels.Weights = slices.Grow(kept.Weights[:0], 1)
	}
}

// read runs a statement and takes its records. errMissing says that a weight is missing and that the columns must show
// which.
func (b *block) read(ctx context.Context, t tx, cypher around, parameters map[string]any) error {
	b.missing = b.reader.missing[b.group].Load()
	result, err := t.Run(ctx, t.db.prefix()+cypher.before+b.reader.columns(b.relationship(), b.missing, b.packed)+
		cypher.after, parameters)
	if err != nil {
		return err
	}
	var record *driverRecord
	for result.NextRecord(ctx, &record) {
		if err := b.add(record.Values); err != nil {
			return err
		}
	}
	return result.Err()
}

// deliver hands the block to the builder.
func (b *block) deliver() error {
	b.reader.refuse(b.group, b.bad)
	if b.reader.looking {
		return nil
	}
	b.reader.builder.Drop(b.dropped)
	if err := b.reader.builder.AddRelationships(b.rels); err != nil {
		return &connector.Error{Kind: connector.TooLarge, Msg: "the graph is too large", Err: err}
	}
	b.reader.read.Add(int64(b.rows))
	b.reader.advance()
	return nil
}

// add takes the lists of one record.
func (b *block) add(row []any) error {
	if b.packed {
		return b.addPacked(row)
	}
	source, target, ids := list(row[0]), list(row[1]), list(row[2])
	weights, err := b.begin(row, 3, len(source))
	if err != nil {
		return err
	}
	if len(target) != len(source) || len(ids) != len(source) {
		return fmt.Errorf("the server returned lists of %d, %d and %d for the same relationships", len(source), len(target),
			len(ids))
	}
	for i := range source {
		u, known := b.reader.index(source[i])
		v, known2 := b.reader.index(target[i])
		if !known || !known2 {
			b.dropped.Dangling++
			continue
		}
		if keep, refused := b.weigh(weights, i); !keep {
			if refused != 0 {
				b.bad.Add(refused, badWeight{ids[i], source[i], target[i], weights[i]})
			}
			continue
		}
		b.rels.Source, b.rels.Target = append(b.rels.Source, u), append(b.rels.Target, v)
		appendID(&b.rels.IDs, ids[i])
	}
	return nil
}

// weigh takes the weight of relationship i of a record, if the group has weights. keep is false when the relationship
// is not to be used, with the fault if its weight is refused.
func (b *block) weigh(weights []any, i int) (keep bool, refused export.WeightFault) {
	if weights == nil {
		return true, 0
	}
	w, keep, refused := b.weigher.weigh(weights[i], &b.dropped)
	if keep {
		b.rels.Weights = append(b.rels.Weights, w)
	}
	return keep, refused
}

// begin makes room for a record of n relationships, and returns their weights from a column; nil for a group without.
// errMissing says that there are fewer weights.
func (b *block) begin(row []any, column, n int) ([]any, error) {
	b.rows += n
	b.grow(n)
	if b.relationship().Weight == "" {
		return nil, nil
	}
	weights := list(row[column])
	switch {
	case len(weights) < n && !b.missing:
		return nil, errMissing
	case len(weights) != n:
		return nil, fmt.Errorf("the server returned %d weights for %d relationships", len(weights), n)
	}
	return weights, nil
}

func (b *block) grow(n int) {
	b.rels.Source, b.rels.Target = roomFor(b.rels.Source, n), roomFor(b.rels.Target, n)
	if b.relationship().Weight != "" {
		b.rels.Weights = roomFor(b.rels.Weights, n)
	}
	if b.reader.db.server.IntegerIDs {
		b.rels.IDs.Ints = roomFor(b.rels.IDs.Ints, n)
	} else {
		b.rels.IDs.Texts = roomFor(b.rels.IDs.Texts, n)
	}
}

// index returns the place of a node in the graph.
func (r *reader) index(id any) (int32, bool) {
	if r.looking {
		return 0, true
	}
	switch id := id.(type) {
	case int64:
		return r.builder.Index(id)
	case string:
		return r.builder.IndexText(id)
	}
	return 0, false
}
