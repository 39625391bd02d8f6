package batches

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// TestHubsAreBounded: no more than mostHubs rows are longer than what a block handles together.
func TestHubsAreBounded(t *testing.T) {
	const mostHubs = 2048
	for _, c := range []struct {
		name string
		rows int
		want int64
	}{{"few long rows", mostHubs, hubDegree}, {"many long rows", mostHubs + 100, hubDegree + 100}} {
		g := &export.Graph{Offsets: []int64{0}}
		for i := range c.rows {
			g.Offsets = append(g.Offsets, g.Offsets[i]+int64(hubDegree+1+i))
		}
		nodes, hub := LongRows(g, mostHubs)
		if hub != c.want || len(nodes) != mostHubs || nodes[0] != int32(c.rows-1) ||
			nodes[mostHubs-1] != int32(c.rows-mostHubs) {
			t.Errorf("%s: %d from %d on, want %d", c.name, len(nodes), hub, c.want)
		}
	}
	if nodes, hub := LongRows(&export.Graph{Offsets: []int64{0, 5}}, mostHubs); hub != hubDegree || nodes != nil {
		t.Errorf("short rows: from %d on", hub)
	}
}
