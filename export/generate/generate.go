// Package generate makes graphs of the families that the literature measures on: undirected, simple (no self-loops, no
// parallel edges), and the same for one Spec whatever the number of threads.
package generate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// Kind names a family of graphs.
type Kind string

// The families.
const (
	RMAT           Kind = "rmat"       // Chakrabarti, Zhan and Faloutsos, 2004; with Graph500's quadrants by default
	BarabasiAlbert Kind = "ba"         // preferential attachment
	WattsStrogatz  Kind = "smallworld" // a ring whose edges are rewired
	ErdosRenyi     Kind = "er"         // G(n, m): every graph of n nodes and m edges as likely
	Geometric      Kind = "rgg"        // points of the unit square joined when close
	Delaunay       Kind = "delaunay"   // the triangulation of points of the unit square
	Grid           Kind = "grid"       // Width x Height, joined to the right and below
	Road           Kind = "road"       // a thinned grid whose edges are chains: long paths and dead ends
)

// Kinds lists the families.
func Kinds() []Kind {
	return []Kind{RMAT, BarabasiAlbert, WattsStrogatz, ErdosRenyi, Geometric, Delaunay, Grid, Road}
}

// Spec says which graph to make. A parameter that is 0 takes its default.
type Spec struct {
	Kind Kind
	// Nodes is the number of nodes, or Scale its logarithm to base 2. R-MAT needs a power of two. Grid and Road take
	// Width and Height instead.
	Nodes         int
	Scale         int
	Width, Height int
	// Degree: edges drawn a node (R-MAT, 48), edges a new node brings (Barabasi-Albert, 4), neighbours on the ring
	// (Watts-Strogatz, 10). Double draws fall away, so R-MAT and Barabasi-Albert graphs have somewhat fewer edges.
	Degree int
	// Edges is the number of edges of an Erdos-Renyi graph; 8 a node.
	Edges int
	// Probability: of rewiring an edge (Watts-Strogatz, 0.1), of keeping an edge (Road, 0.62).
	Probability float64
	// A, B, C are the probabilities of R-MAT's quadrants (0.57, 0.19, 0.19); the fourth is what is left.
	A, B, C float64
	// Radius within which points are joined (Geometric; 0.55 sqrt(ln n / n)).
	Radius float64
	// Copies is the number of graphs of these parameters, of seeds that follow one another, side by side in one; 0 for 1.
	Copies int
	// Weights of the edges: NoWeights, IntegerWeights or RealWeights.
	Weights Weights
	// Seed chooses the graph; WeightSeed the weights (42).
	Seed, WeightSeed uint64
	// Threads is the number of threads, 0 for all.
	Threads int
}

// Graph makes the graph. Nodes have the ids 0 to n-1; relationships are the edges u-v, u < v, sorted by u and v.
func Graph(ctx context.Context, s Spec) (*export.Snapshot, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	if s.Copies == 1 {
		nodes, source, target, err := draw(ctx, s)
		if err != nil {
			return nil, err
		}
		return snapshot(s, nodes, source, target)
	}
	var source, target []int32
	all, one := 0, s
	for range s.Copies {
		nodes, u, v, err := draw(ctx, one)
		if err != nil {
			return nil, err
		}
		if all > export.MaxNodes-nodes {
			return nil, fmt.Errorf("generate: %d copies have %d nodes or more", s.Copies, export.MaxNodes)
		}
		for e := range u {
			source, target = append(source, int32(all)+u[e]), append(target, int32(all)+v[e])
		}
		all += nodes
		one.Seed++
	}
	return snapshot(s, all, source, target)
}

// draw makes one graph: the number of its nodes, which can be more than asked for (Road), and its edges, sorted.
func draw(ctx context.Context, s Spec) (nodes int, source, target []int32, err error) {
	d := &drawing{ctx: ctx, Spec: s}
	if err := d.draw(); err != nil {
		return 0, nil, nil, err
	}
	source, target, err = d.edges()
	return d.Nodes, source, target, err
}

// draw draws the edges.
func (d *drawing) draw() error {
	return map[Kind]func() error{
		RMAT: d.rmat, BarabasiAlbert: d.barabasiAlbert, WattsStrogatz: d.wattsStrogatz, ErdosRenyi: d.erdosRenyi,
		Geometric: d.geometric, Delaunay: d.delaunay, Grid: d.grid, Road: d.road,
	}[d.Kind]()
}

// snapshot makes a graph of so many nodes and of sorted edges.
func snapshot(s Spec, nodes int, source, target []int32) (*export.Snapshot, error) {
	weights := edgeWeights(s.Weights, s.WeightSeed, 0, len(source))
	g, err := export.NewUndirected(nodes, source, target, weights)
	if err != nil {
		return nil, err
	}
	ids, same := make([]int64, nodes), make([]int32, len(source))
	for v := range ids {
		ids[v] = int64(v)
	}
	for e := range same {
		same[e] = int32(e)
	}
	offsets := make([]int64, nodes+1)
	for _, u := range source {
		offsets[u+1]++
	}
	for v := range nodes {
		offsets[v+1] += offsets[v]
	}
	return &export.Snapshot{
		Graph: g, Nodes: export.IDs{Ints: ids},
		Rels: export.Relationships{Offsets: offsets, Targets: target, Edges: same, Positions: same},
	}, nil
}

// complete fills in the defaults and checks the result.
func (s Spec) complete() (Spec, error) {
	if !slices.Contains(Kinds(), s.Kind) {
		return s, fmt.Errorf("generate: no family %q; there are %v", s.Kind, Kinds())
	}
	lattice := s.Kind == Grid || s.Kind == Road
	if lattice {
		if s.Width < 1 || s.Height < 1 || s.Width > export.MaxNodes/s.Height {
			return s, fmt.Errorf("generate: a %s of %d x %d; width and height are 1 or more, and their product below 2^31",
				s.Kind, s.Width, s.Height)
		}
		s.Nodes = s.Width * s.Height
	} else if s.Nodes == 0 && s.Scale > 0 && s.Scale < 31 {
		s.Nodes = 1 << s.Scale
	}
	if s.Nodes < 1 || s.Nodes > export.MaxNodes {
		return s, fmt.Errorf("generate: %d nodes (scale %d); there are 1 to %d, or a scale from 1 to 30", s.Nodes, s.Scale,
			export.MaxNodes)
	}
	s.Degree = or(s.Degree, map[Kind]int{RMAT: 48, BarabasiAlbert: 4, WattsStrogatz: 10}[s.Kind])
	s.Probability = or(s.Probability, map[Kind]float64{WattsStrogatz: 0.1, Road: 0.62}[s.Kind])
	if s.Kind == ErdosRenyi {
		s.Edges = or(s.Edges, 8*s.Nodes)
	}
	if s.A == 0 && s.B == 0 && s.C == 0 {
		s.A, s.B, s.C = 0.57, 0.19, 0.19
	}
	n := float64(s.Nodes)
	s.Radius = or(s.Radius, 0.55*math.Sqrt(math.Log(max(n, 2))/n))
	s.WeightSeed = or(s.WeightSeed, 42)
	s.Copies = or(s.Copies, 1)
	s.Threads = or(s.Threads, runtime.GOMAXPROCS(0))
	return s, s.check()
}

func or[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

func (s Spec) check() error {
	pairs := float64(s.Nodes) * float64(s.Nodes-1) / 2
	switch {
	case s.Copies < 1:
		return fmt.Errorf("generate: %d copies; there is at least one", s.Copies)
	case s.Kind == RMAT && s.Nodes&(s.Nodes-1) != 0:
		return fmt.Errorf("generate: %d nodes; an R-MAT graph has a power of two", s.Nodes)
	case s.A < 0 || s.B < 0 || s.C < 0 || s.A+s.B+s.C > 1:
		return fmt.Errorf("generate: quadrants %v, %v, %v are no probabilities", s.A, s.B, s.C)
	case s.Probability < 0 || s.Probability > 1 || s.Probability != s.Probability:
		return fmt.Errorf("generate: the probability %v is not between 0 and 1", s.Probability)
	case s.Degree < 0 || float64(s.Nodes)*float64(s.Degree) > export.MaxEdges:
		return fmt.Errorf("generate: degree %d on %d nodes gives more than %d edges", s.Degree, s.Nodes, export.MaxEdges)
	case s.Kind == BarabasiAlbert && s.Degree >= s.Nodes:
		return fmt.Errorf("generate: %d edges a new node need more than %d nodes", s.Degree, s.Nodes)
	case s.Kind == WattsStrogatz && s.Degree%2 != 0:
		return fmt.Errorf("generate: %d neighbours on a ring; the number is even", s.Degree)
	case s.Kind == ErdosRenyi && (s.Edges < 0 || float64(s.Edges) > pairs || s.Edges > export.MaxEdges):
		return fmt.Errorf("generate: %d edges do not fit %d nodes", s.Edges, s.Nodes)
	case s.Kind == Geometric &&
		!(s.Radius > 0 && float64(s.Nodes)*float64(s.Nodes)*s.Radius*s.Radius*math.Pi/2 < export.MaxEdges):
		return fmt.Errorf("generate: radius %v on %d points is not positive, or gives more than %d edges", s.Radius, s.Nodes,
			export.MaxEdges)
	case !slices.Contains([]Weights{NoWeights, IntegerWeights, RealWeights}, s.Weights):
		return fmt.Errorf("generate: no weights %q; there are %q and %q", s.Weights, IntegerWeights, RealWeights)
	}
	return nil
}
