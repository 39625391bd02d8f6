package batches

import "testing"

// TestHubsAreBounded: no more than mostHubs rows are longer than what a block handles together.
func TestHubsAreBounded(t *testing.T) {
	const mostHubs = 2048
	for _, c := range []struct {
		name string
		rows int
		want int64
	}{{"few long rows", mostHubs, hubDegree}, {"many long rows", mostHubs + 100, hubDegree + 100}} {
		r := Rows{Begins: []uint32{0}}
		for i := range c.rows {
			r.Begins = append(r.Begins, r.Begins[i]+uint32(hubDegree+1+i))
		}
		nodes, hub := r.Hubs(mostHubs)
		if hub != c.want || len(nodes) != mostHubs || nodes[0] != int32(c.rows-1) || nodes[mostHubs-1] != int32(c.rows-mostHubs) {
			t.Errorf("%s: %d from %d on, want %d", c.name, len(nodes), hub, c.want)
		}
	}
	if nodes, hub := (Rows{Begins: []uint32{0, 5}}).Hubs(mostHubs); hub != hubDegree || nodes != nil {
		t.Errorf("short rows: from %d on", hub)
	}
}
