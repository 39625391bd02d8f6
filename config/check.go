package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/kernels"
)

// check makes the checks that look at more than one key, or at the table of measures.
func (d *decoder) check(c *Config, checks Checks) {
	d.checkNeo4j(&c.Neo4j)
	d.readSecret(&c.Neo4j.Password, c.Neo4j.PasswordFile, "neo4j.password", "neo4j.passwordFile", "password")
	d.checkServe(&c.Serve)
	taken := map[string]string{}
	for i := range c.Jobs {
		path := fmt.Sprintf("jobs[%d]", i)
		job := &c.Jobs[i]
		d.checkUnique(taken, job.Name, path+".name", "the name %q is taken by %s", "choose another name")
		d.checkSchedule(job, path, checks)
		d.checkWhen(job, path)
		d.checkGraph(&job.Graph, path+".graph")
		d.checkMeasures(job, path)
		d.checkStrengths(job, path)
		d.checkDistances(job, path+".distances")
		d.checkSupernodes(job, path+".supernodes")
		d.checkDendrogram(job, path+".dendrogram")
		d.checkQueryScores(job, path)
		d.checkWrite(&job.Write, path+".write")
		d.checkFiles(job, path, checks)
	}
	d.checkSameFile(c)
	d.checkAfter(c)
	d.checkProperties(c, checks)
}

// checkUnique notes a name that an earlier key took. The format gets the name and that key.
func (d *decoder) checkUnique(taken map[string]string, name, path, format, hint string) {
	if name == "" || d.failed[path] {
		return
	}
	if earlier, ok := taken[name]; ok {
		d.mistake(path, fmt.Sprintf(format, name, earlier), hint)
		return
	}
	taken[name] = path
}

func (d *decoder) checkSchedule(job *Job, path string, checks Checks) {
	if d.failed[path+".schedule"] || d.failed[path+".timezone"] {
		return
	}
	if _, err := time.LoadLocation(job.Timezone); err != nil {
		d.mistake(path+".timezone", fmt.Sprintf("unknown timezone %q", job.Timezone),
			"UTC, or an IANA name such as Europe/Berlin")
		return
	}
	if _, given := d.at[path+".timezone"]; given && job.Schedule == "" {
		d.mistake(path+".timezone", fmt.Sprintf("%q has no effect", job.Timezone), "add a schedule")
	}
	if job.Schedule == "" || checks.Schedule == nil {
		return
	}
	if err := checks.Schedule(job.Schedule, job.Timezone); err != nil {
		d.mistake(path+".schedule", fmt.Sprintf("%q: %s", job.Schedule, oneLine(err.Error())),
			`five fields such as "0 3 * * *", or "@daily", or "@every 6h"`)
	}
}

func (d *decoder) checkGraph(g *Graph, path string) {
	if _, present := d.at[path]; !present || d.failed[path] {
		return // the key is missing, which has been said
	}
	nodes, query := path+".nodes", path+".nodeQuery"
	switch {
	case len(g.Nodes) > 0 && g.NodeQuery != "":
		d.mistake(query, "nodes is set too", "keep one of nodes and nodeQuery")
	case len(g.Nodes) == 0 && strings.TrimSpace(g.NodeQuery) == "" && !d.failed[nodes] && !d.failed[query]:
		d.mistake(path, "neither nodes nor nodeQuery says which nodes are in the graph", "such as nodes: [Airport]")
	}
	d.checkRelationshipQuery(g, path)
	d.checkConditions(g.Where, path+".where")
	if len(g.Where) > 0 && g.NodeQuery != "" {
		d.mistake(path+".where", "it goes with nodes, and nodeQuery is set", "put the condition into the query")
	}
	epsilon := path + ".epsilon"
	_, given := d.at[epsilon]
	switch {
	case given && g.ZeroWeights != "epsilon" && !d.failed[path+".zeroWeights"]:
		d.mistake(epsilon, fmt.Sprintf("%v has no effect", g.Epsilon), "add zeroWeights: epsilon")
	case !given && g.ZeroWeights == "epsilon":
		d.mistake(path+".zeroWeights", "epsilon needs a number", "add epsilon: 1e-6, or what fits your weights")
	}
	if slices.Contains(g.Nodes, AllLabels) && len(g.Nodes) > 1 {
		d.mistake(nodes, `"*" stands for all labels`, `write ["*"] alone, or remove it`)
	}
	labels, types := map[string]string{}, map[string]string{}
	for i, label := range g.Nodes {
		d.checkUnique(labels, label, fmt.Sprintf("%s[%d]", nodes, i), "the label %q stands at %s already", "keep one of them")
	}
	for i := range g.Relationships {
		r := &g.Relationships[i]
		rpath := fmt.Sprintf("%s.relationships[%d]", path, i)
		d.checkConditions(r.Where, rpath+".where")
		if r.Type == "*" {
			d.mistake(rpath+".type", `"*" is no relationship type`, "list the types that become edges")
		}
		d.checkUnique(types, r.Type, rpath+".type", "the type %q stands at %s already",
			"keep one of them; undirected reads both ways")
		if r.Parse && r.Weight.Property == "" && !d.failed[rpath+".weight"] {
			d.mistake(rpath+".parse", "true has no effect", "add weight: and the name of a property")
		}
		if r.DefaultWeight != nil && r.Weight.Property == "" && !d.failed[rpath+".weight"] {
			d.mistake(rpath+".defaultWeight", fmt.Sprintf("%v has no effect", *r.DefaultWeight),
				"add weight: and the name of a property")
		}
	}
}

// hasWeights says whether any edge can weigh other than 1; what a relationshipQuery returns is not known yet.
func (g *Graph) hasWeights() bool {
	return g.RelationshipQuery != "" || slices.ContainsFunc(g.Relationships,
		func(r Relationship) bool { return r.Weight != (Weight{}) || r.Parallel == "count" })
}

func measureNames() []string {
	var out []string
	for _, m := range kernels.Measures() {
		out = append(out, m.Name)
	}
	return out
}
