package neo4j

import (
	"os"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestSecurityStatements runs what docs/security.md offers to paste. The Community edition knows no roles: it must say
// that of every statement about them, which it does only after it has parsed it.
func TestSecurityStatements(t *testing.T) {
	s := neo4jtest.Shared(t)
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	driver, err := neo4j.NewDriverWithContext(s.URI(), neo4j.NoAuth())
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close(t.Context())
	roles, schema := 0, 0
	for i, block := range strings.Split(string(text), "```") {
		statements, cypher := strings.CutPrefix(block, "cypher\n")
		if i%2 == 0 || !cypher {
			continue
		}
		for statement := range strings.SplitSeq(statements, ";\n") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if strings.HasPrefix(statement, "CREATE CONSTRAINT") || strings.HasPrefix(statement, "CREATE INDEX") {
				s.Query(t, statement, nil)
				schema++
				continue
			}
			roles++
			_, err := neo4j.ExecuteQuery(t.Context(), driver, statement, nil, neo4j.EagerResultTransformer,
				neo4j.ExecuteQueryWithDatabase("system"))
			user := strings.Contains(statement, "CREATE USER") && err == nil
			if !user && !hasCode(err, "Neo.ClientError.Statement.UnsupportedAdministrationCommand") {
				t.Errorf("%s: %v", statement, err)
			}
		}
	}
	s.Query(t, "DROP USER linchpin IF EXISTS", nil)
	if roles < 18 || schema != 7 {
		t.Errorf("%d statements about roles, %d about the schema", roles, schema)
	}
	// With them in place linchpin creates nothing more.
	db := open(t, s)
	if err := db.ensureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.ensureIndexes(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := s.Query(t, "SHOW INDEXES YIELD type WHERE type <> 'LOOKUP' RETURN count(*) AS n",
		nil); rows[0]["n"] != int64(7) {
		t.Errorf("%v indexes", rows[0]["n"])
	}
}
