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
		if got := r.Hub(mostHubs); got != c.want {
			t.Errorf("%s: from %d on, want %d", c.name, got, c.want)
		}
	}
	if got := (Rows{Begins: []uint32{0, 5}}).Hub(mostHubs); got != hubDegree {
		t.Errorf("short rows: from %d on", got)
	}
}
