package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	airroutes "github.com/linchpin-graph/linchpin/demo/air-routes"
	"github.com/linchpin-graph/linchpin/engine"
)

func newTryCommand(a *app) *cobra.Command {
	save := ""
	c := &cobra.Command{
		Use:     "try",
		GroupID: groupSetup,
		Short:   "See what the scores are good for, on the world's airports; needs no database",
		Long: `Computes betweenness on a graph that linchpin carries, the world's airports and the flights between them, and
shows the airports and flights that hold the network together. It takes seconds, on the CPU.
--save keeps the graph as a file, to try linchpin compute on.

The graph is from the air-routes data set of Kelvin R. Lawrence, under the Apache License 2.0.` +
			exitSection(statusDone, statusFailed, statusUsage, statusTooLarge, statusInterrupted),
		Example: `  linchpin try
  linchpin try --save routes.csv`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("save") {
				if filepath.Ext(save) != ".csv" {
					return withHint(usagef("--save %q: the file is CSV", save), "--save routes.csv")
				}
				if _, err := os.Stat(save); err == nil {
					return withHint(usagef("--save %s: it exists", save), "remove it, or choose another name")
				}
				if err := checkOutput("save", save); err != nil {
					return err
				}
			}
			return runTry(c.Context(), a, save)
		},
	}
	c.Flags().StringVar(&save, "save", "", "write the graph to `FILE` (.csv)")
	return c
}

// airport is what people call an airport, and how many others it has routes to.
type airport struct {
	name, city string
	routes     int
}

// tryAirport and tryRoute are rows of try --json.
type tryAirport struct {
	Code        string  `json:"code"`
	Name        string  `json:"name"`
	City        string  `json:"city"`
	Betweenness float64 `json:"betweenness"`
	Routes      int     `json:"routes"`
}

type tryRoute struct {
	From        string  `json:"from"`
	FromCity    string  `json:"fromCity"`
	To          string  `json:"to"`
	ToCity      string  `json:"toCity"`
	Betweenness float64 `json:"betweenness"`
}

// tryResult is what try --json prints.
type tryResult struct {
	Nodes    int          `json:"nodes"`
	Edges    int          `json:"edges"`
	Airports []tryAirport `json:"airports"`
	Routes   []tryRoute   `json:"routes"`
}

func runTry(ctx context.Context, a *app, save string) (err error) {
	airports, routes, err := readAirRoutes()
	if err != nil {
		return err
	}
	path := save
	if path == "" {
		folder, err := os.MkdirTemp("", "linchpin-try-*")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(folder) }() // the system removes it otherwise
		path = filepath.Join(folder, "routes.csv")
	}
	if err := os.WriteFile(path, routes, 0o600); err != nil {
		return err
	}
	silent := *a
	silent.quiet = !a.verbose // it takes a second
	c, err := silent.betweennessOf(ctx, path)
	if err != nil {
		return err
	}
	result := c.tried(airports)
	if a.json {
		return a.printJSON(result)
	}
	return a.printTried(result, save)
}

// readAirRoutes returns the airports by code, and the routes as compute reads them, each once.
func readAirRoutes() (map[string]*airport, []byte, error) {
	table, err := gzippedCSV(airroutes.Airports)
	if err != nil {
		return nil, nil, err
	}
	codes, airports := map[string]string{}, map[string]*airport{}
	for _, row := range table {
		codes[row[0]], airports[row[1]] = row[1], &airport{name: row[2], city: row[3]}
	}
	routes, err := gzippedCSV(airroutes.Routes)
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	out, seen := [][]string{{"src", "dst", "weight"}}, map[[2]string]bool{}
	for _, row := range routes {
		pair := []string{codes[row[0]], codes[row[1]]}
		slices.Sort(pair)
		if key := [2]string{pair[0], pair[1]}; !seen[key] {
			seen[key] = true
			out = append(out, []string{pair[0], pair[1], row[2]})
			airports[pair[0]].routes++
			airports[pair[1]].routes++
		}
	}
	err = w.WriteAll(out)
	return airports, b.Bytes(), err
}

// gzippedCSV returns the rows after the header.
func gzippedCSV(data []byte) ([][]string, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return nil, err
	}
	return rows[1:], nil
}

// betweennessOf computes betweenness of a file by hops, on the CPU.
func (a *app) betweennessOf(ctx context.Context, path string) (*computation, error) {
	var o computeOptions
	o.addFlags(pflag.NewFlagSet("try", pflag.ContinueOnError)) // for the defaults
	o.measure, o.device, o.look = "betweenness", "cpu", true
	spec, err := o.check()
	if err != nil {
		return nil, err
	}
	session := engine.NewSession()
	defer session.Close()
	c := newComputation(a, &o, spec, path, session)
	return c, c.do(ctx)
}

// tried makes the rows of the result.
func (c *computation) tried(airports map[string]*airport) tryResult {
	r := tryResult{Nodes: c.snapshot.Graph.N(), Edges: c.snapshot.Graph.M()}
	scores := c.work.Outcome.Scores.Nodes
	for _, v := range top(scores, highest) {
		code := c.snapshot.Nodes.String(v)
		p := airports[code]
		r.Airports = append(r.Airports, tryAirport{code, p.name, p.city, scores[v], p.routes})
	}
	for _, i := range top(c.edges, 5) {
		from, to := c.ends(i)
		r.Routes = append(r.Routes, tryRoute{from, airports[from].city, to, airports[to].city, c.edges[i]})
	}
	return r
}

func (a *app) printTried(r tryResult, save string) error {
	fmt.Fprintf(a.stdout, "%d airports, %d routes. Which airports hold the network together?\n\n", r.Nodes, r.Edges)
	t := &table{header: []string{"", "AIRPORT", "BETWEENNESS", "ROUTES"}, right: []bool{false, false, true, true}}
	for _, p := range r.Airports {
		t.add(p.Code, p.City, fmt.Sprintf("%.0f", p.Betweenness), strconv.Itoa(p.Routes))
	}
	if err := t.print(a.stdout); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, `
Betweenness counts the shortest paths between all others that lead through an airport. It finds what the number
of routes does not show: an airport with few routes can be the only way to a whole region.

Which routes would be missed most?

`)
	t = &table{header: []string{"FROM", "TO", "BETWEENNESS"}, right: []bool{false, false, true}}
	for _, p := range r.Routes {
		t.add(p.From+" "+p.FromCity, p.To+" "+p.ToCity, fmt.Sprintf("%.0f", p.Betweenness))
	}
	if err := t.print(a.stdout); err != nil {
		return err
	}
	next := "linchpin try --save routes.csv"
	if save != "" {
		next = "linchpin compute " + save + " --measure closeness --weighted"
	}
	_, err := fmt.Fprintf(a.stdout,
		"\nYour own database:  linchpin init --from neo4j://localhost:7687\nMore on this graph:  %s\n", next)
	return err
}
