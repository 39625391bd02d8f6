package order

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// mesh is a grid of square cells, each cut by one of its diagonals at random, with its nodes in a random order.
func mesh(t *testing.T, side int32) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	name := random.Perm(int(side * side))
	var r export.Rels
	join := func(x, y, p, q int32) {
		r.Source, r.Target = append(r.Source, int32(name[y*side+x])), append(r.Target, int32(name[q*side+p]))
	}
	for y := range side {
		for x := range side {
			if x+1 < side {
				join(x, y, x+1, y)
			}
			if y+1 < side {
				join(x, y, x, y+1)
			}
			switch {
			case x+1 == side || y+1 == side:
			case random.IntN(2) == 0:
				join(x, y, x+1, y+1)
			default:
				join(x+1, y, x, y+1)
			}
		}
	}
	return graphtest.Build(t, export.Undirected, int(side*side), r)
}

// levelsABatch is at how many levels, in the mean, a search from a node meets the nodes of a batch: what its row holds
// as entries.
func levelsABatch(g *export.Graph, order []int32, lanes int) float64 {
	levels, batches := 0, 0
	for from := 0; from < g.N(); from += g.N() / 20 {
		depth := make([]int32, g.N())
		queue := []int32{int32(from)}
		depth[from] = 1
		for at := 0; at < len(queue); at++ {
			for _, w := range g.Row(queue[at]) {
				if depth[w] == 0 {
					depth[w] = depth[queue[at]] + 1
					queue = append(queue, w)
				}
			}
		}
		for batch := range slices.Chunk(order, lanes) {
			met := map[int32]bool{}
			for _, v := range batch {
				met[depth[v]] = true
			}
			levels, batches = levels+len(met), batches+1
		}
	}
	return float64(levels) / float64(batches)
}

// TestStripesAreRounder: batches of a mesh meet searches at fewer levels than those of halves of halves do, and those
// of 512 sources at more.
func TestStripesAreRounder(t *testing.T) {
	g := mesh(t, 100)
	r := rows{g.Offsets, g.Targets}
	end := DepthOf(g).End
	halves, strips := bisect(r, DeepLanes), stripes(r, end, DeepLanes, stripLevels)
	if by, with := levelsABatch(g, halves, DeepLanes), levelsABatch(g, strips, DeepLanes); by > 8 || with > 0.95*by {
		t.Errorf("%.2f levels a batch by halves, %.2f by strips", by, with)
	}
	if by, with := levelsABatch(g, halves, 512), levelsABatch(g, strips, 512); by > with {
		t.Errorf("%.1f levels a batch of %d by halves, %.1f by strips", by, 512, with)
	}
}

// scattered is a random graph of n nodes and 0.6 n edges, in many components.
func scattered(t *testing.T, n int) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	var r export.Rels
	for range 6 * n / 10 {
		r.Source, r.Target = append(r.Source, int32(random.IntN(n))), append(r.Target, int32(random.IntN(n)))
	}
	return graphtest.Build(t, export.Undirected, n, r)
}

// halvesByHand is bisect, on sets of nodes: both searches of every part, of the whole graph's arcs.
func halvesByHand(g *export.Graph, part []int32, leaf int) []int32 {
	if len(part) <= leaf {
		return part
	}
	search := func(start int32) []int32 {
		left := map[int32]bool{}
		for _, v := range part {
			left[v] = true
		}
		var found []int32
		for _, from := range append([]int32{start}, part...) {
			if !left[from] {
				continue
			}
			at := len(found)
			found = append(found, from)
			for delete(left, from); at < len(found); at++ {
				for _, w := range g.Row(found[at]) {
					if left[w] {
						delete(left, w)
						found = append(found, w)
					}
				}
			}
		}
		return found
	}
	part = search(part[0])
	part = search(part[len(part)-1])
	middle := (len(part)/2 + leaf - 1) / leaf * leaf
	return slices.Concat(halvesByHand(g, part[:middle], leaf), halvesByHand(g, part[middle:], leaf))
}

func TestHalves(t *testing.T) {
	for name, g := range map[string]*export.Graph{"mesh": mesh(t, 40), "ring": graphtest.Ring(t, 500, 3),
		"scattered": scattered(t, 2000)} {
		if !slices.Equal(halvesByHand(g, All(g), 8), bisect(rows{g.Offsets, g.Targets}, 8)) {
			t.Errorf("%s: another order", name)
		}
	}
}

// TestOrderIsThatOfAnyNumberOfThreads: parts are done side by side, and write nothing of one another's.
func TestOrderIsThatOfAnyNumberOfThreads(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	for name, g := range map[string]*export.Graph{"mesh": mesh(t, 150), "ring": graphtest.Ring(t, 12000, 0),
		"scattered": scattered(t, 30000)} {
		r := rows{g.Offsets, g.Targets}
		end := DepthOf(g).End
		runtime.GOMAXPROCS(1)
		halves, strips, balls := bisect(r, DeepLanes), stripes(r, end, DeepLanes, stripLevels), clusters(r, shallowBall, 3)
		runtime.GOMAXPROCS(8)
		for range 3 {
			if !slices.Equal(halves, bisect(r, DeepLanes)) || !slices.Equal(strips, stripes(r, end, DeepLanes, stripLevels)) ||
				!slices.Equal(balls, clusters(r, shallowBall, 3)) {
				t.Errorf("%s: another order with more threads", name)
			}
		}
	}
}
