package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/internal/nearest"
)

type generateOptions struct {
	spec    generate.Spec
	weights string
	out     string
}

func (o *generateOptions) addFlags(f *pflag.FlagSet) {
	s := &o.spec
	f.StringVar(&o.out, "out", "", "`FILE` for the graph: .arrow (a snapshot), .csv or .csv.gz (src,dst[,weight])")
	f.IntVar(&s.Nodes, "nodes", 0, "`N` nodes")
	f.IntVar(&s.Scale, "scale", 0, "2^`S` nodes, instead of --nodes")
	f.IntVar(&s.Width, "width", 0, "`N` columns of grid and road")
	f.IntVar(&s.Height, "height", 0, "`N` rows of grid and road")
	f.IntVar(&s.Degree, "degree", 0, "`N` edges drawn a node (rmat: 48), brought by a new node (ba: 4), neighbours on the ring (smallworld: 10)")
	f.IntVar(&s.Edges, "edges", 0, "`N` edges (er: 8 a node)")
	f.Float64Var(&s.Probability, "probability", 0, "probability `P` of rewiring an edge (smallworld: 0.1), of keeping one (road: 0.62)")
	f.Float64Var(&s.Radius, "radius", 0, "distance `R` within which points are joined (rgg: 0.55 sqrt(ln n / n))")
	f.IntVar(&s.Copies, "copies", 1, "`N` graphs side by side in one, of seeds that follow one another")
	f.StringVar(&o.weights, "weights", "", "weights of the edges, `int|real`: 1 to 10, or over 0 to 1; none unless given")
	f.Uint64Var(&s.Seed, "seed", 1, "seed `N` of the graph: the same one makes the same graph")
	f.Uint64Var(&s.WeightSeed, "weight-seed", 42, "seed `N` of the weights")
	f.IntVar(&s.Threads, "threads", 0, "`N` threads, 0 for all; the graph does not depend on it")
}

func newGenerateCommand(a *app) *cobra.Command {
	var o generateOptions
	c := &cobra.Command{
		Use:     "generate FAMILY --out FILE",
		GroupID: groupResearch,
		Short:   "Make a graph of one of the families that the literature measures on",
		Long: `Makes an undirected graph without self-loops and parallel edges.

Families:
  rmat        R-MAT (Chakrabarti, Zhan, Faloutsos) with Graph500's quadrants; --scale
  ba          Barabasi-Albert: preferential attachment; --nodes
  smallworld  Watts-Strogatz: a ring whose edges are rewired; --nodes
  er          Erdos-Renyi: every graph of that many nodes and edges is as likely; --nodes
  rgg         random geometric: points of the unit square, joined when close; --nodes
  delaunay    the triangulation of random points of the unit square; --nodes
  grid        --width and --height
  road        a thinned grid whose edges are chains; --width and --height

A .csv file cannot hold nodes without edges; a snapshot (.arrow) can.` +
			exitSection(statusDone, statusFailed, statusUsage, statusTooLarge, statusInterrupted),
		Example: "  linchpin generate rmat --scale 16 --out rmat16.arrow",
		Args:    oneArg("FAMILY"),
		RunE: func(c *cobra.Command, args []string) error {
			o.spec.Kind = generate.Kind(args[0])
			return runGenerate(c.Context(), a, &o)
		},
		ValidArgs: familyNames(),
	}
	o.addFlags(c.Flags())
	return c
}

func familyNames() []string {
	var out []string
	for _, k := range generate.Kinds() {
		out = append(out, string(k))
	}
	return out
}

func runGenerate(ctx context.Context, a *app, o *generateOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	start := time.Now()
	s, err := generate.Graph(ctx, o.spec)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil: // all that can be wrong is the family's parameters
		return asUsage(err)
	}
	made := time.Since(start)
	if err := file.WriteGraph(ctx, o.out, s, nil); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			Family  generate.Kind `json:"family"`
			N       int           `json:"n"`
			M       int           `json:"m"`
			Seconds float64       `json:"seconds"`
			Out     string        `json:"out"`
		}{o.spec.Kind, s.Graph.N(), s.Graph.M(), made.Seconds(), o.out})
	}
	if !a.quiet {
		fmt.Fprintf(a.stdout, "wrote %s: %s, %s\n", o.out, counted(s.Graph.N(), "node"), counted(s.Graph.M(), "edge"))
	}
	return nil
}

func (o *generateOptions) check() error {
	o.spec.Weights = generate.Weights(o.weights)
	switch {
	case !slices.Contains(generate.Kinds(), o.spec.Kind):
		return withHint(usagef("unknown family %q", o.spec.Kind), nearest.DidYouMean(string(o.spec.Kind), familyNames()))
	case o.out == "":
		return usagef("--out is missing")
	case !takesGraph(o.out):
		return withHint(usagef("--out %s: the extension names no format of graphs", o.out), "use .arrow, .csv or .csv.gz")
	case o.spec.Copies < 1:
		return usagef("--copies %d: there is at least one", o.spec.Copies)
	case o.spec.Threads < 0:
		return usagef("--threads %d: 0 stands for all", o.spec.Threads)
	case o.spec.Nodes != 0 && o.spec.Scale != 0:
		return usagef("--nodes and --scale exclude one another")
	}
	free, err := hostmem.Available()
	if err != nil {
		return asUsage(err)
	}
	if need := o.bytes(); need > free {
		return tooLarge(fmt.Sprintf("a graph of this size (%s)", o.spec.Kind), need, free)
	}
	return checkOutput("out", o.out)
}

// takesGraph says whether the extension names a format that compute reads and file.WriteGraph writes.
func takesGraph(path string) bool {
	name := strings.ToLower(path)
	return slices.ContainsFunc([]string{".arrow", ".csv", ".csv.gz"}, func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// bytes is about what the graph takes while it is made: 48 bytes an edge that is drawn (measured on a million: rmat 38,
// er 46, grid 44) and 48 a node. Delaunay and road count more edges than they have: they took 370 bytes a point, and 300
// a place of the thinned grid. It only has to tell a graph that fits from one that never will.
func (o *generateOptions) bytes() int64 {
	s := o.spec
	n := float64(s.Nodes)
	switch {
	case s.Width > 0 && s.Height > 0:
		n = float64(s.Width) * float64(s.Height)
	case s.Scale > 0:
		n = math.Pow(2, float64(s.Scale))
	}
	degree := func(fallback float64) float64 {
		if s.Degree > 0 {
			return float64(s.Degree)
		}
		return fallback
	}
	edges := map[generate.Kind]float64{
		generate.RMAT: degree(48) * n, generate.BarabasiAlbert: degree(4) * n, generate.WattsStrogatz: degree(10) / 2 * n,
		generate.ErdosRenyi: 8 * n, generate.Geometric: 0.475 * n * math.Log(max(n, 2)), generate.Delaunay: 6 * n,
		generate.Grid: 2 * n, generate.Road: 5 * n,
	}[s.Kind]
	if s.Kind == generate.ErdosRenyi && s.Edges > 0 {
		edges = float64(s.Edges)
	}
	if s.Kind == generate.Geometric && s.Radius > 0 {
		edges = n * n * s.Radius * s.Radius * math.Pi / 2
	}
	return int64(min((48*edges+48*n)*float64(max(s.Copies, 1)), math.MaxInt64/2))
}
