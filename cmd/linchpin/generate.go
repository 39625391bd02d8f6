package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/internal/nearest"
)

type generateOptions struct {
	spec    generate.Spec
	weights string
	out     string
	into    intoOptions
	// streamed is whether the graph goes to its file while it is made, because it takes much of the memory.
	streamed bool
}

func (o *generateOptions) addFlags(f *pflag.FlagSet) {
	s := &o.spec
	f.StringVar(&o.out, "out", "", "`FILE` for the graph: .arrow (a snapshot), .csv or .csv.gz (src,dst[,weight])")
	o.into.addFlags(f)
	f.IntVar(&s.Nodes, "nodes", 0, "`N` nodes")
	f.IntVar(&s.Scale, "scale", 0, "2^`S` nodes, instead of --nodes")
	f.IntVar(&s.Width, "width", 0, "`N` columns of grid and road")
	f.IntVar(&s.Height, "height", 0, "`N` rows of grid and road")
	f.IntVar(&s.Degree, "degree", 0,
		"`N` edges drawn a node (rmat: 48), brought by a new node (ba: 4), neighbours on the ring (smallworld: 10)")
	f.IntVar(&s.Edges, "edges", 0, "`N` edges (er: 8 a node)")
	f.Float64Var(&s.Probability, "probability", 0,
		"probability `P` of rewiring an edge (smallworld: 0.1), of keeping one (road: 0.62)")
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
		Use:     "generate FAMILY (--out FILE | --into URI)",
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

A .csv file cannot hold nodes without edges; a snapshot (.arrow) can. A graph that would take half of the memory or more goes into
a .csv file while it is made, except road and delaunay: what was drawn waits in files next to it, 8 bytes per edge, and
memory is for the nodes (of ba for the edges, 8 bytes each).

--into writes the graph to a Neo4j server while it is made: nodes with a label that no node has yet and the property id
from 0 on, which gets a constraint, and a relationship for each edge.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusTooLarge, statusInterrupted),
		Example: "  linchpin generate rmat --scale 16 --out rmat16.arrow\n" +
			"  linchpin generate ba --nodes 10000 --into neo4j://localhost:7687 --label Person --type KNOWS",
		Args: oneArg("FAMILY"),
		RunE: func(c *cobra.Command, args []string) error {
			o.spec.Kind = generate.Kind(args[0])
			if err := o.into.check(o.out, givenFlags(c.Flags())); err != nil {
				return err
			}
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
	if o.into.server.from != "" {
		return o.intoDatabase(ctx, a)
	}
	start := time.Now()
	made, size, err := o.make(ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(generated{o.spec.Kind, size.Nodes, size.Edges, made.Seconds(), time.Since(start).Seconds(), o.out})
	}
	if !a.quiet {
		fmt.Fprintf(a.stdout, "wrote %s: %s, %s\n", o.out, counted(size.Nodes, "node"), counted(int(size.Edges), "edge"))
	}
	return nil
}

// generated is what generate --json prints. Seconds are those to make the graph, unless it was written meanwhile;
// Elapsed those of all.
type generated struct {
	Family  generate.Kind `json:"family"`
	N       int           `json:"n"`
	M       int64         `json:"m"`
	Seconds float64       `json:"seconds"`
	Elapsed float64       `json:"elapsed"`
	Out     string        `json:"out"`
}

// make makes the graph and writes it.
func (o *generateOptions) make(ctx context.Context) (made time.Duration, size generate.Size, err error) {
	start := time.Now()
	if o.streamed {
		size, err = o.stream(ctx)
		return time.Since(start), size, generateError(err)
	}
	s, err := generate.Graph(ctx, o.spec)
	if err != nil {
		return 0, size, generateError(err)
	}
	made = time.Since(start)
	return made, generate.Size{Nodes: s.Graph.N(), Edges: int64(s.Graph.M())}, file.WriteGraph(ctx, o.out, s, nil)
}

// generateError is what a graph that could not be made means: unless it was cancelled, or files could not be written,
// the family's parameters are wrong.
func generateError(err error) error {
	var written *connector.Error
	var path *fs.PathError
	if err == nil || errors.Is(err, context.Canceled) || errors.As(err, &written) || errors.As(err, &path) {
		return err
	}
	return asUsage(err)
}

// stream writes a table of edges while they are made. What was drawn waits next to it.
func (o *generateOptions) stream(ctx context.Context) (generate.Size, error) {
	w, err := file.NewEdgeWriter(o.out, o.spec.Weights != generate.NoWeights)
	if err != nil {
		return generate.Size{}, err
	}
	defer w.Discard()
	size, err := generate.Edges(ctx, o.spec, filepath.Dir(o.out), func(b generate.Batch) error {
		return w.Write(b.Source, b.Target, b.Weights)
	})
	if err != nil {
		return size, err
	}
	return size, w.Commit()
}

func (o *generateOptions) check() error {
	o.spec.Weights = generate.Weights(o.weights)
	switch {
	case !slices.Contains(generate.Kinds(), o.spec.Kind):
		return withHint(usagef("unknown family %q", o.spec.Kind), nearest.DidYouMean(string(o.spec.Kind), familyNames()))
	case o.out == "" && o.into.server.from == "":
		return withHint(usagef("--out is missing"), "or --into URI, for a graph in a database")
	case o.out != "" && !takesGraph(o.out):
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
	need := o.bytes()
	if o.streamed = need > free/2 && o.mayStream(); o.streamed {
		need = o.streamBytes()
	}
	if need > free {
		return tooLarge(fmt.Sprintf("a graph of this size (%s)", o.spec.Kind), need, free)
	}
	if o.out == "" {
		return nil
	}
	return checkOutput("out", o.out)
}

// takesGraph says whether the extension names a format that compute reads and file.WriteGraph writes.
func takesGraph(path string) bool {
	name := strings.ToLower(path)
	return slices.ContainsFunc([]string{".arrow", ".csv", ".csv.gz"}, func(ext string) bool {
		return strings.HasSuffix(name, ext)
	})
}

// mayStream reports whether the graph can go to its file while it is made: into a table, which is written in the order
// of the edges.
func (o *generateOptions) mayStream() bool {
	s := o.spec
	nodes, _ := o.drawn()
	s.Nodes = int(nodes)
	return s.Streams() && !strings.HasSuffix(strings.ToLower(o.out), ".arrow")
}

// streamBytes estimates the memory for a graph that goes into its file while it is made. It adds up what
// generate.Edges says that nodes take, the buffers, and a few of the graph's 256 parts.
func (o *generateOptions) streamBytes() int64 {
	nodes, edges := o.drawn()
	bytes := 32<<20 + 16*edges/256*float64(2*runtime.GOMAXPROCS(0))
	switch o.spec.Kind {
	case generate.RMAT:
		bytes += 4 * nodes
	case generate.Geometric:
		bytes += 40 * nodes
	case generate.BarabasiAlbert:
		bytes += 8 * edges
	}
	return int64(min(bytes, math.MaxInt64/2))
}

// bytes is about what the graph takes while it is made: 48 bytes an edge that is drawn (measured on a million: rmat 38,
// er 46, grid 44) and 48 a node. Delaunay and road count more edges than they have: they took 370 bytes a point, and
// 300 a place of the thinned grid. It only has to tell a graph that fits from one that never will.
func (o *generateOptions) bytes() int64 {
	n, edges := o.drawn()
	return int64(min((48*edges+48*n)*float64(max(o.spec.Copies, 1)), math.MaxInt64/2))
}

// drawn is how many nodes a graph has, and about how many edges are drawn for it.
func (o *generateOptions) drawn() (nodes, edges float64) {
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
	edges = map[generate.Kind]float64{
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
	return n, edges
}
