package jobs

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Kept are the scores of a job's last run on this host, of nodes or of relationships, by the ids that these have in the
// database.
type Kept struct {
	Run     string
	IDs     export.IDs
	Columns []connector.Column
}

// LoadKept reads the scores that a run left in the state folder. The error says what to do if they are of another run, or if
// there are none.
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

// Snapshot returns the ids as a graph without relationships, for writers of files: a row per score.
func (k *Kept) Snapshot() *export.Snapshot { return &export.Snapshot{Nodes: k.IDs} }
