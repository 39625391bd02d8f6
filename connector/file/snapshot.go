package file

import (
	"context"
	"errors"
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// exportSnapshot maps a snapshot file. What the projection asks for must be what the snapshot holds.
func (s *Source) exportSnapshot(ctx context.Context, p connector.Projection) (*export.Snapshot, error) {
	if _, err := checkRegular(s.Path); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := export.OpenSnapshot(s.Path)
	if err != nil {
		return nil, &connector.Error{Kind: connector.BadData, Msg: err.Error()}
	}
	snap, err := fit(s.Path, m.Snapshot, p.Relationships[0])
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	s.mapped = append(s.mapped, m)
	return snap, ctx.Err()
}

// fit checks a snapshot against what is wanted of it, and leaves out weights that are not.
func fit(path string, snap *export.Snapshot, r connector.Relationship) (*export.Snapshot, error) {
	refuse := func(hint, format string, args ...any) error {
		return &connector.Error{Kind: connector.UnknownName, Msg: path + ": " + fmt.Sprintf(format, args...), Hint: hint}
	}
	g := snap.Graph
	switch {
	case r.Orientation == export.Undirected && g.Directed:
		return nil, refuse("add --directed", "the snapshot is directed")
	case (r.Orientation == export.Natural || r.Orientation == export.Reverse) && !g.Directed:
		return nil, refuse("leave out --directed", "the snapshot is undirected")
	case r.Orientation == export.Reverse:
		return nil, refuse("export it again", "a snapshot keeps the orientation it was made with")
	case r.Parallel != "" && r.Parallel != export.Keep:
		return nil, refuse("leave out --parallel", "the parallel rule of a snapshot is the one it was made with")
	case r.Strength:
		return nil, refuse("leave out --weight-as, and export it again from strengths",
			"a snapshot keeps the lengths it was made with")
	case r.Weight != "" && g.Weights == nil && g.M() > 0:
		return nil, refuse("leave out --weighted", "the snapshot has no weights")
	}
	if r.Weight == "" && g.Weights != nil {
		plain := *snap
		plain.Graph = &export.Graph{Directed: g.Directed, Offsets: g.Offsets, Targets: g.Targets, Edges: g.Edges,
			EdgeCount: g.EdgeCount}
		return &plain, nil
	}
	return snap, nil
}
