package neo4j

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/auth"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"golang.org/x/sync/semaphore"

	"github.com/linchpin-graph/linchpin/connector"
)

// Open connects to a database and checks that it answers. Errors carry a Kind: Unreachable for a server that does not
// answer or refuses us, UnknownName for a database that it does not have.
func Open(ctx context.Context, o Options) (*DB, error) {
	o.Connections = cmp.Or(o.Connections, 2)
	o.Timeout = cmp.Or(o.Timeout, 10*time.Minute)
	o.Retry = cmp.Or(o.Retry, 15*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	o.noPassword = new(atomic.Bool)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	secure, err := secured(o)
	if err != nil {
		return nil, err
	}
	d, err := driver.NewDriverWithContext(o.URI, credentials(o), func(c *config.Config) { configure(c, o) }, secure)
	if err != nil {
		return nil, explainOpen(ctx, o.URI, err)
	}
	db := &DB{driver: d, options: o, bookmarks: driver.NewBookmarkManager(driver.BookmarkManagerConfig{}),
		changing:   semaphore.NewWeighted(allChanges),
		smallGraph: smallGraph, lookAtMost: lookAtMost, span: spanSize}
	db.server.Database = o.Database
	if err := db.greet(ctx); err != nil {
		_ = d.Close(context.WithoutCancel(ctx)) // the first error says more
		return nil, err
	}
	return db, nil
}

func configure(c *config.Config, o Options) {
	c.TelemetryDisabled = true
	c.UserAgent = "linchpin"
	c.MaxConnectionPoolSize = max(4*o.Connections, 16)
	c.ConnectionAcquisitionTimeout = o.hearing()
	c.ReadBufferSize = 256 << 10
	if o.Logger.Handler() != slog.DiscardHandler {
		c.Log = driverLog{o.Logger}
	}
}

// hearing is how long a new connection may take, to a server that says nothing: no longer than anything else is tried.
func (o Options) hearing() time.Duration { return min(max(o.Retry, 5*time.Second), 30*time.Second) }

func credentials(o Options) auth.TokenManager {
	if o.Username == "" {
		return driver.NoAuth()
	}
	if o.PasswordFunc == nil {
		return o.login(o.Password)
	}
	return auth.BasicTokenManager(func(ctx context.Context) (driver.AuthToken, error) {
		password, err := o.PasswordFunc(ctx)
		return o.login(password), err
	})
}

// login is without authentication if there is no password: a server that has authentication turned off takes that, and
// another does not count it as a wrong password, of which three lock the user out.
func (o Options) login(password string) driver.AuthToken {
	o.noPassword.Store(password == "")
	if password == "" {
		return driver.NoAuth()
	}
	return driver.BasicAuth(o.Username, password, "")
}

// greet checks the connection and learns what the server is.
func (db *DB) greet(ctx context.Context) error {
	info, err := db.serverInfo(ctx)
	again := passing(err) || errors.Is(err, context.DeadlineExceeded)
	if hasCode(err, "Neo.ClientError.Security.Unauthorized") {
		again = false // the password was read just now; wrong ones are counted, and lock the user out
	}
	if err != nil && ctx.Err() == nil && again && db.options.Retry > 0 {
		info, err = db.serverInfo(ctx) // once more: a server that is not there says so at once
	}
	if hasCode(err, "Neo.ClientError.Security.Unauthorized") && db.options.noPassword.Load() {
		return &connector.Error{Kind: connector.Unreachable, Msg: "the server wants a password, and none is set",
			Hint: "set neo4j.passwordFile, LINCHPIN_NEO4J_PASSWORD_FILE or LINCHPIN_NEO4J_PASSWORD"}
	}
	if err != nil {
		return explainOpen(ctx, db.options.URI, err)
	}
	db.server.Address = info.Address()
	if err := db.findDatabase(ctx); err != nil {
		return explainOpen(ctx, db.options.URI, err)
	}
	if err := db.probe(ctx); err != nil {
		return explainOpen(ctx, db.options.URI, err)
	}
	return ctx.Err()
}

// serverInfo opens the first connection. The driver would wait for its first answer without end.
func (db *DB) serverInfo(ctx context.Context) (driver.ServerInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, db.options.hearing())
	defer cancel()
	return db.driver.GetServerInfo(ctx)
}

// findDatabase checks that the database is there, and learns the server's version, and the database's name when none
// was given: every session names it, so that the driver need not ask.
func (db *DB) findDatabase(ctx context.Context) error {
	rows, err := db.query(ctx, "connect", "CALL db.info() YIELD name CALL dbms.components() YIELD versions, edition "+
		"RETURN name, versions[0], edition LIMIT 1", nil)
	var known *connector.Error
	if errors.As(err, &known) && known.Kind == connector.UnknownName {
		known.Msg = fmt.Sprintf("the server has no database %q", db.options.Database)
		known.Hint = hintAmong(db.options.Database, db.databases(ctx), "it has")
		return known
	}
	if err == nil && len(rows) == 1 {
		db.server.Database, _ = rows[0][0].(string)
		db.server.Version, db.server.Edition = fmt.Sprint(rows[0][1]), fmt.Sprint(rows[0][2])
	}
	return err
}

// databases lists the names of the server's databases, as far as they can be seen.
func (db *DB) databases(ctx context.Context) []string {
	rows, err := db.system(ctx, "connect", "SHOW DATABASES YIELD name WHERE name <> 'system' RETURN name ORDER BY name",
		nil)
	if err != nil {
		return nil
	}
	return texts(rows)
}

// system runs a statement that reads in the database system.
func (db *DB) system(ctx context.Context, step, cypher string, parameters map[string]any) ([][]any, error) {
	system := &DB{driver: db.driver, options: db.options}
	system.server.Database = "system"
	return system.query(ctx, step, cypher, parameters)
}

// CheckWritable reports an error when the server says that the database is read-only. It does not look at the rights of
// the user.
func (db *DB) CheckWritable(ctx context.Context) error {
	rows, err := db.system(ctx, "connect", "SHOW DATABASE $name YIELD access RETURN DISTINCT access",
		map[string]any{"name": db.server.Database})
	if err != nil || len(rows) != 1 || rows[0][0] != "read-only" { // one that may not look finds out when it writes
		return ctx.Err()
	}
	return &connector.Error{Kind: connector.Unreachable, Msg: "the database is read-only", Hint: readOnlyHint}
}

// probe finds out how entities can be named: by id(), in Cypher 5 where the server has several languages, or else by
// elementId().
func (db *DB) probe(ctx context.Context) error {
	for _, cypher := range []string{"5", ""} {
		db.server.Cypher = cypher
		_, err := db.query(ctx, "connect", "MATCH (n) WHERE id(n) = -1 RETURN id(n)", nil)
		if err == nil {
			db.server.IntegerIDs = !db.options.ElementIDs
			return nil
		}
		if !hasCode(err, "Neo.ClientError.Statement") { // it has not said no, it has said nothing
			return err
		}
	}
	return nil
}

// texts returns the first column of rows.
func texts(rows [][]any) []string {
	out := make([]string, 0, len(rows))
	for _, row := range rows {
		if s, ok := row[0].(string); ok {
			out = append(out, s)
		}
	}
	return out
}
