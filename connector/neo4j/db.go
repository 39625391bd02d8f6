// Package neo4j exports graphs from a Neo4j database and writes scores back onto its nodes and relationships. It keeps
// the records of runs, the locks of jobs, and who owns which property there too.
package neo4j

import (
	"context"
	"log/slog"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

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
	// Connections is how many connections read and write at the same time; 0 for 2.
	Connections int
	// Timeout of one transaction, which the server enforces; 0 for 10 minutes.
	Timeout time.Duration
	// Logger takes the driver's messages; nil drops them.
	Logger *slog.Logger
	// ElementIDs names entities by elementId() even where the server still has integer ids.
	ElementIDs bool
}

// DB is one Neo4j database. It is safe for concurrent use.
type DB struct {
	driver  driver.DriverWithContext
	options Options
	server  Server
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
