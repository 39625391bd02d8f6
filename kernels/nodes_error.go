package kernels

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/linchpin-graph/linchpin/export"
)

// NodesError is an error about nodes. The kernels know only the indices of nodes; a caller that knows their ids calls
// NameNodes.
type NodesError struct {
	// Format is the message, with a %s for each node.
	Format string  `json:"format"`
	Nodes  []int32 `json:"nodes"`
	names  []string
	cause  error
}

// nodesError makes a NodesError; cause may be nil.
func nodesError(cause error, format string, nodes ...int32) *NodesError {
	return &NodesError{Format: format, Nodes: nodes, cause: cause}
}

// Error names the nodes by their ids, or by index before NameNodes.
func (e *NodesError) Error() string {
	names := make([]any, len(e.Nodes))
	for i, v := range e.Nodes {
		if names[i] = fmt.Sprint(v); e.names != nil {
			names[i] = e.names[i]
		}
	}
	return fmt.Sprintf(e.Format, names...)
}

func (e *NodesError) Unwrap() error { return e.cause }

// NameNodes gives the nodes of a NodesError in the chain of err their ids, which are by index, and returns err.
func NameNodes(err error, ids export.IDs) error {
	var about *NodesError
	if !errors.As(err, &about) {
		return err
	}
	names := make([]string, len(about.Nodes))
	for i, v := range about.Nodes {
		if v < 0 || int(v) >= ids.Len() {
			return err
		}
		names[i] = ids.String(int(v))
	}
	about.names = names
	return err
}

// ErrLength marks a weight that cannot be added to the length of a path.
var ErrLength = errors.New("path length")

// LostWeight is the error of an arc, by number, that cannot lengthen a path because its weight vanishes when it is added.
// It is an ErrLength.
func LostWeight(g *export.Graph, arc int64) *NodesError {
	source := tailOf(g, arc)
	return nodesError(ErrLength, fmt.Sprintf("edge from node %%s to node %%s: its weight %g is lost next to the length of a path; weights lie too far apart for float64",
		g.Weight(arc)), source, g.Targets[arc])
}

// tailOf returns the node that an arc leaves.
func tailOf(g *export.Graph, arc int64) int32 {
	after := sort.Search(g.N(), func(v int) bool { return g.Offsets[v+1] > arc })
	return int32(after)
}

// usable reports the first score that is infinite, or not a number unless NaN stands for null.
func usable(measure string, g *export.Graph, s *Scores, null bool) error {
	bad := func(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) && !null }
	if v := slices.IndexFunc(s.Nodes, bad); v >= 0 {
		return nodesError(nil, measure+" of node %s "+whyBad(s.Nodes[v]), int32(v))
	}
	if e := slices.IndexFunc(s.Edges, bad); e >= 0 {
		source, target := g.Ends()
		return nodesError(nil, measure+" of the edge from node %s to node %s "+whyBad(s.Edges[e]), source[e], target[e])
	}
	return nil
}

func whyBad(score float64) string {
	if math.IsNaN(score) {
		return "is not a number"
	}
	return "overflows float64; use larger or smaller units for the weights"
}
