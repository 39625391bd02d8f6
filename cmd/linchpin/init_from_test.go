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
	// Airport i is row i. The list spares an index, which would have the server plan all statements again.
	server.Query(t,
		`UNWIND $airports AS r CREATE (a:Airport {id: toInteger(r[0]), code: r[1], name: r[2], city: r[3], country: r[4],
		lat: toFloat(r[5]), lon: toFloat(r[6])}) WITH collect(a) AS all
		UNWIND $routes AS r WITH all[toInteger(r[0]) - 1] AS a, all[toInteger(r[1]) - 1] AS b, r
		WHERE a IS NOT NULL AND b IS NOT NULL
		CREATE (a)-[:ROUTE {miles: toInteger(r[2])}]->(b)`,
		map[string]any{"airports": airports[:min(last, len(airports))], "routes": routes})
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
