package main

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// load puts air-routes into the database as (:Airport)-[:ROUTE {miles}]->(:Airport); what is there already stays.
func load(ctx context.Context, driver neo4j.DriverWithContext, database string) error {
	start := time.Now()
	airports, err := table("demo/air-routes/airports.csv.gz")
	if err != nil {
		return err
	}
	routes, err := table("demo/air-routes/routes.csv.gz")
	if err != nil {
		return err
	}
	session := driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: database})
	defer session.Close(context.WithoutCancel(ctx))
	if err := batches(ctx, session, nil,
		`CREATE CONSTRAINT airport_id IF NOT EXISTS FOR (a:Airport) REQUIRE a.id IS UNIQUE`); err != nil {
		return err
	}
	if err := batches(ctx, session, airports, `UNWIND $rows AS r MERGE (a:Airport {id: toInteger(r.id)})
		SET a.code = r.code, a.name = r.name, a.city = r.city, a.country = r.country,
		    a.lat = toFloat(r.lat), a.lon = toFloat(r.lon)`); err != nil {
		return err
	}
	if err := batches(ctx, session, routes, `UNWIND $rows AS r
		MATCH (a:Airport {id: toInteger(r.from)}), (b:Airport {id: toInteger(r.to)})
		MERGE (a)-[e:ROUTE]->(b) SET e.miles = toInteger(r.miles)`); err != nil {
		return err
	}
	fmt.Printf("Loaded air-routes: %d airports, %d routes, in %.1f s\n", len(airports), len(routes),
		time.Since(start).Seconds())
	return nil
}

// batches runs a statement for every 10,000 rows, or once when there are none.
func batches(ctx context.Context, session neo4j.SessionWithContext, rows []any, cypher string) error {
	for first := true; first || len(rows) > 0; first = false {
		part := rows[:min(len(rows), 10_000)]
		rows = rows[len(part):]
		result, err := session.Run(ctx, cypher, map[string]any{"rows": part})
		if err != nil {
			return err
		}
		if _, err := result.Consume(ctx); err != nil {
			return err
		}
	}
	return nil
}

// table reads a gzipped CSV file into one map a row, keyed by the header.
func table(path string) ([]any, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	records, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rows := make([]any, 0, len(records)-1)
	for _, record := range records[1:] {
		row := map[string]any{}
		for i, field := range record {
			row[records[0][i]] = field
		}
		rows = append(rows, row)
	}
	return rows, nil
}
