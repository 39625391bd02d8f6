package communities

import (
	"math/big"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Dendrogram says in which order groups join, from the end of the cuts back to their beginning.
type Dendrogram struct {
	// Base is the group of each node after the last cut: 0, 1, ... by the first node of each. After all cuts, each node is
	// alone.
	Base []int32
	// Groups is the number of groups in Base.
	Groups int
	// Merges has the two groups that join. Those of Base are 0 to Groups-1, and merge i makes group Groups+i.
	Merges []kernels.Merge
	// Modularity has that of Base, and then that after each merge.
	Modularity []float64

	joins  [][2]int32 // nodes whose groups join, by merge
	excess []*big.Int // modularity times 4 m^2
}

// DendrogramOf makes the dendrogram of cuts of a graph.
func DendrogramOf(g *export.Graph, cuts *Cuts) *Dendrogram {
	source, target := g.Ends()
	gone := make([]bool, g.M())
	for _, cut := range cuts.All {
		gone[cut.Edge] = true
	}
	groups := disjoint.New(g.N())
	for e := range source {
		if !gone[e] {
			groups.Join(source[e], target[e])
		}
	}
	d := &Dendrogram{}
	d.Base, d.Groups = number(groups, g.N())
	m := newModules(g, groups)
	name := make([]int32, g.N()) // of a group, by its root
	for v, group := range d.Base {
		name[groups.Find(int32(v))] = group
	}
	d.mark(m)
	for i := len(cuts.All) - 1; i >= 0; i-- {
		e := cuts.All[i].Edge
		a, b := groups.Find(source[e]), groups.Find(target[e])
		if a == b {
			continue
		}
		merge := kernels.Merge{A: name[a], B: name[b], Edge: e, Score: cuts.All[i].Score}
		root := m.join(a, b)
		merge.Size = len(m.nodes[root])
		name[root] = int32(d.Groups + len(d.Merges))
		d.mark(m)
		merge.Modularity = d.Modularity[len(d.Modularity)-1]
		d.Merges, d.joins = append(d.Merges, merge), append(d.joins, [2]int32{source[e], target[e]})
	}
	return d
}

func (d *Dendrogram) mark(m *modules) {
	x := m.excess()
	d.excess, d.Modularity = append(d.excess, x), append(d.Modularity, m.value(x))
}

// number numbers the sets of nodes by their first nodes.
func number(groups *disjoint.Sets, n int) (of []int32, count int) {
	of, names := make([]int32, n), make(map[int32]int32, groups.Count)
	for v := range of {
		root := groups.Find(int32(v))
		name, ok := names[root]
		if !ok {
			name = int32(len(names))
			names[root] = name
		}
		of[v] = name
	}
	return of, len(names)
}

// Best returns the number of groups of the greatest modularity; of those that tie the least.
func (d *Dendrogram) Best() int {
	best := 0
	for i, x := range d.excess {
		if x.Cmp(d.excess[best]) >= 0 {
			best = i
		}
	}
	return d.Groups - best
}

// Fewest is the least number of groups: the components of the graph.
func (d *Dendrogram) Fewest() int { return d.Groups - len(d.Merges) }

// Members returns the group of each node where there are so many: 0, 1, ... by the first node of each.
func (d *Dendrogram) Members(groups int) []int32 {
	u := disjoint.New(len(d.Base))
	first := make([]int32, d.Groups)
	for v := len(d.Base) - 1; v >= 0; v-- {
		first[d.Base[v]] = int32(v)
	}
	for v, group := range d.Base {
		u.Join(first[group], int32(v))
	}
	for _, j := range d.joins[:d.Groups-groups] {
		u.Join(j[0], j[1])
	}
	of, _ := number(u, len(d.Base))
	return of
}

// ModularityOf is the modularity where there are so many groups.
func (d *Dendrogram) ModularityOf(groups int) float64 { return d.Modularity[d.Groups-groups] }
