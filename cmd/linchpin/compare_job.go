package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// find finds the job that writes the score.
func (s *comparedScore) find(c *config.Config, relationships bool) error {
	from := c.Jobs
	if s.Job != "" {
		var err error
		if from, err = findJobs(c, []string{s.Job}); err != nil {
			return err
		}
	}
	var found []config.Job
	var all []string
	for _, job := range from {
		nodes, ofRelationships := jobs.Properties(job)
		on, ok := entityOf(s.Property, nodes, ofRelationships, relationships)
		if ok {
			found, s.job, s.on = append(found, job), job, on
		}
		for _, p := range append(nodes, ofRelationships...) {
			all = append(all, job.Name+":"+p)
		}
	}
	switch len(found) {
	case 1:
		s.Job = s.job.Name
		return nil
	case 0:
		return withHint(usagef("no job writes the score %q, and no file has that name", s.Name), scoreHint(s.Name, all))
	}
	var names []string
	for _, job := range found {
		names = append(names, job.Name+":"+s.Property)
	}
	return withHint(usagef("several jobs write the score %q", s.Property), "name one: "+strings.Join(names, ", "))
}

// entityOf says whether nodes or relationships have a property.
func entityOf(property string, nodes, relationships []string, preferred bool) (connector.Entity, bool) {
	switch {
	case preferred && slices.Contains(relationships, property):
		return connector.OnRelationships, true
	case !preferred && slices.Contains(nodes, property):
		return connector.OnNodes, true
	case !preferred && slices.Contains(relationships, property):
		return connector.OnRelationships, true
	}
	return "", false
}

func scoreHint(name string, all []string) string {
	if hint := nearest.DidYouMean(name, all); hint != "" {
		return hint
	}
	return fmt.Sprintf("scores of the config: %s", strings.Join(all, ", "))
}

// read reads the published scores.
func (s *comparedScore) read(ctx context.Context, db *neo4j.DB) error {
	published, err := db.Publication(ctx, s.Job)
	if err != nil {
		return err
	}
	if published.Run == "" {
		return withHint(usagef("%s has no successful run yet", s.Job), "linchpin run "+s.Job)
	}
	run, err := db.Run(ctx, published.Run)
	if err != nil {
		return err
	}
	s.Run, s.Graph = run.ID, run.Graph
	property := published.Mode.Property(s.Property, published.Slot)
	if s.scores, err = db.Scores(ctx, jobs.Projection(s.job.Graph), s.on, property); err != nil {
		return err
	}
	s.scores.Property, s.scores.Graph = s.Property, s.Graph
	if len(s.scores.Values) == 0 {
		return withHint(usagef("the database has no score %s of job %s", s.Property, s.Job),
			"linchpin run "+s.Job+" --recompute")
	}
	return nil
}
