package order

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestCloseParts: every source is in one part or left, and those of a part lie close together, however they were given.
func TestCloseParts(t *testing.T) {
	g := graphtest.Ring(t, 20_000, 0)
	r := rows{g.Offsets, g.Targets}
	shuffled := rand.New(rand.NewPCG(1, 2)).Perm(g.N())
	var places, scattered []int32
	for v := range int32(g.N()) {
		if v%5000 < 300 {
			places = append(places, v)
		}
		if v%100 == 0 {
			scattered = append(scattered, int32(shuffled[v]))
		}
	}
	for name, sources := range map[string][]int32{"all": stripes(r, DepthOf(g).End, 128, 8), "places": places, "scattered": scattered} {
		parts, left := closeParts(r, sources, 128)
		if again, _ := closeParts(r, sources, 128); !slices.EqualFunc(parts, again, slices.Equal[[]int32]) {
			t.Errorf("%s: other parts the second time", name)
		}
		found := slices.Concat(append(parts, left)...)
		slices.Sort(found)
		wanted := slices.Sorted(slices.Values(sources))
		if !slices.Equal(found, wanted) {
			t.Errorf("%s: %d sources in parts, of %d", name, len(found), len(wanted))
		}
		if name != "scattered" && len(left) > 0 {
			t.Errorf("%s: %d sources are left", name, len(left))
		}
		if most := len(sources)/64 + 2; len(parts) > most {
			t.Errorf("%s: %d parts, more than %d", name, len(parts), most)
		}
		for _, part := range parts {
			if len(part) > 128 {
				t.Errorf("%s: a part of %d sources", name, len(part))
			}
			for _, v := range part[1:] {
				if gap := (int(v) - int(part[0]) + g.N()) % g.N(); min(gap, g.N()-gap) > 8*nearReach {
					t.Errorf("%s: sources of a part are %d hops apart", name, min(gap, g.N()-gap))
				}
			}
		}
	}
}

// TestCloseSourcesAtRandom: random sources of a mesh find a place in few batches, as long as enough of them lie near one another.
func TestCloseSourcesAtRandom(t *testing.T) {
	g := mesh(t, 300)
	nodes := Nodes(g, true, DepthOf(g).End, SingleLanes)
	shuffled := rand.New(rand.NewPCG(1, 2)).Perm(g.N())
	for _, one := range []int{2, 4, 16, 32, 64, 256} {
		var sources []int32
		for _, v := range shuffled[:g.N()/one] {
			sources = append(sources, int32(v))
		}
		parts, left := CloseSources(g, sources, nodes, 64)
		found := slices.Concat(append(parts, left)...)
		if len(found) != len(sources) {
			t.Errorf("one node in %d: %d sources in parts, of %d", one, len(found), len(sources))
		}
		batches := 0
		for _, part := range parts {
			batches += (len(part) + 63) / 64
		}
		t.Logf("one node in %d: %d sources, %d left, %d parts, %d batches of 64", one, len(sources), len(left), len(parts), batches)
		if one <= 32 && (len(left)*20 > len(sources) || batches*64 > 2*len(sources)) {
			t.Errorf("one node in %d: %d of %d sources are left, the others in %d batches", one, len(left), len(sources), batches)
		}
	}
}
