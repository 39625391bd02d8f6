package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// WeighedGraphs is how many graphs there are of Weighed.
const WeighedGraphs = 500

// weigh draws the weight of an edge, the k-th of its graph, from a node of the given part.
type weigh func(random *rand.Rand, k, part int) float64

// weighings are the kinds of weights, in the order in which Weighed takes them.
var weighings = []struct {
	name string
	draw weigh
	// apart says that no edge joins the three parts of the graph; most is the greatest number of edges, 0 for any.
	apart bool
	most  int
}{
	{name: "reals", draw: func(random *rand.Rand, _, _ int) float64 { return 1 - random.Float64() }},
	{name: "tied", draw: func(random *rand.Rand, _, _ int) float64 { return float64(1 + random.IntN(3)) }},
	{name: "decimals", draw: func(random *rand.Rand, _, _ int) float64 { return float64(1+random.IntN(12)) / 10 }},
	{name: "sums past 2^53", draw: func(random *rand.Rand, _, _ int) float64 {
		return float64(1+random.IntN(4))*(1<<50) + float64(random.IntN(2))
	}},
	{name: "distinct powers of two", most: 50, draw: func(_ *rand.Rand, k,
		_ int) float64 {
		return math.Ldexp(1, 29*k%50)
	}},
	{name: "24 decades", draw: func(random *rand.Rand, _,
		_ int) float64 {
		return powerOfTen(1+random.IntN(9), random.IntN(25)-12)
	}},
	{name: "24 decades, all digits", draw: func(random *rand.Rand, _, _ int) float64 {
		return (1 - random.Float64()) * math.Pow10(random.IntN(25)-12)
	}},
	{name: "24 decades apart", apart: true, draw: func(random *rand.Rand, _, part int) float64 {
		if random.IntN(2) == 0 {
			return (1 - random.Float64()) * math.Pow10(12*part-12)
		}
		return float64(1+random.IntN(12)) / 10 * math.Pow10(12*part-12) // rounded: ties are within the tolerance
	}},
	{name: "one enormous", draw: func(random *rand.Rand, k, _ int) float64 {
		if k == 3 {
			return powerOfTen(1, []int{9, 15, 18, 30, 300}[random.IntN(5)])
		}
		return float64(1 + random.IntN(10))
	}},
	{name: "denormal", draw: func(random *rand.Rand, _, _ int) float64 {
		return float64(1+random.IntN(9)) * math.SmallestNonzeroFloat64
	}},
}

// Weighed draws graph number i, below WeighedGraphs, of those that weights are tested on, always the same, and names
// the kind of its weights. It has 2 to 40 nodes, every 25th up to 100, and up to four edges a node; half are directed,
// a third have loops and parallel edges.
func Weighed(i int) (kind string, g Graph) {
	random, of := rand.New(rand.NewPCG(uint64(i), 500)), weighings[i%len(weighings)]
	g.N, g.Directed = 2+random.IntN(39), random.IntN(2) == 0
	if i%25 == 7 {
		g.N = 41 + random.IntN(60)
	}
	loops, seen, edges := random.IntN(3) == 0, map[[2]int]bool{}, random.IntN(4*g.N+1)
	if of.most > 0 {
		edges = min(edges, of.most)
	}
	for range edges {
		e := Edge{From: random.IntN(g.N), To: random.IntN(g.N)}
		pair := [2]int{min(e.From, e.To), max(e.From, e.To)}
		if !loops && (e.From == e.To || seen[pair]) || of.apart && e.From%3 != e.To%3 {
			continue
		}
		seen[pair] = true
		e.Weight = of.draw(random, len(g.Edges), e.From%3)
		g.Edges = append(g.Edges, e)
	}
	return of.name, g
}

// powerOfTen returns the float64 that reads as digit times a power of ten.
func powerOfTen(digit, exponent int) float64 {
	x, _ := strconv.ParseFloat(fmt.Sprintf("%de%d", digit, exponent), 64)
	return x
}
