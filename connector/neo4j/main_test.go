package neo4j

import (
	"os"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestMain lets the server that most tests share be a long one.
func TestMain(m *testing.M) {
	neo4jtest.SharedOptions.Long = true
	os.Exit(m.Run())
}
