package lengths

import (
	"errors"
	"fmt"
	"sort"

	"github.com/linchpin-graph/linchpin/export"
)

// ErrLength marks a weight that cannot be added to the length of a path.
var ErrLength = errors.New("path length")

// LostWeight is the error of an arc, by number, that cannot lengthen a path because its weight vanishes when it is
// added. It is an ErrLength.
func LostWeight(g *export.Graph, arc int64) *export.NodesError {
	source := tailOf(g, arc)
	format := fmt.Sprintf("edge from node %%s to node %%s: its weight %g is lost next to the length of a path; "+
		"weights lie too far apart for float64", g.Weight(arc))
	return export.NewNodesError(ErrLength, format, source, g.Targets[arc])
}

// tailOf returns the node that an arc leaves.
func tailOf(g *export.Graph, arc int64) int32 {
	after := sort.Search(g.N(), func(v int) bool { return g.Offsets[v+1] > arc })
	return int32(after)
}
