package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// server is the Neo4j that the demonstration uses: the reader's own, or one that it starts.
type server struct {
	uri, database string
	own           *neo4jtest.Server
}

// findServer takes the server that LINCHPIN_NEO4J_URI names, or starts one.
func findServer(ctx context.Context, keep bool) (*server, error) {
	database := cmp.Or(os.Getenv("LINCHPIN_NEO4J_DATABASE"), "neo4j")
	if uri := os.Getenv("LINCHPIN_NEO4J_URI"); uri != "" {
		fmt.Println("Using the Neo4j at", uri)
		return &server{uri: uri, database: database}, nil
	}
	fmt.Printf("Starting Neo4j %s (the first time, it is fetched from Maven Central)\n", neo4jtest.Version)
	start := time.Now()
	own, err := neo4jtest.Start(ctx, neo4jtest.Options{Keep: keep})
	if err != nil {
		return nil, fmt.Errorf("start Neo4j: %w", err)
	}
	fmt.Printf("Neo4j answers at %s after %.1f s\n", own.URI(), time.Since(start).Seconds())
	return &server{uri: own.URI(), database: database, own: own}, nil
}

// auth returns the credentials for the reader's own server; ours has none.
func (s *server) auth() neo4j.AuthToken {
	if user := os.Getenv("LINCHPIN_NEO4J_USERNAME"); s.own == nil && user != "" {
		return neo4j.BasicAuth(user, os.Getenv("LINCHPIN_NEO4J_PASSWORD"), "")
	}
	return neo4j.NoAuth()
}

// close stops the server if it is ours and not to be kept.
func (s *server) close(stop bool) error {
	if s.own == nil || !stop {
		return nil
	}
	return s.own.Close()
}

// farewell says how the reader asks questions of their own.
func (s *server) farewell(keep bool) {
	switch {
	case s.own == nil:
		fmt.Printf("\nThe scores are in your database now: MATCH (a:Airport) RETURN a.code, a.bc " +
			"ORDER BY a.bc DESC LIMIT 10\n" +
			"To take them out again: linchpin --config demo/linchpin.yml drop hubs miles without-anchorage\n")
	case keep:
		fmt.Printf("\nNeo4j stays. Ask your own questions:\n"+
			"  make cypher URI=%s\nWhen you are done, end it and remove its data:\n  kill %d; rm -r %s\n", s.uri, s.own.PID(),
			s.own.Home())
	default:
		fmt.Printf("\nTo keep the database and ask your own questions: make demo KEEP=1, then make cypher\n")
	}
}
