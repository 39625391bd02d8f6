package main

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

// jobReaders is how to read the scores of a job.
type jobReaders struct {
	Job  string         `json:"job"`
	Mode connector.Mode `json:"mode"`
	neo4j.Readers
}

func runJobsCypher(a *app, names []string) error {
	c, err := a.loadJobs(names...)
	if err != nil {
		return err
	}
	todo := c.Jobs
	if len(names) > 0 {
		if todo, err = findJobs(c, names); err != nil {
			return err
		}
	}
	all := make([]jobReaders, 0, len(todo))
	for _, j := range todo {
		if j.Write.Mode == config.NoMode {
			if len(names) > 0 {
				return usagef("job %s writes no scores to the database (write.mode: none)", j.Name)
			}
			continue
		}
		all = append(all, readersOf(j))
	}
	if a.json {
		return a.printJSON(all)
	}
	for i, r := range all {
		for k, view := range []struct{ what, cypher string }{
			{"nodes", r.Nodes}, {"relationships", r.Relationships}, {"relationships with their ends, of the same run", r.Both},
		} {
			if view.cypher == "" {
				continue
			}
			if i+k > 0 {
				fmt.Fprintln(a.stdout)
			}
			fmt.Fprintf(a.stdout, "// %s (%s): %s\n%s;\n", r.Job, r.Mode, view.what, view.cypher)
		}
	}
	return nil
}

func readersOf(j config.Job) jobReaders {
	nodes, relationships := jobs.Properties(j)
	m := connector.Mode(j.Write.Mode)
	return jobReaders{Job: j.Name, Mode: m,
		Readers: neo4j.ReadersOf(j.Name, m, jobs.Projection(j.Graph), nodes, relationships)}
}
