package export

import (
	"errors"
	"fmt"
)

// NodesError is an error about nodes. Code that computes knows only the indices of nodes; a caller that knows their ids
// calls NameNodes.
type NodesError struct {
	// Format is the message, with a %s for each node.
	Format string  `json:"format"`
	Nodes  []int32 `json:"nodes"`
	names  []string
	cause  error
}

// NewNodesError makes a NodesError; cause may be nil.
func NewNodesError(cause error, format string, nodes ...int32) *NodesError {
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
func NameNodes(err error, ids IDs) error {
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
