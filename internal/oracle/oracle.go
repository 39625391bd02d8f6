// Package oracle computes centralities slowly and exactly, for tests.
//
// It differs from package kernels in everything but the definitions. Graphs are lists of edges, not rows. Distances
// come from Bellman and Ford's relaxation in big integers, read from the decimal text of the weights. Path counts are
// big integers. Betweenness and stress are summed pair by pair from the definition, with the paths of one pair counted
// from both of its ends: there are no dependencies, no levels and no scales. Quotients have
// 128 bits, after the point if counts fit in a word.
package oracle

import (
	"math"
	"math/big"
	"sort"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
)

// Edge joins two nodes; it is an arc from From to To when the graph is directed.
type Edge struct {
	From, To int
	Weight   float64
}

// Graph is nodes 0..N-1 and edges in the order in which edge scores are wanted.
type Graph struct {
	N        int
	Directed bool
	Edges    []Edge
}

// Oracle answers for one graph, by hops or by weights.
type Oracle struct {
	g    Graph
	arcs []arc
	// place is the power of ten that lengths are multiples of; tolerance is 0 when lengths are exact.
	place     int
	tolerance float64
	whole     map[int]*Paths
}

type arc struct {
	from, to, edge int
	length         *big.Int
	weight         float64
}

// Tolerance is the relative tolerance of ties between lengths that 126 bits of ticks cannot hold.
const Tolerance = 1e-10

// New prepares a graph.
func New(g Graph, weighted bool) *Oracle {
	o := &Oracle{g: g, whole: map[int]*Paths{}}
	digits, places := make([]string, len(g.Edges)), make([]int, len(g.Edges))
	for i, e := range g.Edges {
		w := 1.0
		if weighted {
			w = e.Weight
		}
		digits[i], places[i] = decimal(w)
		o.place = min(o.place, places[i])
	}
	for i, e := range g.Edges {
		length, _ := new(big.Int).SetString(digits[i]+strings.Repeat("0", places[i]-o.place), 10)
		a := arc{from: e.From, to: e.To, edge: i, length: length, weight: e.Weight}
		o.arcs = append(o.arcs, a)
		if !g.Directed {
			a.from, a.to = a.to, a.from
			o.arcs = append(o.arcs, a)
		}
	}
	if weighted && !o.fits() {
		o.tolerance = Tolerance
	}
	return o
}

// Of prepares a graph in rows. Edge scores are in the order of its edges.
func Of(g *export.Graph, weighted bool) *Oracle {
	source, target := g.Ends()
	edges := make([]Edge, g.M())
	for i := range int64(g.Arcs()) {
		e := g.Edge(i)
		edges[e] = Edge{From: int(source[e]), To: int(target[e]), Weight: g.Weight(i)}
	}
	return New(Graph{N: g.N(), Directed: g.Directed, Edges: edges}, weighted)
}

// Exact says whether ties are told exactly.
func (o *Oracle) Exact() bool { return o.tolerance == 0 }

// Lost says whether an arc that can be reached from the sources does not lengthen a path, because its weight vanishes
// beside the length or the sum passes float64. Lengths that are exact lose nothing.
func (o *Oracle) Lost(sources []int) bool {
	if o.Exact() {
		return false
	}
	for _, s := range sources {
		d := o.From(s).Distance
		for _, a := range o.arcs {
			if sum := d[a.from] + a.weight; d[a.from] >= 0 && a.from != a.to && (sum <= d[a.from] || math.IsInf(sum, 0)) {
				return true
			}
		}
	}
	return false
}

// decimal splits the plain decimal text of w into its digits and the place of the last.
func decimal(w float64) (digits string, place int) {
	text := strconv.FormatFloat(w, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	return whole + fraction, -len(fraction)
}

// fits says whether n times the longest edge, in units of the greatest common divisor, stays under 2^126.
func (o *Oracle) fits() bool {
	divisor, most := new(big.Int), new(big.Int)
	for _, a := range o.arcs {
		divisor.GCD(nil, nil, divisor, a.length)
		if most.Cmp(a.length) < 0 {
			most = a.length
		}
	}
	if len(o.arcs) == 0 {
		return true
	}
	longest := new(big.Int).Quo(most, divisor)
	return longest.Mul(longest, big.NewInt(int64(o.g.N))).BitLen() <= 126
}

// Paths are the shortest paths from one source.
type Paths struct {
	// Reached has the nodes that are reached, nearest first; the source is the first.
	Reached []int
	// Sigma has the number of shortest paths to each node, nil for those not reached.
	Sigma []*big.Int
	// Distance has the length of the shortest path to each node, -1 for those not reached.
	Distance []float64
	into     [][]arc // shortest-path arcs by target
}

// From finds the shortest paths from s.
func (o *Oracle) From(s int) *Paths {
	if p, ok := o.whole[s]; ok {
		return p
	}
	p := &Paths{Sigma: make([]*big.Int, o.g.N), Distance: make([]float64, o.g.N), into: make([][]arc, o.g.N)}
	exact, rounded := o.relax(s)
	for v := range o.g.N {
		p.Distance[v] = -1
		if exact[v] == nil {
			continue
		}
		p.Reached = append(p.Reached, v)
		p.Distance[v] = rounded[v]
		if o.Exact() {
			p.Distance[v] = o.float(exact[v])
		}
	}
	nearer := func(u, v int) bool {
		if o.Exact() {
			return exact[u].Cmp(exact[v]) < 0
		}
		return rounded[u] < rounded[v]
	}
	sort.SliceStable(p.Reached, func(i, j int) bool { return nearer(p.Reached[i], p.Reached[j]) })
	sum := new(big.Int)
	for _, a := range o.arcs {
		if exact[a.from] == nil {
			continue
		}
		ends := nearer(a.from, a.to) && rounded[a.from]+a.weight <= rounded[a.to]*(1+o.tolerance)
		if o.Exact() {
			ends = sum.Add(exact[a.from], a.length).Cmp(exact[a.to]) == 0
		}
		if ends {
			p.into[a.to] = append(p.into[a.to], a)
		}
	}
	p.count()
	o.whole[s] = p
	return p
}

// count counts paths by the last arc they take.
func (p *Paths) count() {
	for i, v := range p.Reached {
		p.Sigma[v] = new(big.Int)
		if i == 0 {
			p.Sigma[v].SetInt64(1)
		}
		for _, a := range p.into[v] {
			p.Sigma[v].Add(p.Sigma[v], p.Sigma[a.from])
		}
	}
}

// relax lengthens paths arc by arc until none gets shorter (Bellman, Ford). Lengths are exact; beside them stand
// lengths rounded at each step, the only ones that mean anything within a tolerance.
func (o *Oracle) relax(s int) (exact []*big.Int, rounded []float64) {
	exact, rounded = make([]*big.Int, o.g.N), make([]float64, o.g.N)
	exact[s] = new(big.Int)
	sum := new(big.Int)
	for changed := true; changed; {
		changed = false
		for _, a := range o.arcs {
			if exact[a.from] == nil {
				continue
			}
			sum.Add(exact[a.from], a.length)
			if exact[a.to] == nil {
				exact[a.to], rounded[a.to], changed = new(big.Int).Set(sum), math.Inf(1), true
			}
			if sum.Cmp(exact[a.to]) < 0 {
				exact[a.to].Set(sum)
				changed = true
			}
			if d := rounded[a.from] + a.weight; d < rounded[a.to] {
				rounded[a.to] = d
				changed = true
			}
		}
	}
	return exact, rounded
}

// float returns a length in the unit of the weights.
func (o *Oracle) float(length *big.Int) float64 {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-o.place)), nil)
	x, _ := new(big.Rat).SetFrac(length, unit).Float64()
	return x
}
