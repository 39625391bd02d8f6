package jobs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
)

// Kept are the scores of a job's last run on this host, of nodes or of relationships, by the ids that these have in the
// database.
type Kept struct {
	Run     string
	IDs     export.IDs
	Columns []connector.Column // as those of nodes, whatever they score: a row per id
}

// LoadKept reads the scores that a run left in the state folder. The error says what to do if they are of another run,
// or if there are none.
func LoadKept(root, job string, of connector.Entity, run string) (*Kept, error) {
	s := state{filepath.Join(root, "jobs", filepath.Base(job))}
	if _, err := os.Stat(s.previous()); err != nil {
		return nil, notKept(fmt.Sprintf("this host keeps no scores of job %s", job))
	}
	all, err := s.loadPrevious(run)
	if err != nil {
		return nil, err
	}
	k := &Kept{Run: run}
	for _, p := range all {
		if p.On == of && p.IDs.Len() == len(p.Values) {
			k.IDs = p.IDs
			k.Columns = append(k.Columns, connector.Column{On: connector.OnNodes, Property: p.Property, Values: p.Values})
		}
	}
	if len(k.Columns) == 0 {
		return nil, notKept(fmt.Sprintf("this host keeps no scores of %s of run %s", of, run))
	}
	return k, nil
}

func notKept(msg string) error {
	return &connector.Error{Kind: connector.UnknownName,
		Msg: msg, Hint: "read them from the database (linchpin jobs --cypher), or run the job here"}
}

// Output returns a file of the scores: ids, what the database knows of the entities, and the scores. Nodes come with
// their labels and names, relationships with their types and the ids and names of both ends. caption is the property
// that names a node; properties become columns as well.
func (k *Kept) Output(d Describer, of connector.Entity, caption string, properties []string) *file.Output {
	names, wanted := []string{"labels", "name"}, []connector.Detail{{Name: true, Property: caption}}
	if of == connector.OnRelationships {
		names, wanted = []string{"type"}, nil
		for _, end := range []string{connector.SourceEnd, connector.TargetEnd} {
			names = append(names, end, end+"_name")
			wanted = append(wanted, connector.Detail{End: end, ID: true},
				connector.Detail{End: end, Name: true, Property: caption})
		}
	}
	for _, p := range properties {
		if !slices.Contains(names, p) && !k.has(p) && p != "id" {
			names, wanted = append(names, p), append(wanted, connector.Detail{Property: p})
		}
	}
	out := &file.Output{On: connector.OnNodes, Snapshot: &export.Snapshot{Nodes: k.IDs}, Columns: k.Columns, Run: k.Run}
	out.Details = detailsFrom(d, of, names, wanted)
	return out
}

// has reports whether a score has this name.
func (k *Kept) has(name string) bool {
	return slices.ContainsFunc(k.Columns, func(c connector.Column) bool { return c.Property == name })
}
