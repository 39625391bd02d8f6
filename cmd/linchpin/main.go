// Command linchpin enriches Neo4j graphs with centrality scores: it exports subgraphs, computes on a GPU or the CPU,
// and writes the scores back as properties.
package main

import (
	"os"

	_ "time/tzdata" // timezones of schedules, on machines that have none installed
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}
