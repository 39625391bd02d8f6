package neo4jtest

import (
	"context"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// StartFor starts a server of the test's own, which ends with the test.
func StartFor(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, s)
	return s
}

// closeAfter closes the server when the test has ended.
func closeAfter(t testing.TB, s *Server) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server's log ends:\n%s", lastLines(s.Log()))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Clear removes all nodes and relationships of the database neo4j.
func (s *Server) Clear(t testing.TB) {
	t.Helper()
	s.Query(t, "MATCH (n) CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 20000 ROWS", nil)
}

// Empty removes all nodes, relationships, constraints and indexes of the database neo4j.
func (s *Server) Empty(t testing.TB) {
	t.Helper()
	s.dropSchema(t, "true")
	s.Clear(t)
}

// Reuse is Empty, but keeps the constraints and indexes of the labels that linchpin's records have. The server forgets
// all its plans when the schema changes, and planning is most of what tests cost.
func (s *Server) Reuse(t testing.TB) {
	t.Helper()
	s.dropSchema(t, "none(l IN labelsOrTypes WHERE l STARTS WITH 'Linchpin')")
	s.Clear(t)
}

// dropSchema removes the constraints and indexes of which the condition holds.
func (s *Server) dropSchema(t testing.TB, condition string) {
	t.Helper()
	for _, row := range s.Query(t, "SHOW CONSTRAINTS YIELD name, labelsOrTypes WHERE "+condition, nil) {
		s.Query(t, "DROP CONSTRAINT "+backticks(row["name"].(string)), nil)
	}
	for _, row := range s.Query(t,
		"SHOW INDEXES YIELD name, type, labelsOrTypes WHERE type <> 'LOOKUP' AND "+condition, nil) {
		s.Query(t, "DROP INDEX "+backticks(row["name"].(string)), nil)
	}
}

func backticks(name string) string { return "`" + name + "`" }

// Query runs a statement in a transaction of its own and returns its rows, each a map of the columns.
func (s *Server) Query(t testing.TB, cypher string, parameters map[string]any) []map[string]any {
	t.Helper()
	rows, err := s.query(t.Context(), cypher, parameters)
	if err != nil {
		t.Fatalf("%s: %v", cypher, err)
	}
	return rows
}

func (s *Server) query(ctx context.Context, cypher string, parameters map[string]any) ([]map[string]any, error) {
	driver, err := s.connect()
	if err != nil {
		return nil, err
	}
	session := driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: "neo4j"})
	defer session.Close(ctx)
	result, err := session.Run(ctx, cypher, parameters)
	if err != nil {
		return nil, err
	}
	records, err := result.Collect(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]map[string]any, len(records))
	for i, r := range records {
		rows[i] = r.AsMap()
	}
	return rows, nil
}

// connect returns the driver of Query, which lasts until the server ends.
func (s *Server) connect() (neo4j.DriverWithContext, error) {
	s.connecting.Lock()
	defer s.connecting.Unlock()
	if s.driver != nil {
		return s.driver, nil
	}
	auth := neo4j.NoAuth()
	if s.options.Password != "" {
		auth = neo4j.BasicAuth("neo4j", s.options.Password, "")
	}
	var err error
	s.driver, err = neo4j.NewDriverWithContext(s.URI(), auth)
	return s.driver, err
}

// disconnect closes the driver of Query.
func (s *Server) disconnect() {
	s.connecting.Lock()
	defer s.connecting.Unlock()
	if s.driver != nil {
		_ = s.driver.Close(context.Background()) // of a server that is about to end
		s.driver = nil
	}
}
