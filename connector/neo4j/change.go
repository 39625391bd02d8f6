package neo4j

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// Ping asks the database for an answer.
func (db *DB) Ping(ctx context.Context) error {
	_, err := db.query(ctx, "ping", "RETURN 1", nil)
	return err
}

// FirstValue runs a query of the user's that only reads, and returns the values of its first row as text.
func (db *DB) FirstValue(ctx context.Context, cypher string) (string, error) {
	text := ""
	err := db.transact(ctx, work{step: "look", do: func(ctx context.Context, t tx) error {
		var first []any
		seen := false
		if err := t.foreign(ctx, cypher, nil, func(row []any) {
			if !seen {
				first, seen = row, true
			}
		}); err != nil {
			return err
		}
		b, err := json.Marshal(first)
		if err != nil {
			b = []byte(fmt.Sprint(first...))
		}
		text = string(b)
		return nil
	}})
	if err != nil && connector.KindOf(err) == 0 && ctx.Err() == nil {
		err = &connector.Error{Kind: connector.BadQuery, Msg: "changeQuery failed", Err: err}
	}
	return text, err
}
