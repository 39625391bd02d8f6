package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// question is a Cypher query and what it is about.
type question struct{ title, cypher string }

var questions = []question{
	{"Which airports hold the network together? (next to how many routes they have)", `
MATCH (a:Airport)
RETURN a.code AS airport, a.city AS city, round(a.bc) AS betweenness, a.routes AS degree
ORDER BY a.bc DESC LIMIT 10`},
	{"Which of them have few routes, and everything behind them hangs on them?", `
MATCH (a:Airport) WHERE a.routes < 40
RETURN a.code AS airport, a.city AS city, round(a.bc) AS betweenness, a.routes AS degree
ORDER BY a.bc DESC LIMIT 5`},
	{"Which routes carry the most shortest paths?", `
MATCH (a:Airport)-[r:ROUTE]->(b:Airport) WHERE a.id < b.id
RETURN a.code + ' - ' + b.code AS route, a.city AS from, b.city AS to, round(r.route_bc) AS betweenness, r.miles AS miles
ORDER BY r.route_bc DESC LIMIT 10`},
	{"And counted in miles instead of stops?", `
MATCH (a:Airport)
RETURN a.code AS airport, a.city AS city, round(a.bc_miles) AS betweenness, round(a.bc) AS in_stops, a.routes AS degree
ORDER BY a.bc_miles DESC LIMIT 10`},
	{"Which routes are the shortest way for the most pairs of airports?", `
MATCH (a:Airport)-[r:ROUTE]->(b:Airport) WHERE a.id < b.id
RETURN a.code + ' - ' + b.code AS route, round(r.route_bc_miles) AS betweenness, r.miles AS miles
ORDER BY r.route_bc_miles DESC LIMIT 5`},
}

// takeover compares the scores with those of the graph without its highest airport.
var takeover = question{"Remove Anchorage and run again: who takes over?", `
MATCH (a:Airport) WHERE a.bc_without > a.bc
RETURN a.code AS airport, a.city AS city, round(a.bc) AS before, round(a.bc_without) AS after
ORDER BY a.bc_without - a.bc DESC LIMIT 10`}

// ask prints the query and its rows as a table.
func (q question) ask(ctx context.Context, driver neo4j.DriverWithContext, database string) error {
	result, err := neo4j.ExecuteQuery(ctx, driver, q.cypher, nil, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase(database), neo4j.ExecuteQueryWithReadersRouting())
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\n%s\n\n", q.title, indent(strings.TrimSpace(q.cypher)))
	if len(result.Records) == 0 {
		return fmt.Errorf("no rows")
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  "+strings.Join(result.Keys, "\t"))
	for _, r := range result.Records {
		cells := make([]string, len(r.Values))
		for i, v := range r.Values {
			if v == nil {
				return fmt.Errorf("%s is null", result.Keys[i])
			}
			cells[i] = cell(v)
		}
		fmt.Fprintln(w, "  "+strings.Join(cells, "\t"))
	}
	return w.Flush()
}

func cell(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprint(v)
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(s, "\n", "\n  ")
}
