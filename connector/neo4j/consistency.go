package neo4j

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// exportTimes is how often a graph that changes is read under OnChange retry.
const exportTimes = 3

// Export implements connector.Source. Neo4j has no snapshots: what is written meanwhile may be seen or not. An entity
// that is met twice counts once, and a relationship to a node that was not met is dropped and counted. What was seen of
// a change is in Snapshot.Read, and Projection.OnChange says what it does.
func (db *DB) Export(ctx context.Context, p connector.Projection,
	progress connector.Progress) (*export.Snapshot, error) {
	for times := 1; ; times++ {
		s, err := db.exportOnce(ctx, p, progress)
		if err != nil {
			return nil, explain(ctx, err)
		}
		s.Read.Times = times
		change := s.Read.Changed
		switch {
		case change == "" || p.OnChange == connector.IgnoreChange:
			return s, nil
		case p.OnChange == connector.FailOnChange:
			return nil, &connector.Error{
				Kind: connector.Changed, Msg: "the database changed while it was exported: " + change,
				Hint: "run it when nobody writes, or set onChange: warn or retry",
			}
		}
		if p.OnChange != connector.RetryOnChange || times == exportTimes {
			return s, nil
		}
		db.options.Logger.Info("the database changed while it was exported: reading it again", "change", change, "times",
			times)
	}
}

// state is what can be told of the database's without reading it: the numbers of the count store, and the last
// committed transaction, -1 where the server does not tell (Community, or a user who may not ask).
type state struct {
	sizes
	transaction int64
}

func (db *DB) state(ctx context.Context, p connector.Projection) (state, error) {
	s, err := db.checkNames(ctx, p)
	if err != nil {
		return state{}, err
	}
	last, err := db.lastTransaction(ctx)
	return state{sizes: s, transaction: last}, err
}

// community is the edition whose servers do not tell the last committed transaction.
const community = "community"

// lastTransaction returns the last committed transaction, -1 where the server does not tell. Its only errors are those
// of lost connections.
func (db *DB) lastTransaction(ctx context.Context) (int64, error) {
	if db.server.Edition == community { // a server that has just started would plan the question for two seconds
		return -1, nil
	}
	rows, err := db.system(ctx, "export", "SHOW DATABASE $name YIELD lastCommittedTxn RETURN max(lastCommittedTxn)",
		map[string]any{"name": db.server.Database})
	if unreachable(err) {
		return -1, err
	}
	if err != nil || len(rows) != 1 {
		return -1, nil
	}
	if last, ok := rows[0][0].(int64); ok {
		return last, nil
	}
	return -1, nil
}

// change says what differs between two states, or "".
func (before state) change(after state, p connector.Projection) string {
	if before.transaction >= 0 && before.transaction == after.transaction {
		return "" // nothing at all was committed
	}
	var out []string
	for i, part := range selections(p) {
		out = differ(out, part.what, before.nodes[i], after.nodes[i])
	}
	for i, r := range p.Relationships {
		out = differ(out, "relationships of type "+r.Type, before.types[i], after.types[i])
	}
	if len(out) == 0 && before.transaction >= 0 && after.transaction >= 0 {
		out = append(out, fmt.Sprintf("%d transactions were committed", after.transaction-before.transaction))
	}
	return strings.Join(out, ", ")
}

func differ(out []string, what string, before, after int64) []string {
	if before == after {
		return out
	}
	return append(out, fmt.Sprintf("%d %s became %d", before, what, after))
}

// changed says what is known to have changed since the export began: in the database's own numbers, or because more or
// less was met than there was.
func (r *reader) changed(ctx context.Context) (string, error) {
	after, err := r.db.state(ctx, r.projection)
	if err != nil {
		return "", err
	}
	if known := r.before.change(after, r.projection); known != "" || r.before.transaction >= 0 && after.transaction >= 0 {
		return known, nil
	}
	return strings.Join(r.odd, ", "), nil
}

// expect notes when as many entities were not met as the count store has.
func (r *reader) expect(what string, met, stored int64) {
	if met != stored {
		r.odd = append(r.odd, fmt.Sprintf("%d %s were met of %d", met, what, stored))
	}
}

type pinned struct{}

// pin makes all further transactions of the context read at least what the session so far has seen, whichever server of
// a cluster they reach, and no two of them more than that.
func (db *DB) pin(ctx context.Context) (context.Context, error) {
	bookmarks, err := db.bookmarks.GetBookmarks(ctx)
	if err != nil {
		return ctx, errors.Join(errors.New("bookmarks"), err)
	}
	return context.WithValue(ctx, pinned{}, slices.Clone(bookmarks)), nil
}
