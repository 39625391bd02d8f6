package communities

import (
	"math/big"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// modules keep what modularity is made of (Newman and Girvan, Finding and evaluating community structure in
// networks, 2004) while groups join: how many edges lie within a group, and the sum of the squares of the groups'
// degrees. Every edge counts once, whatever it weighs: a weight is a length here, not a strength.
type modules struct {
	g      *export.Graph
	groups *disjoint.Sets
	next   *export.Graph // g, or its transpose where it is directed
	nodes  [][]int32     // of a group, by its root
	degree []int64
	within int64
	// squares is the sum of the squares of degrees; it may pass 64 bits.
	squares *big.Int
}

func newModules(g *export.Graph, groups *disjoint.Sets) *modules {
	m := &modules{g: g, groups: groups, next: g.Transpose(), nodes: make([][]int32, g.N()), degree: make([]int64, g.N()),
		squares: new(big.Int)}
	for v := range int32(g.N()) {
		root := groups.Find(v)
		m.nodes[root] = append(m.nodes[root], v)
		m.degree[root] += g.Degree(v)
		if g.Directed {
			m.degree[root] += m.next.Degree(v)
		}
	}
	source, target := g.Ends()
	for e := range source {
		if groups.Find(source[e]) == groups.Find(target[e]) {
			m.within++
		}
	}
	for _, d := range m.degree {
		m.square(1, d, d)
	}
	return m
}

// square adds factor times a product.
func (m *modules) square(factor, a, b int64) {
	x := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	m.squares.Add(m.squares, x.Mul(x, big.NewInt(factor)))
}

// join joins the groups of two roots, and returns the root of both.
func (m *modules) join(a, b int32) int32 {
	if len(m.nodes[a]) < len(m.nodes[b]) {
		a, b = b, a
	}
	for _, v := range m.nodes[b] {
		m.within += m.into(a, m.g.Row(v))
		if m.g.Directed {
			m.within += m.into(a, m.next.Row(v))
		}
	}
	m.square(2, m.degree[a], m.degree[b])
	m.degree[a] += m.degree[b]
	m.nodes[a] = append(m.nodes[a], m.nodes[b]...)
	m.nodes[b] = nil
	m.groups.Join(a, b)
	return a
}

// into counts the arcs of a row that lead into a group.
func (m *modules) into(root int32, row []int32) (count int64) {
	for _, w := range row {
		if m.groups.Find(w) == root {
			count++
		}
	}
	return count
}

// excess is the modularity times 4 m^2, of which there are no roundings.
func (m *modules) excess() *big.Int {
	x := new(big.Int).Mul(big.NewInt(4*m.within), big.NewInt(int64(m.g.M())))
	return x.Sub(x, m.squares)
}

// value is the modularity of an excess; 0 of a graph without edges.
func (m *modules) value(excess *big.Int) float64 {
	if m.g.M() == 0 {
		return 0
	}
	edges := big.NewInt(2 * int64(m.g.M()))
	out, _ := new(big.Rat).SetFrac(excess, new(big.Int).Mul(edges, edges)).Float64()
	return out
}
