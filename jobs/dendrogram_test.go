package jobs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestDendrogramAbove: the groups of every level, and what they merge into, have the nodes that they have in the whole
// dendrogram.
func TestDendrogramAbove(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n := 1 + random.IntN(20)
		whole, sets := randomDendrogram(random, n)
		for count := whole.Components; count <= whole.Components+len(whole.Merges); count++ {
			c := *whole
			c.Count, c.Of = count, groupsAt(whole, n, count)
			d := dendrogramAbove(&c)
			if len(d.Sizes) != count || len(d.Merges) != count-c.Components {
				t.Fatalf("%d groups of %d: %+v", count, n, d)
			}
			var got [][]int32
			for group := range count {
				var nodes []int32
				for v, of := range c.Of {
					if of == int32(group) {
						nodes = append(nodes, int32(v))
					}
				}
				if d.Sizes[group] != int64(len(nodes)) {
					t.Fatalf("group %d has %d nodes, not %d", group, len(nodes), d.Sizes[group])
				}
				got = append(got, nodes)
			}
			first := len(whole.Merges) - len(d.Merges)
			for i, m := range d.Merges {
				nodes := slices.Concat(got[m.A], got[m.B])
				slices.Sort(nodes)
				got = append(got, nodes)
				want := whole.Merges[first+i]
				if !slices.Equal(nodes, sets[first+i]) || m.Nodes != int64(len(nodes)) || m.Groups != int64(count-i-1) ||
					m.Score != want.Score {
					t.Fatalf("merge %d of %d groups: %+v of %v, want %v", i, count, m, nodes, sets[first+i])
				}
			}
		}
	}
}

// TestPartsHaveNoDendrogram: a part of a run holds scores, and not the cuts. A job that asks for their order is refused
// before its parts are computed, and when parts of an earlier config are merged.
func TestPartsHaveNoDendrogram(t *testing.T) {
	groups := config.Measure{Measure: "communities", Nodes: "group"}
	j := config.Job{Name: "circles", Measures: []config.Measure{groups},
		Dendrogram: &config.Dendrogram{Of: "group", File: "circles.json"}}
	g := graphtest.Random(t, rand.New(rand.NewPCG(5, 7)), 20, false, false, false)
	_, err := JobComputations(j, &export.Snapshot{Graph: g}, engine.CPU)
	if err == nil || err.Error() != "job circles: parts of a run have no dendrogram" {
		t.Errorf("%v", err)
	}
	r := &run{job: j}
	err = r.addDendrogram(pass{outputs: j.Measures}, kernels.NewGrouping(g, make([]float64, g.N()), false))
	if err == nil || err.Error() != "job circles: parts of a run have no dendrogram" || r.cuts != nil {
		t.Errorf("%v, cuts %v", err, r.cuts)
	}
}

// randomDendrogram joins random leaves of one or two nodes, and returns the nodes of each merge.
func randomDendrogram(random *rand.Rand, n int) (c *kernels.Grouping, sets [][]int32) {
	c = &kernels.Grouping{Base: make([]int32, n)}
	var live []int32
	var nodes [][]int32
	for v := range int32(n) {
		if len(nodes) > 0 && random.IntN(4) == 0 {
			at := random.IntN(len(nodes))
			c.Base[v], nodes[at] = int32(at), append(nodes[at], v)
			continue
		}
		c.Base[v] = int32(len(nodes))
		live, nodes = append(live, int32(len(nodes))), append(nodes, []int32{v})
	}
	leaves, components := len(live), 1+random.IntN(len(live))
	for len(live) > components {
		random.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
		a, b := live[0], live[1]
		both := slices.Concat(nodes[a], nodes[b])
		slices.Sort(both)
		live = append(live[2:], int32(len(nodes)))
		nodes = append(nodes, both)
		c.Merges = append(c.Merges, kernels.Merge{A: a, B: b, Size: len(both), Score: random.Float64()})
	}
	c.Components = components
	return c, nodes[leaves:]
}

// groupsAt numbers the groups of a level by the first node of each.
func groupsAt(c *kernels.Grouping, n, count int) []int32 {
	leaves := c.Components + len(c.Merges)
	sets, numbers, of := disjoint.New(2*leaves), map[int32]int32{}, make([]int32, n)
	for i, m := range c.Merges[:leaves-count] {
		sets.Join(m.A, int32(leaves+i))
		sets.Join(m.B, int32(leaves+i))
	}
	for v, leaf := range c.Base {
		root := sets.Find(leaf)
		if _, seen := numbers[root]; !seen {
			numbers[root] = int32(len(numbers))
		}
		of[v] = numbers[root]
	}
	if len(numbers) != count {
		panic(fmt.Sprint(len(numbers), " groups instead of ", count))
	}
	return of
}
