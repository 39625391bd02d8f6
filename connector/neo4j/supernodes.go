package neo4j

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// saveSupernodes puts the supernodes of a run that has succeeded in the place of those of the job's run before. Each has the label
// that the job asks for and (:LinchpinSupernode), by which the next run knows its own.
func (t tx) saveSupernodes(ctx context.Context, r connector.Run) error {
	parameters := map[string]any{"job": r.Job}
	if err := t.rows(ctx, "MATCH (x:"+superLabel+" {job: $job}) DETACH DELETE x", parameters, nil); err != nil {
		return err
	}
	s := r.Supernodes
	if s == nil {
		return nil
	}
	if err := t.checkSupernodes(ctx, r.Job, s.Label); err != nil {
		return err
	}
	parameters["nodes"], parameters["parts"] = supernodesOf(r)
	return t.rows(ctx, "UNWIND $nodes AS properties CREATE (x:"+superLabel+":"+quote(s.Label)+") SET x = properties "+
		"WITH collect(x) AS made UNWIND $parts AS p "+
		"WITH made[p[0]] AS part, made[p[1]] AS whole CREATE (part)-[:"+quote(s.Relationship)+"]->(whole)", parameters, nil)
}

// supernodesOf are the properties of supernodes, and which of them is a part of which.
func supernodesOf(r connector.Run) (nodes []map[string]any, parts [][]int64) {
	s := r.Supernodes
	add := func(more map[string]any) {
		more["job"], more["run"], more["number"] = r.Job, r.ID, int64(len(nodes))
		nodes = append(nodes, more)
	}
	for i, size := range s.Sizes {
		add(map[string]any{"nodes": size, "group": int64(i)})
	}
	for _, m := range s.Merges {
		parts = append(parts, []int64{int64(m.A), int64(len(nodes))}, []int64{int64(m.B), int64(len(nodes))})
		add(map[string]any{"nodes": m.Nodes, "links": m.Links, "affinity": m.Affinity})
	}
	return nodes, parts
}

// checkSupernodes reports an error of kind NotOurs if nodes have the label that are no supernodes of the job.
func (t tx) checkSupernodes(ctx context.Context, job, label string) error {
	taken := false
	if err := t.rows(ctx, "MATCH (x:"+quote(label)+") WHERE NOT (x:"+superLabel+" AND x.job = $job) RETURN 1 LIMIT 1",
		map[string]any{"job": job}, func([]any) { taken = true }); err != nil || !taken {
		return err
	}
	return &connector.Error{
		Kind: connector.NotOurs, Msg: fmt.Sprintf("supernodes: the label %q exists: nodes have it that are no supernodes of job %s", label, job),
		Hint: "choose a label that no node of the database has",
	}
}
