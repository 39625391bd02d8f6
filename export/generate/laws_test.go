package generate

import (
	"fmt"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// eachSize makes a graph of a family at three sizes.
func eachSize(t *testing.T, spec func(n int) Spec, law func(t *testing.T, n float64, g *export.Graph)) {
	for _, n := range []int{1 << 11, 1 << 13, 1 << 15} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { law(t, float64(n), make1(t, spec(n)).Graph) })
	}
}

// near checks that a number is within a share of what a law says.
func near(t *testing.T, what string, got, law, within float64) {
	t.Helper()
	between(t, what, got, law*(1-within), law*(1+within))
}

// meanDistance is the mean number of hops from some nodes to all that they reach.
func meanDistance(g *export.Graph) float64 {
	const looks = 48
	sum, pairs := 0.0, 0.0
	for i := range looks {
		source := int32(i * (g.N() / looks))
		at := make([]int32, g.N())
		at[source] = 1
		queue := []int32{source}
		for k := 0; k < len(queue); k++ {
			for _, w := range g.Row(queue[k]) {
				if at[w] == 0 {
					at[w] = at[queue[k]] + 1
					queue = append(queue, w)
				}
			}
		}
		for _, v := range queue {
			sum += float64(at[v] - 1)
		}
		pairs += float64(len(queue) - 1)
	}
	return sum / max(pairs, 1)
}

// clustering is the share of the pairs of neighbours that are neighbours: in the mean over the nodes of degree 2 and
// more, and over all pairs.
func clustering(g *export.Graph) (mean, all float64) {
	mark := make([]int32, g.N())
	sum, nodes, closed, pairs := 0.0, 0.0, 0.0, 0.0
	for v := range int32(g.N()) {
		d := float64(g.Degree(v))
		if d < 2 {
			continue
		}
		for _, w := range g.Row(v) {
			mark[w] = v + 1
		}
		found := 0.0
		for _, w := range g.Row(v) {
			for _, x := range g.Row(w) {
				if mark[x] == v+1 {
					found++
				}
			}
		}
		sum += found / (d * (d - 1))
		nodes++
		closed += found
		pairs += d * (d - 1)
	}
	return sum / nodes, closed / pairs
}

// atLeast is the share of the nodes with a degree of at least k.
func atLeast(g *export.Graph, k int64) float64 {
	count := 0.0
	for v := range int32(g.N()) {
		if g.Degree(v) >= k {
			count++
		}
	}
	return count / float64(g.N())
}

// exponent is that of a power law of the degrees from least on, the most likely one (Clauset, Shalizi and Newman,
// 2009).
func exponent(g *export.Graph, least int64) float64 {
	sum, count := 0.0, 0.0
	for v := range int32(g.N()) {
		if d := g.Degree(v); d >= least {
			sum += math.Log(float64(d) / (float64(least) - 0.5))
			count++
		}
	}
	return 1 + count/sum
}

// TestLawsOfErdosRenyi: degrees are Poisson, neighbours know each other as often as any two nodes, and paths have
// (ln n - 0.5772) / ln k + 1/2 hops (Fronczak, Fronczak and Holyst, 2004).
func TestLawsOfErdosRenyi(t *testing.T) {
	eachSize(t, func(n int) Spec { return Spec{Kind: ErdosRenyi, Nodes: n, Edges: 10 * n} },
		func(t *testing.T, n float64, g *export.Graph) {
			const k = 20
			_, c := clustering(g)
			near(t, "clustering", c, k/n, 0.1)
			near(t, "mean distance", meanDistance(g), (math.Log(n)-0.5772)/math.Log(k)+0.5, 0.03)
			poisson, tail := math.Exp(-k), 1.0
			for i := 1; i <= 25; i++ {
				tail -= poisson
				poisson *= k / float64(i)
			}
			near(t, "nodes of degree 25 and more", atLeast(g, 25), tail, 0.12)
		})
}

// TestLawsOfBarabasiAlbert: m (m+1) / (k (k+1)) of the nodes have a degree of at least k, so that degrees follow a
// power law with exponent 3; the clustering is that of Fronczak, Fronczak and Holyst (2003), and paths grow like ln n /
// ln ln n.
func TestLawsOfBarabasiAlbert(t *testing.T) {
	eachSize(t, func(n int) Spec { return Spec{Kind: BarabasiAlbert, Nodes: n, Degree: 4} },
		func(t *testing.T, n float64, g *export.Graph) {
			const m = 4.0
			for _, k := range []int64{8, 16} {
				near(t, fmt.Sprintf("nodes of degree %d and more", k), atLeast(g, k), m*(m+1)/float64(k*(k+1)), 0.12)
			}
			near(t, "exponent of degrees", exponent(g, 10), 3, 0.1)
			c, _ := clustering(g)
			law := m * m * (m + 1) * (m + 1) / (4 * (m - 1)) * (math.Log((m+1)/m) - 1/(m+1))
			near(t, "clustering", c, law*math.Log(n)*math.Log(n)/n, 0.12)
			near(t, "mean distance", meanDistance(g), math.Log(n)/math.Log(math.Log(n)), 0.15)
		})
}

// TestLawsOfWattsStrogatz: the clustering is that of the ring, 3 (k-2) / (4 (k-1)), times (1-p)^3 (Barrat and Weigt,
// 2000). Paths of the ring itself have n / 2k hops, and with shortcuts grow like ln n.
func TestLawsOfWattsStrogatz(t *testing.T) {
	const k, p = 10.0, 0.1
	ring := 3 * (k - 2) / (4 * (k - 1))
	distance := map[float64]float64{}
	eachSize(t, func(n int) Spec { return Spec{Kind: WattsStrogatz, Nodes: n} },
		func(t *testing.T, n float64, g *export.Graph) {
			_, c := clustering(g)
			near(t, "clustering", c, ring*math.Pow(1-p, 3), 0.05)
			distance[n] = meanDistance(g)
		})
	first, second := distance[1<<13]-distance[1<<11], distance[1<<15]-distance[1<<13]
	near(t, "growth of the mean distance", second, first, 0.1)
	g := make1(t, Spec{Kind: WattsStrogatz, Nodes: 1 << 11, Probability: 1e-12}).Graph
	_, c := clustering(g)
	near(t, "clustering of the ring", c, ring, 1e-12)
	near(t, "mean distance of the ring", meanDistance(g), (1<<11)/(2*k), 0.01)
}

// TestLawsOfRandomGeometricGraphs: the clustering is 1 - 3 sqrt(3) / 4 pi (Dall and Christensen, 2002), and paths have
// as many hops as the distance of two points of the square, 0.5214, has radii, and somewhat more.
func TestLawsOfRandomGeometricGraphs(t *testing.T) {
	eachSize(t, func(n int) Spec {
		return Spec{Kind: Geometric, Nodes: n, Radius: math.Sqrt(20 / (math.Pi * float64(n)))}
	},
		func(t *testing.T, n float64, g *export.Graph) {
			_, c := clustering(g)
			near(t, "clustering", c, 1-3*math.Sqrt(3)/(4*math.Pi), 0.04)
			between(t, "mean distance in radii", meanDistance(g)*math.Sqrt(20/(math.Pi*n))/0.5214, 1.05, 1.35)
		})
}

// TestLawsOfLattices: paths of a grid have a third of its width and height, less what its borders take; a grid has no
// triangle. In a triangulation of random points 0.295 of the nodes have degree 6 and 0.0113 degree 3, as the cells of a
// Poisson-Voronoi tessellation have sides; paths grow like the root of n.
func TestLawsOfLattices(t *testing.T) {
	eachSize(t, func(n int) Spec { return Spec{Kind: Grid, Width: n / 32, Height: 32} },
		func(t *testing.T, n float64, g *export.Graph) {
			side := func(w float64) float64 { return (w*w - 1) / (3 * w) }
			near(t, "mean distance", meanDistance(g), (side(n/32)+side(32))*n/(n-1), 0.05)
			if c, _ := clustering(g); c != 0 {
				t.Errorf("the clustering is %v", c)
			}
		})
	distance := map[float64]float64{}
	eachSize(t, func(n int) Spec { return Spec{Kind: Delaunay, Nodes: n} },
		func(t *testing.T, n float64, g *export.Graph) {
			_, of := degrees(g)
			near(t, "nodes of degree 6", float64(of[6])/n, 0.2947, 0.08)
			near(t, "nodes of degree 3", float64(of[3])/n, 0.0113, 0.5)
			distance[n] = meanDistance(g)
		})
	first, second := distance[1<<13]-distance[1<<11], distance[1<<15]-distance[1<<13]
	near(t, "growth of the mean distance", second/first, 2, 0.15)
}

// TestLawsOfRMAT: a node whose number has j ones among s bits is drawn with probability 0.76^(s-j) 0.24^j at each end
// of an edge. So it is known how many nodes are never drawn, and how many different neighbours the node of no ones has,
// each of which is drawn with 0.75^(s-j) 0.25^j. Paths are short.
func TestLawsOfRMAT(t *testing.T) {
	eachSize(t, func(n int) Spec { return Spec{Kind: RMAT, Nodes: n, Degree: 16} },
		func(t *testing.T, n float64, g *export.Graph) {
			s, never, hub, binomial := math.Log2(n), 0.0, 0.0, 1.0
			for j := 0.0; j <= s; j++ {
				drawn := 2 * 16 * n * math.Pow(0.76, s-j) * math.Pow(0.24, j)
				never += binomial / n * math.Exp(-drawn)
				hub += binomial * (1 - math.Exp(-2*16*n*math.Pow(0.76, s)*math.Pow(0.75, s-j)*math.Pow(0.25, j)))
				binomial *= (s - j) / (j + 1)
			}
			near(t, "isolated nodes", 1-atLeast(g, 1), never, 0.06)
			most, _ := degrees(g)
			near(t, "largest degree", float64(most), hub, 0.05)
			between(t, "mean distance", meanDistance(g), 2, 3.5)
		})
}

// TestLawsOfRoads: an edge of the grid that is kept has 0 to 6 nodes on it, so that a node of the grid brings 0.62 *
// 2 * 3 others; paths grow like the root of n.
func TestLawsOfRoads(t *testing.T) {
	distance := map[float64]float64{}
	for _, side := range []int{16, 32, 64} {
		g := make1(t, Spec{Kind: Road, Width: side, Height: side, Probability: 0.9}).Graph
		n := float64(side)
		near(t, "nodes", float64(g.N()), n*n+0.9*2*n*(n-1)*3, 0.05)
		distance[n] = meanDistance(g)
	}
	near(t, "growth of the mean distance", (distance[64]-distance[32])/(distance[32]-distance[16]), 2, 0.25)
}
