// Package planning predicts what 1, 8, 64 and 1,000 devices give for graphs that nobody has measured yet: the tables of
// docs/howto/planning.md.
package planning

import (
	"fmt"
	"io"
	"math"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/engines"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/scale"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// graph is one that does not exist.
type graph struct {
	edges float64
	nodes float64
	m     plan.Measured
	// drawn is the number of sources; 0 for all nodes.
	drawn int64
}

// social returns a graph as R-MAT makes it with 48 edges per node, continued from kron16 to kron20
// (engine/plan/testdata): per doubling of the nodes, hubs are 1.365 times as large, and 2 % more of the nodes have no
// edge.
func social(edges float64) graph {
	double := 0.0
	for at := 0.0; at < 20; at += 1e-3 {
		if math.Exp2(20+at)*(42.3+at) >= edges {
			double = at
			break
		}
	}
	n := math.Exp2(20 + double)
	hub := 4898 * math.Pow(1.365, double)
	levels := 5 + int(double/4)
	return graph{edges: edges, nodes: n, m: plan.Measured{
		Degrees: &plan.Degrees{
			Isolated: int64((0.25 + 0.02*double) * n), Leaves: int64(0.1 * n), Branch: int64((0.6 - 0.02*double) * n),
			Greatest: int64(128_555 * math.Pow(1.63, double)), Squares: 2 * edges * hub,
		},
		Depth: &order.Depth{Levels: levels, Found: int(n)},
	}}
}

// planar returns a triangulation of points, as delaunay20 and delaunay22: its depth grows with the root of the nodes.
func planar(edges float64) graph {
	n := edges / 3
	return graph{edges: edges, nodes: n, m: plan.Measured{
		Degrees: &plan.Degrees{Branch: int64(n), Greatest: 26, Squares: 2 * edges * 6.3},
		Depth:   &order.Depth{Levels: int(377 * math.Sqrt(n/math.Exp2(20))), Deep: true, Found: int(n)},
	}}
}

// prediction is what devices give for a measure of a graph.
type prediction struct {
	graph   graph
	scaling *scale.Scaling
	// graphBytes is the graph on a device. Fits reports whether the way fits the memory of one.
	graphBytes int64
	fits       bool
}

// counts are the numbers of devices of the tables.
var counts = []int{1, 8, 64, 1000}

// predict predicts betweenness or another measure of nodes by hops, on devices of the table, in single precision, as
// batches on the graph as it is.
func predict(g graph, measure string) (prediction, error) {
	spec, ok := kernels.Lookup(measure)
	if !ok {
		return prediction{}, fmt.Errorf("unknown measure %q", measure)
	}
	request := kernels.Request{Nodes: true, Reduce: kernels.ReduceOff}
	f := plan.Imagined(plan.TraitsOf(spec, request), int64(g.nodes), int64(g.edges), g.m)
	f.Single = true
	if g.drawn > 0 {
		f.Sources, f.All = g.drawn, false
	}
	d := scale.H200()
	size := kernels.Size{Nodes: f.Nodes, Edges: f.Edges}
	j := device.Job{Request: request, All: f.All, Host: tiny(), Progress: func(int) {}}
	j.Want = device.Want{Measure: measure, Nodes: true, Sources: int(f.Sources), Size: size, Single: true}
	j.SetDepth(*g.m.Depth)
	need := func(c plan.Candidate) (host, onDevice int64) { return engines.Bytes(c, j, d.Info, plan.Reductions{}) }
	p := prediction{graph: g, graphBytes: device.GraphBytes(size,
		device.Parts{Edges: false, Transpose: true, Tails: false, Weights: false, Ticks: false})}
	asked := scale.Asked{Features: f, Device: d, Strategy: choice.Batched, Need: need}
	first, err := scale.Predict(asked, 1)
	if err != nil {
		return p, err
	}
	if p.fits = first.Way.Misfit == ""; p.fits {
		asked.Device.Rates.Shape.Blocks = engines.Blocks(first.Way, j, d.Info)
	}
	p.scaling, err = scale.For(asked, counts)
	return p, err
}

// tiny is a graph for engines that look at one: of no row too long for them.
func tiny() *export.Graph { return &export.Graph{Offsets: []int64{0, 0}} }

// Write writes the tables, in Markdown.
func Write(w io.Writer) error {
	for _, t := range tables() {
		if err := t.write(w); err != nil {
			return err
		}
	}
	return writeKnown(w)
}

// table is one table of the page.
type table struct {
	name, measure string
	graphs        []graph
}

func tables() []table {
	all := func(family func(float64) graph, drawn int64, edges ...float64) (out []graph) {
		for _, m := range edges {
			g := family(m)
			g.drawn = drawn
			out = append(out, g)
		}
		return out
	}
	return []table{
		{"betweenness of all nodes, social network", "betweenness", all(social, 0, 1e8, 1e9, 1e10, 1e11)},
		{"betweenness from 10,000 drawn sources, social network", "betweenness", all(social, 10_000, 1e8, 1e9, 1e10, 1e11)},
		{"harmonic closeness of all nodes, social network", "harmonic", all(social, 0, 1e8, 1e9, 1e10, 1e11)},
		{"betweenness of all nodes, planar", "betweenness", all(planar, 0, 1e8, 1e9)},
	}
}

func (t table) write(w io.Writer) error {
	fmt.Fprintf(w,
		"| %s: edges | nodes | graph | one device needs | 1 | 8 | 64 | 1,000 | linear up to | at 1,000 most is |\n", t.name)
	fmt.Fprintln(w, "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|")
	for _, g := range t.graphs {
		p, err := predict(g, t.measure)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, p.line())
	}
	_, err := fmt.Fprintln(w)
	return err
}

// line is a row of a table. Times of what does not fit are those of a device with enough memory.
func (p prediction) line() string {
	mark := ""
	if !p.fits {
		mark = " *"
	}
	times := ""
	for _, at := range p.scaling.Points {
		times += fmt.Sprintf(" %s%s |", long(at.Wall), mark)
	}
	linear, limit := fmt.Sprint(p.scaling.Linear), string(p.scaling.Points[len(counts)-1].Limit())
	if p.scaling.Limit == "" {
		linear, limit = "1,000", "-"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |%s %s | %s |", power(p.graph.edges), million(p.graph.nodes),
		gigabytes(p.graphBytes), gigabytes(p.scaling.Way.DeviceBytes), times, linear, limit)
}

func power(edges float64) string { return fmt.Sprintf("10^%.0f", math.Log10(edges)) }

func million(x float64) string {
	if x >= 1e9 {
		return fmt.Sprintf("%.2g G", x/1e9)
	}
	return fmt.Sprintf("%.3g M", x/1e6)
}

func gigabytes(b int64) string { return fmt.Sprintf("%.3g GB", float64(b)/1e9) }

// long writes a time with two digits, in the unit that a person would take.
func long(seconds float64) string {
	for _, unit := range []struct {
		name    string
		seconds float64
	}{{"years", 365 * 86400}, {"days", 86400}, {"h", 3600}, {"min", 60}} {
		if x := seconds / unit.seconds; x >= 2 {
			return digits(x) + " " + unit.name
		}
	}
	return digits(seconds) + " s"
}

// digits writes a number with two digits, or all before the point.
func digits(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1f", x)
}
