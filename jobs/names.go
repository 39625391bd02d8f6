package jobs

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// entry is an entity that a summary lists: where its id stands, and where its name, or the names of its ends, go.
type entry struct {
	id                   string
	name, source, target *string
}

// entries returns all that the record's summaries of an entity list.
func entries(record *connector.Run, on connector.Entity) []entry {
	var out []entry
	for i := range record.Scores {
		s := &record.Scores[i]
		if s.On != on {
			continue
		}
		for k := range s.Top {
			t := &s.Top[k]
			out = append(out, entry{t.ID, &t.Name, &t.Source, &t.Target})
		}
		for k := range s.Movers {
			m := &s.Movers[k]
			out = append(out, entry{m.ID, &m.Name, &m.Source, &m.Target})
		}
	}
	return out
}

// nameEntries gives the nodes that the record lists their names, and its relationships their ends.
func (r *run) nameEntries(ctx context.Context) {
	relationships := entries(&r.record, connector.OnRelationships)
	findEnds(r.snapshot, relationships)
	wanted := map[string]string{}
	for _, e := range entries(&r.record, connector.OnNodes) {
		wanted[e.id] = ""
	}
	for _, e := range relationships {
		wanted[*e.source], wanted[*e.target] = "", ""
	}
	if r.record.Around != nil {
		for _, d := range r.record.Around.Nodes {
			wanted[d.ID] = ""
		}
	}
	drawn := drawnNames(&r.record)
	for _, n := range drawn {
		wanted[n.ID] = ""
	}
	if err := r.findNames(ctx, wanted); err != nil {
		r.Reporter.Note(fmt.Sprintf("the names of nodes could not be read: %v", err))
		return
	}
	for _, e := range entries(&r.record, connector.OnNodes) {
		*e.name = wanted[e.id]
	}
	for _, e := range relationships {
		*e.source, *e.target = cmp.Or(wanted[*e.source], *e.source), cmp.Or(wanted[*e.target], *e.target)
	}
	if r.record.Around != nil {
		for i, d := range r.record.Around.Nodes {
			r.record.Around.Nodes[i].Name = shortened(wanted[d.ID])
		}
	}
	for _, n := range drawn {
		n.Name = shortened(wanted[n.ID])
	}
}

// drawnNames are the nodes whose names drawings of groups show.
func drawnNames(record *connector.Run) (names []*connector.Name) {
	for i := range record.Bundles {
		for _, list := range [][]connector.Name{record.Bundles[i].Hubs, record.Bundles[i].Names} {
			for k := range list {
				names = append(names, &list[k])
			}
		}
	}
	return names
}

// findNames asks the database what the nodes are called whose ids are the keys.
func (r *run) findNames(ctx context.Context, wanted map[string]string) error {
	namer, ok := r.Database.(Namer)
	if !ok {
		return nil
	}
	ids, keys := r.idsOf(wanted)
	names, err := namer.NodeNames(ctx, ids, r.projection.Caption)
	if err != nil {
		return err
	}
	for i, key := range keys {
		wanted[key] = names[i]
	}
	return nil
}

// idsOf finds the ids of nodes among all of the graph. keys are the same as texts.
func (r *run) idsOf(wanted map[string]string) (ids export.IDs, keys []string) {
	for i := range r.snapshot.Nodes.Len() {
		id := r.snapshot.Nodes.String(i)
		if _, ok := wanted[id]; !ok {
			continue
		}
		keys = append(keys, id)
		if r.snapshot.Nodes.Texts != nil {
			ids.Texts = append(ids.Texts, id)
		} else {
			ids.Ints = append(ids.Ints, r.snapshot.Nodes.Ints[i])
		}
	}
	return ids, keys
}

// locate gives the nodes of the picture their places on Earth.
func (r *run) locate(ctx context.Context) {
	locator, ok := r.Database.(Locator)
	if !ok || r.record.Around == nil {
		return
	}
	nodes := r.record.Around.Nodes
	wanted, at := map[string]string{}, map[string]*connector.Place{}
	for _, d := range nodes {
		wanted[d.ID] = ""
	}
	ids, keys := r.idsOf(wanted)
	places, err := locator.NodePlaces(ctx, ids, r.projection.Coordinates)
	if err != nil {
		r.Reporter.Note(fmt.Sprintf("the places of nodes could not be read: %v", err))
		return
	}
	for i, key := range keys {
		at[key] = places[i]
	}
	for i := range nodes {
		if p := at[nodes[i].ID]; p != nil {
			nodes[i].Place = &connector.Place{Latitude: degrees(p.Latitude), Longitude: degrees(p.Longitude)}
		}
	}
}

// degrees keeps four digits, some ten metres.
func degrees(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// shortened keeps as much of a name as a picture shows.
func shortened(name string) string {
	if r := []rune(name); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return name
}
