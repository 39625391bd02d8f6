package file

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// blockRows is the number of edges that go to the builder at once.
const blockRows = 1 << 15

// table collects the edges of a file.
type table struct {
	in      *input
	rel     connector.Relationship
	policy  export.WeightPolicy
	options *Source

	builder *export.Builder
	group   int
	block   export.Rels
	dropped export.Dropped
	bad     export.BadWeights[badLine]
	entries bool // badLine has places of entries, not lines
}

// begin makes the builder. With twoWay and a directed projection every edge becomes two arcs: a symmetric matrix.
func (t *table) begin(twoWay bool) {
	g := t.rel.Group()
	t.builder = export.NewBuilder(g)
	if twoWay && g.Orientation != export.Undirected {
		both := g
		both.Orientation = export.Undirected
		t.builder, t.group = export.NewBuilder(g, both), 1
	}
}

func (t *table) weighted() bool { return t.rel.Weight != "" }

// add adds an edge without a weight.
func (t *table) add(u, v int32) error {
	t.block.Source, t.block.Target = append(t.block.Source, u), append(t.block.Target, v)
	if len(t.block.Source) == blockRows {
		return t.flush()
	}
	return nil
}

// addWeighted adds an edge, its weight given as text; line is for the error.
func (t *table) addWeighted(u, v int32, weight, line []byte) error {
	w, keep := t.weight(weight, line)
	if !keep {
		return nil
	}
	t.block.Weights = append(t.block.Weights, w)
	return t.add(u, v)
}

func (t *table) flush() error {
	n := len(t.block.Source)
	if t.weighted() && t.block.Weights == nil {
		t.block.Weights = []float64{}
	}
	t.block.Group = t.group
	if err := t.builder.AddRelationships(t.block); err != nil {
		return t.in.errorf("%s", err)
	}
	t.block.Source, t.block.Target = t.block.Source[:0], t.block.Target[:0]
	if t.weighted() {
		t.block.Weights = t.block.Weights[:0]
	}
	return t.in.tick(n)
}

// build makes the snapshot.
func (t *table) build() (*export.Snapshot, error) {
	if err := t.badWeights(); err != nil {
		return nil, err
	}
	if t.builder == nil {
		t.begin(false)
	}
	if err := t.flush(); err != nil {
		return nil, err
	}
	t.builder.Drop(t.dropped)
	s, err := t.builder.Build()
	if err != nil {
		return nil, t.in.errorf("%s", err)
	}
	return s, nil
}

// noWeights is the error for a file that has none although they are wanted.
func (t *table) noWeights() error {
	return &connector.Error{
		Kind: connector.UnknownName, Msg: fmt.Sprintf("%s: the file has no weights", t.in.path),
		Hint: "leave out --weighted, or add a weight to every edge",
	}
}
