package jobs

import (
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Describe puts into a record what its scores are like, and a picture of the highest. Entities are named by their ids:
// no database is asked.
func Describe(record *connector.Run, s *export.Snapshot, columns []connector.Column) {
	for _, c := range columns {
		record.Scores = append(record.Scores, describeColumn(s, c))
	}
	record.Around = pictureOf(s, columns)
	findEnds(s, entries(record, connector.OnRelationships))
}

func idsFor(s *export.Snapshot, on connector.Entity) export.IDs {
	if on == connector.OnRelationships {
		return s.Rels.IDs
	}
	return s.Nodes
}

// describeColumn is describeScores, except that the two relationships there and back of one undirected edge count as
// one.
func describeColumn(s *export.Snapshot, c connector.Column) connector.ScoreSummary {
	ids := idsFor(s, c.On)
	summary := describeScores(c, ids)
	if c.On == connector.OnNodes || s.Graph.Directed || c.Groups {
		return summary
	}
	type edge struct {
		pair
		score float64
	}
	summary.Top = nil
	seen := map[edge]bool{}
	for _, i := range highest(c.Values, 4*listed) {
		from, to := endsOf(s, i)
		e := edge{pair{min(from, to), max(from, to)}, c.Values[i]}
		if !seen[e] && len(summary.Top) < listed {
			seen[e] = true
			summary.Top = append(summary.Top, connector.Ranked{ID: idOf(ids, i), Score: c.Values[i]})
		}
	}
	return summary
}

// endsOf are the nodes that a relationship joins.
func endsOf(s *export.Snapshot, i int) (from, to int32) {
	source, _ := slices.BinarySearch(s.Rels.Offsets, int64(i)+1)
	return int32(source - 1), s.Rels.Targets[i]
}

// findEnds sets the ids of the nodes that relationships join.
func findEnds(s *export.Snapshot, all []entry) {
	places := map[string]int{}
	for _, e := range all {
		places[e.id] = -1
	}
	rels := &s.Rels
	for i := 0; i < rels.Len() && len(places) > 0; i++ {
		id := idOf(rels.IDs, i)
		if _, wanted := places[id]; wanted {
			places[id] = i
		}
	}
	for _, e := range all {
		if i := places[e.id]; i >= 0 {
			from, to := endsOf(s, i)
			*e.source, *e.target = s.Nodes.String(int(from)), s.Nodes.String(int(to))
		}
	}
}
