package order

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
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
	for name, sources := range map[string][]int32{"all": stripes(r, DepthOf(g).End, 128, 8),
		"places": places, "scattered": scattered} {
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

// closePartsByHand is closeParts, one place after the other.
func closePartsByHand(g rows, sources []int32, size int) (parts [][]int32, left []int32) {
	s, part, blocks := newNearSearch(g), map[int32]int{}, 0
	add := func(place []int32) {
		for _, v := range place {
			part[v] = len(parts)
		}
		parts = append(parts, place)
	}
	var few [][]int32
	for block := range slices.Chunk(slices.Clone(sources), size) {
		blocks++
		for _, place := range s.places(block) {
			if len(place) < size/2 {
				few = append(few, place)
			} else {
				add(place)
			}
		}
	}
	slices.SortStableFunc(few, func(a, b []int32) int { return len(b) - len(a) })
	for _, place := range few {
		found := -1
		s.from(place[0], 4*nearReach, func(v int32) (again, end bool) {
			if i, ok := part[v]; ok && len(parts[i])+len(place) <= size {
				found = i
			}
			return false, found >= 0
		})
		switch {
		case found >= 0:
			parts[found] = append(parts[found], place...)
		case len(parts) <= blocks+blocks/4:
			add(place)
		default:
			left = append(left, place...)
		}
	}
	return parts, left
}

// TestFewSourcesFindPlaces: what threads look for ahead is what one would find when it is the turn of a place.
func TestFewSourcesFindPlaces(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	random := rand.New(rand.NewPCG(9, 1))
	for name, g := range map[string]*export.Graph{"mesh": mesh(t, 120), "scattered": scattered(t, 10_000)} {
		r := rows{g.Offsets, g.Targets}
		for _, island := range []int{1, 12, 150} {
			s, chosen := newNearSearch(r), make([]bool, g.N())
			var sources []int32
			for len(sources) < g.N()/4 {
				count := 0
				s.from(int32(random.IntN(g.N())), 1+random.IntN(island), func(v int32) (again, end bool) {
					if !chosen[v] {
						chosen[v] = true
						sources = append(sources, v)
					}
					count++
					return false, count > island
				})
			}
			parts, left := closeParts(r, sources, SingleLanes)
			want, leftOver := closePartsByHand(r, sources, SingleLanes)
			if !slices.EqualFunc(parts, want, slices.Equal[[]int32]) || !slices.Equal(left, leftOver) {
				t.Errorf("%s, islands of %d: %d parts, %d left; want %d and %d", name, island, len(parts), len(left), len(want),
					len(leftOver))
			}
		}
	}
}

// TestCloseSourcesAtRandom: random sources of a mesh find a place in few batches, as long as enough of them lie near
// one another.
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
		t.Logf("one node in %d: %d sources, %d left, %d parts, %d batches of 64", one, len(sources), len(left),
			len(parts), batches)
		if one <= 32 && (len(left)*20 > len(sources) || batches*64 > 2*len(sources)) {
			t.Errorf("one node in %d: %d of %d sources are left, the others in %d batches", one, len(left),
				len(sources), batches)
		}
	}
}
