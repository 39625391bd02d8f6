package export

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestValidateNoticesEveryBrokenInvariant breaks one at a time.
func TestValidateNoticesEveryBrokenInvariant(t *testing.T) {
	undirected := func() *Graph { // a triangle 0-1-2 with a loop at 2, and 3 alone
		g, err := NewUndirected(4, []int32{0, 0, 1, 2}, []int32{1, 2, 2, 2}, []float64{1, 2, 3, 4})
		if err != nil || g.Validate() != nil {
			t.Fatal(err, g.Validate())
		}
		return g
	}
	for name, c := range map[string]struct {
		breakIt func(g *Graph)
		want    string
	}{
		"no offsets":     {func(g *Graph) { g.Offsets = nil }, "offsets must start with 0"},
		"first offset":   {func(g *Graph) { g.Offsets[0] = 1 }, "offsets must start with 0"},
		"last offset":    {func(g *Graph) { g.Offsets[4] = 7 }, "offsets end at 7"},
		"falling":        {func(g *Graph) { g.Offsets[1] = 6 }, "offsets fall"},
		"beyond":         {func(g *Graph) { g.Offsets[1] = 99 }, "offsets fall"},
		"weights":        {func(g *Graph) { g.Weights = g.Weights[1:] }, "8 arcs, 7 weights"},
		"edges":          {func(g *Graph) { g.Edges = g.Edges[1:] }, "7 arc edges"},
		"no edges":       {func(g *Graph) { g.Edges = nil }, "cannot stand for"},
		"edge count":     {func(g *Graph) { g.EdgeCount = 5 }, "cannot stand for"},
		"target":         {func(g *Graph) { g.Targets[7] = 4 }, "points at node 4 of 4"},
		"negative":       {func(g *Graph) { g.Targets[0] = -1 }, "points at node -1"},
		"order":          {func(g *Graph) { g.Targets[0], g.Targets[1] = 2, 1 }, "is not sorted"},
		"edge":           {func(g *Graph) { g.Edges[0] = 4 }, "belongs to edge 4 of 4"},
		"edge negative":  {func(g *Graph) { g.Edges[0] = -1 }, "belongs to edge -1"},
		"edge thrice":    {func(g *Graph) { g.Edges[0] = 3 }, "belongs to edge 3"},
		"edges swapped":  {func(g *Graph) { g.Edges[0], g.Edges[1] = g.Edges[1], g.Edges[0] }, "do not join the same nodes"},
		"one-way":        {func(g *Graph) { g.Targets[7] = 3 }, "do not join the same nodes"},
		"weight zero":    {func(g *Graph) { g.Weights[0] = 0 }, "weighs 0"},
		"weight NaN":     {func(g *Graph) { g.Weights[0] = math.NaN() }, "weighs NaN"},
		"weight inf":     {func(g *Graph) { g.Weights[0] = math.Inf(1) }, "weighs +Inf"},
		"rests":          {func(g *Graph) { g.Rests = make([]float64, 1) }, "8 weights and 1 rests"},
		"large rest":     {func(g *Graph) { g.Rests = slices.Clone(g.Weights) }, "weighs 1 and 1"},
		"directed count": {func(g *Graph) { g.Directed = true }, "8 arcs cannot stand for 4 edges"},
	} {
		g := undirected()
		c.breakIt(g)
		if err := g.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	directed := &Graph{Directed: true, Offsets: []int64{0, 2, 2}, Targets: []int32{0, 1}, Edges: []int32{1, 1},
		EdgeCount: 2}
	if err := directed.Validate(); err == nil || !strings.Contains(err.Error(), "arc 1 belongs to edge 1") {
		t.Errorf("an edge of two directed arcs: %v", err)
	}
}

func TestGraphAccessors(t *testing.T) {
	g, err := NewUndirected(3, []int32{0, 1}, []int32{1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if g.N() != 3 || g.M() != 2 || g.Arcs() != 4 || g.Degree(1) != 3 || len(g.Row(2)) != 0 || g.Weight(0) != 1 {
		t.Errorf("n %d, m %d, arcs %d, degree %d, weight %v", g.N(), g.M(), g.Arcs(), g.Degree(1), g.Weight(0))
	}
	if want := int64(4*8 + 4*4 + 4*4); g.Bytes() != want {
		t.Errorf("%d bytes, want %d", g.Bytes(), want)
	}
	weighted, err := NewUndirected(3, []int32{0, 1}, []int32{1, 1}, []float64{2, 3})
	if err != nil || weighted.Weight(0) != 2 || weighted.Bytes() != g.Bytes()+4*8 {
		t.Errorf("weighted: %v, %v", weighted, err)
	}
}

func TestSpread(t *testing.T) {
	r := &Relationships{Targets: make([]int32, 3), Edges: []int32{2, 0, 2}, Back: []int32{1, -1, -1}}
	scores := []float64{1, 10, 100}
	if got := r.Spread(scores, nil); !slices.Equal(got, []float64{100, 1, 100}) {
		t.Errorf("of the first edge: %v", got)
	}
	minus := func(first, second float64) float64 { return first - second }
	if got := r.Spread(scores, minus); !slices.Equal(got, []float64{90, 1, 100}) {
		t.Errorf("of both edges: %v", got)
	}
}

// TestWeightRange: of parts side by side, and wherever the least and the greatest are.
func TestWeightRange(t *testing.T) {
	const count = 300_000
	for _, places := range [][2]int{{0, count - 1}, {count - 1, 0}, {200_000, 200_001}} {
		g := &Graph{Weights: make([]float64, count)}
		for i := range g.Weights {
			g.Weights[i] = 2 + float64(i%7)
		}
		g.Weights[places[0]], g.Weights[places[1]] = 0.5, 1e300
		if least, greatest := g.WeightRange(); least != 0.5 || greatest != 1e300 {
			t.Errorf("at %v: %g to %g", places, least, greatest)
		}
	}
	if least, greatest := (&Graph{}).WeightRange(); least != 0 || greatest != 0 {
		t.Errorf("of no weights: %g to %g", least, greatest)
	}
}
