package neo4j

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/linchpin-graph/linchpin/export"
)

// hubSize is the degree from which a node's relationships are read in several passes over them, each delivering a part:
// lists of more would weigh on the server's heap.
const hubSize = 100_000

// readFromNodes reads the relationships that leave the graph's nodes. Those that come in from other nodes are not met;
// they count as dropped all the same, by the count store.
func (r *reader) readFromNodes(ctx context.Context, group int) error {
	n := r.nodes.Len()
	perNode := max(1, r.before.types[group]/int64(max(n, 1)))
	step := int(min(10_000, max(100, r.db.span/perNode)))
	before := r.read.Load()
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(r.db.options.Connections)
	for low := 0; low < n && gctx.Err() == nil; low += step {
		g.Go(func() error { return r.readNodesFrom(gctx, group, part(r.nodes, low, min(low+step, n))) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if len(r.projection.Relationships[group].Where) > 0 {
		return nil // how many of those elsewhere meet the conditions is not known
	}
	if foreign := r.before.types[group] - (r.read.Load() - before); foreign > 0 {
		r.builder.Drop(export.Dropped{Dangling: foreign})
	}
	return nil
}

// readNodesFrom reads what leaves the given nodes, in statements that each meet about recordSize relationships.
func (r *reader) readNodesFrom(ctx context.Context, group int, nodes export.IDs) error {
	return r.deliver(ctx, group, false, func(ctx context.Context, t tx, b *block) error {
		degrees, err := b.degrees(ctx, t, nodes)
		if err != nil {
			return err
		}
		return b.expand(ctx, t, nodes, degrees)
	})
}

// degrees returns how many relationships leave each node; the server keeps that number for large ones.
func (b *block) degrees(ctx context.Context, t tx, nodes export.IDs) ([]int64, error) {
	out := make([]int64, nodes.Len())
	cypher := fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE %s = $ids[i] "+
		"RETURN collect(i), collect(COUNT { (n)-[:%s]->() })",
		t.db.id("n"), quote(b.relationship().Type))
	err := t.rows(ctx, cypher, map[string]any{"ids": parameter(nodes)}, func(row []any) {
		degrees := list(row[1])
		for k, i := range list(row[0]) {
			out[i.(int64)] = degrees[k].(int64)
		}
	})
	return out, err
}

func (b *block) expand(ctx context.Context, t tx, nodes export.IDs, degrees []int64) error {
	f, err := filterOf("r", b.relationship().Where)
	if err != nil {
		return err
	}
	met := fmt.Sprintf("UNWIND $ids AS i MATCH (a) WHERE %s = i MATCH (a)-[r:%s]->(b)", t.db.id("a"),
		quote(b.relationship().Type))
	for low := 0; low < len(degrees); {
		high, sum := low+1, degrees[low]
		for high < len(degrees) && sum+degrees[high] <= recordSize {
			sum += degrees[high]
			high++
		}
		passes := sum/hubSize + 1
		cypher := around{before: met + f.where() + " RETURN "}
		if passes > 1 {
			cypher.before = met + " WHERE " + t.db.number("r") + " % $passes = $pass" + f.text + " RETURN "
		}
		ids := parameter(part(nodes, low, high))
		for pass := int64(0); pass < passes && sum > 0; pass++ {
			if err := b.read(ctx, t, cypher, f.with(map[string]any{"ids": ids, "passes": passes, "pass": pass})); err != nil {
				return err
			}
		}
		low = high
	}
	return nil
}
