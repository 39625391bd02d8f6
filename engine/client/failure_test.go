package client

import (
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
)

// TestErrorsAboutNodesGoThere: a worker knows indices, and linchpin names the nodes by their ids.
func TestErrorsAboutNodesGoThere(t *testing.T) {
	line, err := protocol.Encode(protocol.Event{Event: protocol.EventError, Reason: protocol.BadTask, Detail: "x",
		About: &export.NodesError{Format: "from %s to %s", Nodes: []int32{1, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := protocol.DecodeEvent(line)
	if err != nil {
		t.Fatal(err)
	}
	if got := export.NameNodes(failure(e), export.IDs{Texts: []string{"a", "b"}}); got.Error() != "from b to a" {
		t.Errorf("error %v", got)
	}
	if _, err := protocol.DecodeEvent([]byte(`{"event":"beat","about":{"format":"x","nodes":[]}}`)); err == nil {
		t.Error("a beat about nodes is accepted")
	}
}
