package adaptive

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestSumsStop: a sum that has passed the threshold takes no more, and only those that are wanted are waited for.
func TestSumsStop(t *testing.T) {
	g, r := graphtest.Ring(t, 4, 0), kernels.Request{Nodes: true}
	s := NewSums(g, r, Sample{C: 1, Nodes: []int32{2}}) // stops over 4
	for searched := 1; searched <= 3; searched++ {
		s.Nodes.Add(0, 5, searched)
		s.Nodes.Add(1, 1, searched)
		s.Nodes.Add(2, 2, searched)
	}
	if s.Nodes.Waiting != 0 || !slices.Equal(s.Nodes.Sum, []float64{5, 3, 6, 0}) ||
		!slices.Equal(s.Nodes.Taken, []int32{1, 0, 3, 0}) {
		t.Errorf("%+v", s.Nodes)
	}
	Scores(g, r, s.Nodes.Sum, s.Nodes.Taken, 3) // undirected: half of 4 sources
	if !slices.Equal(s.Nodes.Sum, []float64{10, 2, 4, 0}) || !slices.Equal(s.Nodes.Taken, []int32{1, 3, 3, 3}) {
		t.Errorf("scores %+v", s.Nodes)
	}
}

// TestCheck: what an adaptive sample cannot do is refused.
func TestCheck(t *testing.T) {
	g, ok := graphtest.Ring(t, 4, 0), kernels.Request{Nodes: true}
	if err := (Sample{C: 5, Nodes: []int32{3}}).Check(g, ok); err != nil {
		t.Error(err)
	}
	for _, a := range []Sample{{}, {C: 5, Limit: -1}, {C: 5, Nodes: []int32{4}}, {C: 5, Nodes: []int32{1, 1}}} {
		if a.Check(g, ok) == nil {
			t.Errorf("%+v passes", a)
		}
	}
	for _, r := range []kernels.Request{{}, {Nodes: true, Sources: []int32{1}},
		{Nodes: true, Pairs: &kernels.Pairs{Targets: []int32{1}}}} {
		if (Sample{C: 5}).Check(g, r) == nil {
			t.Errorf("%+v passes", r)
		}
	}
}
