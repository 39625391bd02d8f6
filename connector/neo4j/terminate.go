package neo4j

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// A server does not notice that a client has gone while the network loses the news, and a transaction that waits for
// the next statement then keeps its locks until its timeout. Such transactions of ours are looked for by their metadata
// and ended. Everybody may see and end their own transactions; where that fails, the timeout remains.

// endTimeout bounds the search for abandoned transactions.
const endTimeout = 5 * time.Second

// endAttempts ends what earlier attempts at a transaction have left on the server.
func (db *DB) endAttempts(ctx context.Context, token string) {
	db.end(ctx, "metaData.attempt = $attempt", map[string]any{"attempt": token})
}

// endPredecessors ends what runs that held the job's lock before have left on the server and is older than age. With
// age 0 the caller holds the lock: then nobody else may write scores, however young the transaction is.
func (db *DB) endPredecessors(ctx context.Context, job string, age time.Duration) {
	db.end(ctx, "metaData.job = $job AND coalesce(metaData.run, '') <> $run AND "+
		"(metaData.step IN ['write', 'publish'] AND elapsedTime.milliseconds >= $age "+
		"OR metaData.step IN ['lock', 'record'] AND elapsedTime.milliseconds >= $least)",
		map[string]any{"job": job, "run": connector.MetaOf(ctx).Run, "age": age.Milliseconds(),
			"least": lockTimeout.Milliseconds()})
}

func (db *DB) end(ctx context.Context, condition string, parameters map[string]any) {
	ctx, cancel := context.WithTimeout(ctx, endTimeout)
	defer cancel()
	ended := int64(0)
	err := db.attempt(ctx, work{step: "terminate", do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, "SHOW TRANSACTIONS YIELD transactionId AS id, metaData, elapsedTime "+
			"WHERE metaData.app = 'linchpin' AND "+condition+
			" TERMINATE TRANSACTIONS id YIELD message RETURN count(message)", parameters, func(row []any) {
			ended,
				_ = row[0].(int64)
		})
	}})
	switch {
	case err != nil:
		db.options.Logger.Debug("abandoned transactions were not looked for", "error", oneLine(err))
	case ended > 0:
		db.options.Logger.Info("transactions that were abandoned on the server are ended", "count", ended)
	}
}
