// Package contract is the suite of tests that every connector passes: what it exports is compared with a naive model,
// and what it writes is read back.
package contract

import (
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Harness puts graphs into a connector and looks at what became of them.
type Harness interface {
	// Terms says what the connector calls things and what it can hold.
	Terms() Terms
	// Load replaces everything that the connector holds by the model, and forgets the scores.
	Load(t *testing.T, m Model)
	// Source and Sink are the connector at work on what was loaded last.
	Source() connector.Source
	Sink() connector.Sink
	// Names returns the model's names of the nodes of a snapshot, by node index.
	Names(t *testing.T, s *export.Snapshot) []string
	// ReadBack returns the scores that stand under a property, in any order, as another program would read them.
	ReadBack(t *testing.T, on connector.Entity, property string) []Score
}

// Terms are a connector's names and abilities.
type Terms struct {
	// Labels for Projection.Labels; Load gives them all to every node. Nil for a connector without labels.
	Labels []string
	// Types of relationships; models use them all. A file has one, "".
	Types []string
	// Weight is the name of the property that holds Relationship.Weight.
	Weight string
	// Isolated says that nodes without relationships can be held.
	Isolated bool
}

// Model is a graph as a user has it.
type Model struct {
	// Nodes are names, each once.
	Nodes []string
	Rels  []Rel
}

// Rel is a relationship between nodes, by their place in Model.Nodes.
type Rel struct {
	Source, Target int
	Type           string
	// Weight is nil when the relationship has none.
	Weight *float64
}

// Score is a stored score with what it stands on: a node (Source) or a relationship, told from parallel ones by its
// weight.
type Score struct {
	Source, Target string
	Weight         *float64
	Value          float64
}

// Run runs the suite.
func Run(t *testing.T, h Harness) {
	t.Run("Export", func(t *testing.T) { testExport(t, h) })
	t.Run("ExportRandom", func(t *testing.T) { testExportRandom(t, h) })
	t.Run("ExportTwice", func(t *testing.T) { testExportTwice(t, h) })
	t.Run("RefuseWeights", func(t *testing.T) { testRefuseWeights(t, h) })
	t.Run("SkipWeights", func(t *testing.T) { testSkipWeights(t, h) })
	t.Run("DefaultWeight", func(t *testing.T) { testDefaultWeight(t, h) })
	t.Run("UnknownWeight", func(t *testing.T) { testUnknownWeight(t, h) })
	t.Run("WriteNodes", func(t *testing.T) { testWrite(t, h, connector.OnNodes) })
	t.Run("WriteRelationships", func(t *testing.T) { testWrite(t, h, connector.OnRelationships) })
	t.Run("WriteMerged", func(t *testing.T) { testWriteMerged(t, h) })
	t.Run("Cancel", func(t *testing.T) { testCancel(t, h) })
}

// projection selects everything in the model, every type in the same way.
func projection(terms Terms, o export.Orientation, p export.Parallel, weighted bool) connector.Projection {
	out := connector.Projection{Labels: terms.Labels}
	for _, name := range terms.Types {
		r := connector.Relationship{Type: name, Orientation: o, Parallel: p}
		if weighted {
			r.Weight = terms.Weight
		}
		out.Relationships = append(out.Relationships, r)
	}
	return out
}
