// Package neo4j exports graphs from a Neo4j database and writes scores back onto its nodes and relationships. It keeps
// the records of runs, the locks of jobs, and who owns which property there too.
package neo4j

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"golang.org/x/sync/semaphore"

	"github.com/linchpin-graph/linchpin/connector"
)

// Options say how to reach a database.
type Options struct {
	// URI of the server; its scheme is neo4j, neo4j+s, neo4j+ssc, bolt, bolt+s, bolt+ssc or bolt+unix.
	URI string
	// Database that holds the graph; "" asks the server for the user's own.
	Database string
	// Username to log in with; "" for a server without authentication.
	Username string
	// Password of the user.
	Password string
	// PasswordFunc, when set, is asked instead of Password, and again whenever the server refuses the last answer, so
	// that a rotated password is picked up.
	PasswordFunc func(context.Context) (string, error)
	// CA is a PEM file with authorities to trust besides those of the system; "" for none.
	CA string
	// Certificate and Key are PEM files with the client's own certificate, for servers that ask for one; "" for none.
	// They are read again for every connection.
	Certificate, Key string
	// Connections is how many connections read and write at the same time; 0 for 2.
	Connections int
	// Timeout of one transaction, which the server enforces; 0 for 10 minutes.
	Timeout time.Duration
	// Retry is how long a transaction is tried again after a fault that passes, such as a lost connection; 0 for 15
	// seconds, negative for never.
	Retry time.Duration
	// Now is this process's clock; nil for time.Now. Records go by the server's.
	Now func() time.Time
	// Logger takes the driver's messages and ours; nil drops them.
	Logger *slog.Logger
	// ElementIDs names entities by elementId() even where the server still has integer ids.
	ElementIDs bool

	noPassword *atomic.Bool // the last login was without a password
}

// DB is one Neo4j database. It is safe for concurrent use.
type DB struct {
	driver    driver.DriverWithContext
	bookmarks driver.BookmarkManager // what one session wrote the next one reads, in a cluster too
	options   Options
	server    Server
	schema    schema
	form      form // of reading relationships; zero chooses by size
	// What estimates read and look at: smallGraph and lookAtMost outside tests.
	smallGraph, lookAtMost int64
	// span is how many ids a transaction reads: spanSize outside tests.
	span int64
	// changing is held by transactions that change relationships: by each in part, or, once circular is set, by one alone.
	// A commit that changes a relationship of a node that has just so many as make the server store the next one in
	// another way (50) locks all of that node's, and two such commits may wait for each other. The server then ends one
	// of them, and from there on they take turns.
	changing *semaphore.Weighted
	circular atomic.Bool
}

// Server is what the database said about itself when it was opened.
type Server struct {
	Address  string `json:"address"`
	Version  string `json:"version"`
	Edition  string `json:"edition"`
	Database string `json:"database"`
	// Cypher is the language version that queries are sent in, such as "5"; "" where the server has only one.
	Cypher string `json:"cypher"`
	// IntegerIDs says that entities are named by id(), which is twice as fast as elementId().
	IntegerIDs bool `json:"integerIds"`
}

var (
	_ connector.Source    = (*DB)(nil)
	_ connector.Estimator = (*DB)(nil)
	_ connector.Sink      = (*DB)(nil)
)

// Server returns what the database said about itself when it was opened.
func (db *DB) Server() Server { return db.server }

// Close ends all connections.
func (db *DB) Close(ctx context.Context) error { return db.driver.Close(ctx) }

// prefix chooses the language version for a statement of ours.
func (db *DB) prefix() string {
	if db.server.Cypher == "" {
		return ""
	}
	return "CYPHER " + db.server.Cypher + " "
}

// id is the expression that names an entity.
func (db *DB) id(entity string) string {
	if db.server.IntegerIDs {
		return "id(" + entity + ")"
	}
	return "elementId(" + entity + ")"
}

// number is the expression for a number that an entity keeps as long as it is there.
func (db *DB) number(entity string) string {
	if db.server.IntegerIDs {
		return "id(" + entity + ")"
	}
	return "coalesce(toInteger(split(elementId(" + entity + "), ':')[-1]), 0)"
}

// call opens a subquery that imports a variable. Where there are integer ids there is Cypher 5 or older, which all know
// this form.
func (db *DB) call(variable string) string {
	if db.server.IntegerIDs {
		return "CALL { WITH " + variable + " "
	}
	return "CALL (" + variable + ") { "
}
