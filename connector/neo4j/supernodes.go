package neo4j

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// tree is a hierarchy of groups that becomes nodes. Each has the label that the job asks for and (:LinchpinSupernode),
// by which the next run knows its own.
type tree struct {
	label, relationship string
	nodes               []map[string]any
	parts               [][]int64 // the places of a node and of what it is a part of
}

// saveTrees puts the supernodes and the dendrogram of a run that has succeeded in the place of those of the job's run
// before.
func (t tx) saveTrees(ctx context.Context, r connector.Run) error {
	if err := t.rows(ctx, "MATCH (x:"+superLabel+" {job: $job}) DETACH DELETE x",
		map[string]any{"job": r.Job}, nil); err != nil {
		return err
	}
	for _, x := range treesOf(r) {
		if err := t.checkLabel(ctx, r.Job, x.label); err != nil {
			return err
		}
		err := t.rows(ctx, "UNWIND $nodes AS properties CREATE (x:"+superLabel+":"+quote(x.label)+") SET x = properties "+
			"WITH collect(x) AS made UNWIND $parts AS p "+
			"WITH made[p[0]] AS part, made[p[1]] AS whole CREATE (part)-[:"+quote(x.relationship)+"]->(whole)",
			map[string]any{"nodes": x.nodes, "parts": x.parts}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// treesOf describes what becomes nodes of a run.
func treesOf(r connector.Run) (all []*tree) {
	if s := r.Supernodes; s != nil {
		x := newTree(r, s.Label, s.Relationship, s.Sizes)
		for _, m := range s.Merges {
			x.merge(r, m.A, m.B, map[string]any{"nodes": m.Nodes, "links": m.Links, "affinity": m.Affinity})
		}
		all = append(all, x)
	}
	if d := r.Dendrogram; d != nil {
		x := newTree(r, d.Label, d.Relationship, d.Sizes)
		for _, m := range d.Merges {
			x.merge(r, m.A, m.B, map[string]any{"nodes": m.Nodes, "score": m.Score, "groups": m.Groups,
				"modularity": m.Modularity})
		}
		all = append(all, x)
	}
	return all
}

// newTree has a node for each group.
func newTree(r connector.Run, label, relationship string, sizes []int64) *tree {
	x := &tree{label: label, relationship: relationship}
	for i, size := range sizes {
		x.add(r, map[string]any{"nodes": size, "group": int64(i)})
	}
	return x
}

func (x *tree) add(r connector.Run, properties map[string]any) {
	properties["job"], properties["run"], properties["number"] = r.Job, r.ID, int64(len(x.nodes))
	x.nodes = append(x.nodes, properties)
}

// merge adds a node that two others are parts of.
func (x *tree) merge(r connector.Run, a, b int32, properties map[string]any) {
	whole := int64(len(x.nodes))
	x.parts = append(x.parts, []int64{int64(a), whole}, []int64{int64(b), whole})
	x.add(r, properties)
}

// checkLabel reports an error of kind NotOurs if nodes have the label that the job has not made.
func (t tx) checkLabel(ctx context.Context, job, label string) error {
	taken := false
	if err := t.rows(ctx, "MATCH (x:"+quote(label)+") WHERE NOT (x:"+superLabel+" AND x.job = $job) RETURN 1 LIMIT 1",
		map[string]any{"job": job}, func([]any) { taken = true }); err != nil || !taken {
		return err
	}
	return &connector.Error{
		Kind: connector.NotOurs,
		Msg:  fmt.Sprintf("supernodes: the label %q exists: nodes have it that are no supernodes of job %s", label, job),
		Hint: "choose a label that no node of the database has",
	}
}
