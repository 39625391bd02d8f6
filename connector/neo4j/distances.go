package neo4j

import (
	"context"

	"github.com/linchpin-graph/linchpin/connector"
)

// saveDistances puts the distances of a run that has succeeded onto (:LinchpinDistances {job, run, ...})-[:OF]->
// (:LinchpinJob). There is one such node for a job, and none if the job's last run has no distances.
func (t tx) saveDistances(ctx context.Context, r connector.Run) error {
	d := r.Distances
	if d == nil {
		return t.rows(ctx, "MATCH (d:"+distanceLabel+" {job: $job}) DETACH DELETE d", map[string]any{"job": r.Job}, nil)
	}
	properties := map[string]any{
		"job": r.Job, "run": r.ID, "graph": r.Graph, "nodes": r.Nodes, "edges": r.Edges, "weighted": d.Weighted,
		"sources": d.Sources, "components": d.Components, "largestComponent": d.LargestComponent, "pairs": d.Pairs,
		"mean": d.Mean, "diameter": d.Diameter, "device": d.Device, "finished": r.Finished.UTC(),
	}
	if d.Hops != nil {
		properties["hops"] = d.Hops
	}
	return t.rows(ctx, "MERGE (j:"+jobLabel+" {name: $job}) MERGE (d:"+distanceLabel+" {job: $job}) MERGE (d)-[:OF]->(j) "+
		"SET d = $properties", map[string]any{"job": r.Job, "properties": properties}, nil)
}
