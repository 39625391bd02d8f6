package neo4j

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// keyText is the text of a node's key; null where there is none, or a list.
func keyText(node, key string) string { return "toStringOrNull(" + node + "." + quote(key) + ")" }

// readKeys reads the key of each node, before any relationship: one that is deleted meanwhile, and whose id goes to
// another, has at the write neither the key nor the relationships of the other. Nodes that have gone already are left
// out.
func (r *reader) readKeys(ctx context.Context) error {
	parts := (r.nodes.Len() + recordSize - 1) / recordSize
	ids, keys := make([]export.IDs, parts), make([][]string, parts)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(r.db.options.Connections)
	for i := range parts {
		g.Go(func() (err error) {
			ids[i], keys[i], err = r.db.keysOf(gctx, part(r.nodes, i*recordSize, min((i+1)*recordSize, r.nodes.Len())),
				r.projection.Key)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	r.nodes, r.keys = export.IDs{}, []string{}
	for i := range parts {
		r.nodes.Ints, r.nodes.Texts = append(r.nodes.Ints, ids[i].Ints...), append(r.nodes.Texts, ids[i].Texts...)
		r.keys = append(r.keys, keys[i]...)
	}
	return r.checkKeys()
}

// keysOf returns the keys of those nodes that are still there.
func (db *DB) keysOf(ctx context.Context, nodes export.IDs, key string) (ids export.IDs, keys []string, err error) {
	cypher := fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH (x) WHERE %s = $ids[i] "+
		"WITH i, coalesce(%s, false) AS key ORDER BY i "+
		"RETURN collect(i), collect(key)", db.id("x"), keyText("x", key))
	rows, err := db.query(ctx, "export", cypher, map[string]any{"ids": parameter(nodes)})
	if err != nil {
		return ids, nil, err
	}
	met := list(rows[0][0])
	at := make([]int32, len(met))
	for k, i := range met {
		at[k] = int32(i.(int64))
		text, ok := list(rows[0][1])[k].(string)
		if !ok {
			return ids, nil, &connector.Error{
				Kind: connector.BadData, Msg: fmt.Sprintf("node %s has no property %s, or a list, and graph.key names it",
					nodes.String(int(at[k])), key),
				Hint: "name a property that every node of the graph has, with a value of its own, or leave out graph.key",
			}
		}
		keys = append(keys, text)
	}
	return pick(nodes, at), keys, nil
}

// checkKeys refuses two nodes with the same key.
func (r *reader) checkKeys() error {
	seen := make(map[string]int, len(r.keys))
	for i, key := range r.keys {
		if before, twice := seen[key]; twice {
			return &connector.Error{
				Kind: connector.BadData, Msg: fmt.Sprintf("nodes %s and %s both have %q in the property %s, and graph.key names it",
					r.nodes.String(before), r.nodes.String(i), key, r.projection.Key),
				Hint: "name a property that every node of the graph has, with a value of its own, or leave out graph.key",
			}
		}
		seen[key] = i
	}
	return nil
}
