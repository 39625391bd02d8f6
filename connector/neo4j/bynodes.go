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
	perNode := max(1, r.sizes.types[group]/int64(max(n, 1)))
	step := int(min(10_000, max(100, spanSize/perNode)))
	before := r.read.Load()
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(r.db.options.Connections)
	for low := 0; low < n && gctx.Err() == nil; low += step {
		g.Go(func() error { return r.readNodesFrom(gctx, group, part(r.nodes, low, min(low+step, n))) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if foreign := r.sizes.types[group] - (r.read.Load() - before); foreign > 0 {
		r.builder.Drop(export.Dropped{Dangling: foreign})
	}
	return nil
}

// readNodesFrom reads what leaves the given nodes, in statements that each meet about recordSize relationships.
func (r *reader) readNodesFrom(ctx context.Context, group int, nodes export.IDs) error {
	b := &block{reader: r, group: group}
	err := r.db.transact(ctx, work{step: "export", bulk: true, do: func(ctx context.Context, t tx) error {
		b.reset()
		degrees, err := b.degrees(ctx, t, nodes)
		if err != nil {
			return err
		}
		return b.expand(ctx, t, nodes, degrees)
	}})
	if err != nil {
		return err
	}
	return b.deliver()
}

// degrees returns how many relationships leave each node; the server keeps that number for large ones.
func (b *block) degrees(ctx context.Context, t tx, nodes export.IDs) ([]int64, error) {
	out := make([]int64, nodes.Len())
	cypher := fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE %s = $ids[i] RETURN collect(i), collect(COUNT { (n)-[:%s]->() })",
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
	of := b.relationship()
	met := fmt.Sprintf("UNWIND $ids AS i MATCH (n) WHERE %s = i MATCH (n)-[r:%s]->()", t.db.id("n"), quote(of.Type))
	number := "id(r)"
	if !t.db.server.IntegerIDs {
		number = "coalesce(toInteger(split(elementId(r), ':')[-1]), 0)"
	}
	for low := 0; low < len(degrees); {
		high, sum := low+1, degrees[low]
		for high < len(degrees) && sum+degrees[high] <= recordSize {
			sum += degrees[high]
			high++
		}
		passes := sum/hubSize + 1
		cypher := met + " RETURN " + b.reader.columns(of)
		if passes > 1 {
			cypher = met + " WHERE " + number + " % $passes = $pass RETURN " + b.reader.columns(of)
		}
		ids := parameter(part(nodes, low, high))
		for pass := int64(0); pass < passes && sum > 0; pass++ {
			if err := b.read(ctx, t, cypher, map[string]any{"ids": ids, "passes": passes, "pass": pass}); err != nil {
				return err
			}
		}
		low = high
	}
	return nil
}
