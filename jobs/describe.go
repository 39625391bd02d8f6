package jobs

import (
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Describe puts into a record what its scores are like, and a picture of the highest. Entities are named by their ids: no
// database is asked.
func Describe(record *connector.Run, s *export.Snapshot, columns []connector.Column) {
	for _, c := range columns {
		record.Scores = append(record.Scores, describeScores(c, idsFor(s, c.On)))
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
			source, _ := slices.BinarySearch(rels.Offsets, int64(i)+1)
			*e.source, *e.target = s.Nodes.String(source-1), s.Nodes.String(int(rels.Targets[i]))
		}
	}
}
