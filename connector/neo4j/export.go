package neo4j

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// reader is one export under way.
type reader struct {
	db         *DB
	projection connector.Projection
	sizes      sizes
	builder    *export.Builder
	nodes      export.IDs // distinct, sorted

	read     atomic.Int64 // relationships met so far
	expected int64
	mu       sync.Mutex // of nodes, while they are read, and of progress
	progress connector.Progress
}

// Export implements connector.Source. Neo4j has no snapshots: what is written meanwhile may be seen or not. An entity
// that is met twice counts once, and a relationship to a node that was not met is dropped and counted.
func (db *DB) Export(ctx context.Context, p connector.Projection, progress connector.Progress) (*export.Snapshot, error) {
	s, err := db.export(ctx, p, progress)
	return s, explain(ctx, err)
}

func (db *DB) export(ctx context.Context, p connector.Projection, progress connector.Progress) (*export.Snapshot, error) {
	before, err := db.checkNames(ctx, p)
	if err != nil {
		return nil, err
	}
	groups := make([]export.Group, len(p.Relationships))
	for i, r := range p.Relationships {
		groups[i] = r.Group()
	}
	r := &reader{db: db, projection: p, sizes: before, builder: export.NewBuilder(groups...), progress: progress}
	for _, n := range before.types {
		r.expected += n
	}
	if err := r.readNodes(ctx); err != nil {
		return nil, err
	}
	for i := range p.Relationships {
		if err := r.readRelationships(ctx, i); err != nil {
			return nil, err
		}
	}
	if err := r.forgetOwn(ctx); err != nil {
		return nil, err
	}
	if err := r.noteChanges(ctx); err != nil {
		return nil, err
	}
	s, err := r.builder.Build()
	if err != nil {
		return nil, &connector.Error{Kind: connector.TooLarge, Msg: "the graph is too large", Err: err}
	}
	return s, nil
}

// freeze closes the list of nodes.
func (r *reader) freeze() error {
	n, err := r.builder.Freeze()
	if err != nil {
		return &connector.Error{Kind: connector.TooLarge, Msg: "the graph is too large", Err: err}
	}
	if n > 0 {
		return nil
	}
	if r.projection.NodeQuery != "" {
		return &connector.Error{Kind: connector.Empty, Msg: "nodeQuery returned no nodes", Hint: "run it in Neo4j Browser to see what it returns"}
	}
	return &connector.Error{Kind: connector.Empty, Msg: fmt.Sprintf("no node has a label of %v", r.projection.Labels)}
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

// noteChanges warns when the count store says that the database changed while it was read.
func (r *reader) noteChanges(ctx context.Context) error {
	after, err := r.db.checkNames(ctx, r.projection)
	if err != nil {
		return err
	}
	if !slices.Equal(after.labels, r.sizes.labels) || !slices.Equal(after.types, r.sizes.types) {
		r.db.options.Logger.Warn("the database changed while it was exported",
			"nodesBefore", r.sizes.labels, "nodesAfter", after.labels,
			"relationshipsBefore", r.sizes.types, "relationshipsAfter", after.types)
	}
	return nil
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
