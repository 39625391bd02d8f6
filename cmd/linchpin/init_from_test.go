package main

import (
	"math"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	airroutes "github.com/linchpin-graph/linchpin/demo/air-routes"
	"github.com/linchpin-graph/linchpin/internal/faultproxy"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// loadAirRoutes loads the demonstration's graph into the database.
func loadAirRoutes(t *testing.T, server *neo4jtest.Server) { loadAirports(t, server, math.MaxInt32) }

// loadAirports loads the airports whose ids are up to last, the busiest ones come first, and the routes between them.
func loadAirports(t *testing.T, server *neo4jtest.Server, last int) {
	t.Helper()
	airports, err := gzippedCSV(airroutes.Airports)
	if err != nil {
		t.Fatal(err)
	}
	routes, err := gzippedCSV(airroutes.Routes)
	if err != nil {
		t.Fatal(err)
	}
	server.Query(t, "CREATE INDEX IF NOT EXISTS FOR (a:Airport) ON a.id", nil)
	server.Query(t, "CALL db.awaitIndexes()", nil)
	server.Query(t, `UNWIND $rows AS r WITH r WHERE toInteger(r[0]) <= $last CREATE (:Airport {id: toInteger(r[0]), code: r[1], name: r[2], city: r[3], country: r[4],
		lat: toFloat(r[5]), lon: toFloat(r[6])})`, map[string]any{"rows": airports, "last": last})
	server.Query(t, `UNWIND $rows AS r MATCH (a:Airport {id: toInteger(r[0])}), (b:Airport {id: toInteger(r[1])})
		CREATE (a)-[:ROUTE {miles: toInteger(r[2])}]->(b)`, map[string]any{"rows": routes})
}

// scriptForbid starts a proxy that answers requests of a step as a server does whose user has no rights, and sets
// $FORBIDDEN to its address: forbid STEP. Community has no rights to take away.
func scriptForbid(ts *testscript.TestScript, server *neo4jtest.Server, args []string) {
	_, address, _ := strings.Cut(server.URI(), "://")
	proxy, err := faultproxy.Start(address)
	ts.Check(err)
	ts.Defer(proxy.Close)
	proxy.Arm(faultproxy.Fault{Kind: faultproxy.Refuse, At: faultproxy.Trigger{Step: args[0], Message: 1}, Lasting: true,
		Code: "Neo.ClientError.Security.Forbidden", Text: "Executing procedure is not allowed for user 'neo4j'. (injected)"})
	ts.Setenv("FORBIDDEN", "bolt://"+proxy.Address())
}
