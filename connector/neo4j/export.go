package neo4j

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// reader is one export under way.
type reader struct {
	db         *DB
	projection connector.Projection
	before     state
	builder    *export.Builder
	queryKey   string     // of the query of nodes in the config; "" for nodeQuery
	nodes      export.IDs // distinct, sorted
	keys       []string   // of the nodes, if the projection has a key

	looking  bool          // for an estimate: every node counts as one of the graph's, and nothing is built
	missing  []atomic.Bool // by group: relationships without the weight property were met
	unpacked atomic.Bool   // ids were met that do not fit into the packed form
	blocks   sync.Pool     // of *block
	read     atomic.Int64  // relationships met so far
	expected int64
	odd      []string                       // what was met more or less often than the count store says
	bad      []export.BadWeights[badWeight] // by group
	mu       sync.Mutex                     // of nodes, while they are read, of progress, and of bad
	progress connector.Progress
}

func (db *DB) exportOnce(ctx context.Context, p connector.Projection,
	progress connector.Progress) (*export.Snapshot, error) {
	before, err := db.state(ctx, p)
	if err != nil {
		return nil, err
	}
	r := &reader{db: db, projection: p, before: before, progress: progress}
	if err := r.readAll(ctx); err != nil {
		return nil, err
	}
	changed, err := r.changed(ctx)
	if err != nil {
		return nil, err
	}
	s, err := r.builder.Build()
	var sum *export.SumError
	switch {
	case errors.As(err, &sum):
		return nil, &connector.Error{Kind: connector.BadData, Msg: err.Error(),
			Hint: "look at them: " + db.ShowNodes(ctx, sum.Nodes)}
	case err != nil:
		return nil, &connector.Error{Kind: connector.TooLarge, Msg: "the graph is too large", Err: err}
	}
	s.Keys = r.keys
	if n := s.Dropped.Duplicates; changed == "" && n > 0 {
		changed = fmt.Sprintf("%d relationships were met twice", n)
	}
	s.Read.Changed = changed
	return s, nil
}

// readAll fills the builder.
func (r *reader) readAll(ctx context.Context) error {
	ctx, err := r.db.pin(ctx)
	if err != nil {
		return err
	}
	query := r.projection.RelationshipQuery
	groups := groupsOf(r.projection)
	if query.Text != "" {
		weighted, err := r.db.checkQuery(ctx, query)
		if err != nil {
			return err
		}
		groups = []export.Group{{Orientation: query.Orientation, Parallel: query.Parallel, Weighted: weighted}}
	}
	r.begin(groups)
	for _, n := range r.before.types {
		r.expected += n
	}
	if err := r.readNodes(ctx); err != nil {
		return err
	}
	if query.Text != "" {
		return r.readQuery(ctx, query)
	}
	for i := range groups {
		if err := r.readRelationships(ctx, i); err != nil {
			return err
		}
	}
	if err := r.badWeights(); err != nil {
		return err
	}
	return r.forgetOwn(ctx)
}

func groupsOf(p connector.Projection) []export.Group {
	groups := make([]export.Group, len(p.Relationships))
	for i, of := range p.Relationships {
		groups[i] = of.Group()
	}
	return groups
}

// begin makes room for what the groups bring.
func (r *reader) begin(groups []export.Group) {
	r.builder, r.missing = export.NewBuilder(groups...), make([]atomic.Bool, len(groups))
	r.bad = make([]export.BadWeights[badWeight], len(groups))
}

// freeze closes the list of nodes.
func (r *reader) freeze(ctx context.Context) error {
	n, err := r.builder.Freeze()
	if err != nil {
		return &connector.Error{Kind: connector.TooLarge, Msg: "the graph is too large", Err: err}
	}
	if n > 0 {
		return nil
	}
	if r.projection.NodeQuery != "" {
		return &connector.Error{Kind: connector.Empty, Msg: "nodeQuery returned no nodes",
			Hint: "run it in Neo4j Browser to see what it returns"}
	}
	return r.db.noNode(ctx, r.projection)
}

// forgetOwn takes linchpin's own relationships out of the count of those left out.
func (r *reader) forgetOwn(ctx context.Context) error {
	for _, of := range r.projection.Relationships {
		if of.Type != "OF" {
			continue
		}
		n, err := r.db.count(ctx, "export", "MATCH (:"+jobLabel+")<-[r:OF]-() RETURN count(r)", nil)
		if err != nil {
			return err
		}
		r.builder.Drop(export.Dropped{Dangling: -n})
	}
	return nil
}

// refuse takes the weights that a block refused.
func (r *reader) refuse(group int, bad export.BadWeights[badWeight]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bad[group].Merge(bad)
}

// advance reports progress.
func (r *reader) advance() {
	if r.progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	done := r.read.Load()
	r.progress(done, max(r.expected, done))
}
