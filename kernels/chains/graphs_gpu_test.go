//go:build cuda || emulate

package chains

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// chainy draws a multigraph of few branch nodes whose edges are paths, many of equal length: loops, parallel chains,
// twins of any degree, cycles, trees and several components.
func chainy(t testing.TB, random *rand.Rand, weighted bool) *export.Graph {
	var links []graphtest.Link
	n := int32(0)
	weight := func() float64 { return 1 }
	if most := []int{1, 2, 3, 1000}[random.IntN(4)]; weighted {
		weight = func() float64 { return float64(1 + random.IntN(most)) }
	}
	add := func(u, v int32) { links = append(links, graphtest.Link{From: u, To: v, Weight: weight()}) }
	for range 1 + random.IntN(3) {
		first, branches := n, int32(1+random.IntN(14))
		hub := random.IntN(16) == 0
		if hub {
			branches = 70 // so many arcs make a row long
		}
		n += branches
		for v := first + 1; hub && v < first+branches; v++ {
			add(first, v)
		}
		longest := 1 + random.IntN(6)
		for range random.IntN(4 * int(branches)) {
			u, v := first+random.Int32N(branches), first+random.Int32N(branches)
			hops := 1 + random.IntN(longest)
			if random.IntN(2) == 0 {
				hops = longest
			}
			for range hops - 1 {
				add(u, n)
				u, n = n, n+1
			}
			add(u, v)
			for u != v && random.IntN(8) == 0 {
				links = append(links, links[len(links)-1]) // once more
			}
		}
		if !hub {
			links, n = withTwins(random, links, first, branches, n)
		}
		for range random.IntN(6) {
			add(first+random.Int32N(n-first), n)
			n++
		}
	}
	return graphtest.Links(t, int(n), false, weighted, links)
}

// withTwins adds copies of some of the branch nodes first, first + 1, ..., with the same arcs, joined with one another
// or not.
func withTwins(random *rand.Rand, links []graphtest.Link, first, branches, n int32) ([]graphtest.Link, int32) {
	for range random.IntN(4) {
		v := first + random.Int32N(branches)
		class, joined, all := []int32{v}, random.IntN(2) == 0, len(links)
		for range 1 + random.IntN(3) {
			for _, l := range links[:all] {
				if (l.From == v) != (l.To == v) {
					links = append(links, graphtest.Link{From: l.From + l.To - v, To: n, Weight: l.Weight})
				}
			}
			for _, u := range class {
				if joined {
					links = append(links, graphtest.Link{From: u, To: n, Weight: 1})
				}
			}
			class = append(class, n)
			n++
		}
	}
	return links, n
}

// ladder is a ring of rungs, between which lie many parallel edges: across it are over 2^(11 rungs) shortest paths, in
// one block.
func ladder(t testing.TB, rungs int32) *export.Graph {
	var links []graphtest.Link
	n := int32(0)
	for range rungs {
		for range 3000 {
			links = append(links, graphtest.Link{From: n, To: n + 1, Weight: 1})
			links = append(links, graphtest.Link{From: n + 1, To: n + 3, Weight: 1})
		}
		links = append(links, graphtest.Link{From: n, To: n + 2, Weight: 1}) // an inner node
		links = append(links, graphtest.Link{From: n + 2, To: n + 1, Weight: 1})
		n += 3
	}
	links = append(links, graphtest.Link{From: n, To: 0, Weight: 1})
	return graphtest.Links(t, int(n+1), false, false, links)
}

// strip is two rows of so many nodes, joined at each, by chains or edges; between neighbours of a row lie many parallel
// edges. Next to it is a ladder of a few rungs.
func strip(t testing.TB, size, parallel int32, chains bool) *export.Graph {
	var links []graphtest.Link
	join := func(u, v, copies int32) {
		for range copies {
			links = append(links, graphtest.Link{From: u, To: v, Weight: 1})
		}
	}
	n := 2 * size
	for i := range size {
		if chains {
			join(i, n, 1)
			join(n, size+i, 1)
			n++
		} else {
			join(i, size+i, 1)
		}
		if i+1 < size {
			join(i, i+1, parallel)
			join(size+i, size+i+1, parallel)
		}
	}
	for _, end := range []int32{0, size - 2} { // so that there is no node of degree 2
		join(end, size+end+1, 1)
		join(size+end, end+1, 1)
	}
	first := n
	for range 5 {
		join(n, n+1, 2)
		join(n, n+2, 1)
		join(n+2, n+1, 1)
		join(n+1, n+3, 2)
		n += 3
	}
	join(n, first, 1)
	return graphtest.Links(t, int(n+1), false, false, links)
}

// partial is a grid of which some edges were made paths: most of its branch nodes are at no chain.
func partial(t testing.TB, side int32, random *rand.Rand) *export.Graph {
	var links []graphtest.Link
	n := side * side
	join := func(u, v int32) {
		for random.IntN(20) == 0 {
			links = append(links, graphtest.Link{From: u, To: n, Weight: 1})
			u, n = n, n+1
		}
		links = append(links, graphtest.Link{From: u, To: v, Weight: 1})
	}
	for v := range side * side {
		if (v+1)%side != 0 {
			join(v, v+1)
		}
		if v+side < side*side {
			join(v, v+side)
		}
	}
	return graphtest.Links(t, int(n), false, false, links)
}
