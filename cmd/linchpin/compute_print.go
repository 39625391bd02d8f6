package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// highest is the number of rows that a look at the scores shows.
const highest = 10

// longestID is the number of letters of an id that tables and messages show.
const longestID = 40

// computeResult is what compute --json prints.
type computeResult struct {
	File     string `json:"file"`
	N        int    `json:"n"`
	M        int    `json:"m"`
	Directed bool   `json:"directed"`
	Measure  string `json:"measure"`
	Weighted bool   `json:"weighted"`
	Strategy string `json:"strategy,omitempty"` // of a GPU
	Device   string `json:"device"`
	Reason   string `json:"reason"`
	// Shards is into how many parts the run was cut, Devices how many GPUs shared it; absent for one.
	Shards  int `json:"shards,omitempty"`
	Devices int `json:"devices,omitempty"`
	// Remark says which GPU failed, where others went on.
	Remark string `json:"remark,omitempty"`
	// Completed are the numbers of parts that merge computed, because they were missing.
	Completed []int `json:"completed,omitempty"`
	// Fallback says in one word what kept it from a GPU that was allowed.
	Fallback protocol.Reason `json:"fallback,omitempty"`
	// Sources is how many nodes were searched from; Scale the factor of the scores.
	Sources int     `json:"sources"`
	Scale   float64 `json:"scale"`
	// Pairs says which pairs counted; absent where all do alike.
	Pairs *connector.Pairs `json:"pairs,omitempty"`
	// Ranges says in place of Pairs which pairs counted within each of several ranges.
	Ranges []*connector.Pairs `json:"ranges,omitempty"`
	// Bias is one line on how the scores of a drawn sample miss the exact ones on average; absent when they do not.
	Bias string `json:"bias,omitempty"`
	// Bound holds for the errors of all scores at once, as a share of n(n-1) ordered pairs (half when undirected), with
	// the probability Confidence; only a sample with a bound has one. It is 0 for exact scores. Of the closeness family it
	// is in the unit of the scores.
	Bound      *float64 `json:"bound,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	// Drawn is how many pairs of nodes were drawn; Sources is then 0.
	Drawn int64 `json:"drawn,omitempty"`
	// Adaptive says what an adaptive sample took; Sources is then its most.
	Adaptive  *adaptiveResult `json:"adaptive,omitempty"`
	Precision string          `json:"precision"`
	Ties      string          `json:"ties,omitempty"`
	// Reduction says how the graph was made smaller first; nil where that is not done.
	Reduction *kernels.Reduction `json:"reduction,omitempty"`
	// Kept is how many nodes have a score under --top: more than that where others tie with the last; absent without it.
	Kept int `json:"kept,omitempty"`
	// Grouping says what communities were found; nil of other measures.
	Grouping *groupingResult `json:"grouping,omitempty"`
	// Convergence says how an iteration ended; nil of other measures.
	Convergence *kernels.Convergence `json:"convergence,omitempty"`
	// Solution says how the equations of a flow were solved; nil of other measures.
	Solution *solutionResult `json:"solution,omitempty"`
	// Backbone says what was kept; nil of other measures.
	Backbone *connector.Backbone `json:"backbone,omitempty"`
	Dropped  export.Dropped      `json:"dropped"`
	Seconds  seconds             `json:"seconds"`
	// GTEPS is sources * m / seconds.compute / 1e9, as if nothing had been reduced.
	GTEPS     float64   `json:"gteps"`
	PeakBytes peakBytes `json:"peakBytes"`
	NodesOut  string    `json:"nodesOut,omitempty"`
	EdgesOut  string    `json:"edgesOut,omitempty"`
}

// peakBytes is the most memory taken.
type peakBytes struct {
	Host   int64 `json:"host"`
	Device int64 `json:"device"`
}

func (c *computation) result() computeResult {
	g, o, out := c.snapshot.Graph, c.options, c.work.Outcome
	r := computeResult{
		File: c.path, N: g.N(), M: g.M(), Directed: g.Directed, Measure: c.spec.Name, Weighted: g.Weights != nil,
		Strategy: out.Strategy, Device: out.Device, Reason: out.Reason, Fallback: out.Fallback, Shards: out.Shards,
		Devices: out.Devices, Sources: g.N(), Scale: c.work.Task.Request.Scale, Precision: o.precision, Ties: out.Scores.Ties,
		Reduction: out.Scores.Reduction, Dropped: c.snapshot.Dropped, Seconds: c.seconds(),
		Kept: out.Scores.Kept, NodesOut: o.nodesOut, EdgesOut: o.edgesOut,
		PeakBytes: peakBytes{Host: hostmem.PeakResident(), Device: out.PeakDevice},
	}
	r.Bias, r.Pairs = c.work.Bias(), jobs.PairsOf(&c.work)
	for _, one := range c.ranges {
		r.Pairs, r.Ranges = nil, append(r.Ranges, jobs.PairsOf(one.work))
	}
	if out.Devices > 0 {
		r.Remark = out.Remark
	}
	r.Grouping, r.Convergence = groupingOf(out.Scores.Grouping), out.Scores.Convergence
	r.Solution = solutionOf(out.Scores.Solution)
	if b := out.Scores.Backbone; b != nil {
		found := jobs.BackboneOf(c.spec.Name, b)
		r.Backbone = &found
	}
	if c.merger != nil {
		r.Completed = c.merger.Computed
	}
	if e := c.work.Estimate; e != nil {
		r.Bound, r.Confidence, r.Drawn, r.Sources = &e.Bound, &e.Confidence, e.Pairs, e.Sources
	}
	if c.adaptive != nil {
		r.Adaptive, r.Sources, r.Scale = c.adaptive, int(c.adaptive.Most), 1
	}
	if !out.Scores.Single { // the CPU knows no other, and a device may have gone over to it
		r.Precision = kernels.Double
	}
	if c.work.Task.Request.Sources != nil {
		r.Sources = len(c.work.Task.Request.Sources)
	}
	if r.Seconds.Compute > 0 {
		r.GTEPS = float64(r.Sources) * float64(r.M) / r.Seconds.Compute / 1e9
	}
	return r
}

// print shows the result: one JSON object, or the highest scores, named for one of several. When files took the scores,
// it shows them to a person on a terminal only.
func (c *computation) print(named bool) error {
	if c.options.dryRun {
		return c.printWays(named)
	}
	if c.json {
		return c.printJSON(c.result())
	}
	if !c.options.look && (c.quiet || !c.onTerminal()) {
		return nil
	}
	if named {
		fmt.Fprintln(c.stdout, c.path)
	}
	if grouping := c.work.Outcome.Scores.Grouping; grouping != nil {
		return c.printGroups(membersOf(grouping.Of), "NODES", c.nameOf)
	}
	if b := c.work.Outcome.Scores.Backbone; b != nil {
		return c.printBackbone(b)
	}
	if c.ranges == nil {
		return c.printScores(c.spec.Name, c.work.Outcome.Scores.Nodes, c.edges)
	}
	for i, r := range c.ranges {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		if err := c.printScores(r.rangeName(c.spec.Name), r.work.Outcome.Scores.Nodes, r.edges); err != nil {
			return err
		}
	}
	return nil
}

// printScores shows the highest scores of nodes and of edges; nil for none.
func (c *computation) printScores(name string, nodes, edges []float64) error {
	if nodes != nil {
		if err := c.printNodes(name, nodes); err != nil {
			return err
		}
	}
	if edges == nil {
		return nil
	}
	if nodes != nil {
		fmt.Fprintln(c.stdout)
	}
	return c.printEdges(name, edges)
}

// printNodes shows the highest scores of nodes, or the largest groups that they number.
func (c *computation) printNodes(name string, nodes []float64) error {
	if numbers, _ := c.spec.NumbersGroups(c.work.Task.Request.Params); numbers {
		return c.printGroups(membersOf(nodes), "NODES", c.nameOf)
	}
	t := &table{header: []string{"NODE", name}, right: []bool{false, true}}
	for _, v := range top(nodes, c.shown()) {
		t.add(c.nameOf(v), score(nodes[v]))
	}
	return t.print(c.stdout)
}

// waysResult is what compute --dry-run --json prints.
type waysResult struct {
	File    string           `json:"file"`
	Measure string           `json:"measure"`
	Sample  *jobs.Forecast   `json:"sample,omitempty"`
	Ways    []plan.Candidate `json:"ways"`
}

// printWays shows what is known of a sample with a bound, and the ways to compute, one a line, the first one in full.
func (c *computation) printWays(named bool) error {
	if c.work.Ranking == nil {
		return usagef("--dry-run lists no ways for adaptive samples")
	}
	if c.json {
		return c.printJSON(waysResult{c.path, c.spec.Name, c.work.Forecast, c.work.Ranking.Ways})
	}
	if named {
		fmt.Fprintln(c.stdout, c.path)
	}
	if c.work.Forecast != nil {
		fmt.Fprintln(c.stdout, c.work.Forecast)
	}
	lines := c.work.Ranking.Lines()
	if more := c.work.Instead(); more != "" {
		lines = append(lines, more)
	}
	for _, line := range lines {
		fmt.Fprintln(c.stdout, line)
	}
	return nil
}

// printEdges shows the highest scores of edges, or the largest groups that they number.
func (c *computation) printEdges(name string, edges []float64) error {
	if _, numbers := c.spec.NumbersGroups(c.work.Task.Request.Params); numbers {
		return c.printGroups(membersOf(edges), "EDGES", func(i int) string {
			source, target := c.ends(i)
			return shorten(source, longestID) + "-" + shorten(target, longestID)
		})
	}
	t := &table{header: []string{"SRC", "DST", name}, right: []bool{false, false, true}}
	for _, i := range top(edges, highest) {
		source, target := c.ends(i)
		t.add(shorten(source, longestID), shorten(target, longestID), score(edges[i]))
	}
	return t.print(c.stdout)
}

// ends returns the ids of the nodes that an edge joins.
func (c *computation) ends(edge int) (source, target string) {
	rels := &c.snapshot.Rels
	at, _ := slices.BinarySearchFunc(rels.Offsets[1:], int64(edge), func(end, i int64) int {
		if end <= i {
			return -1
		}
		return 1
	})
	return c.snapshot.Nodes.String(at), c.snapshot.Nodes.String(int(rels.Targets[edge]))
}

// shown is how many nodes are printed: some of the highest, or all that have a score under --top.
func (c *computation) shown() int { return max(highest, c.work.Outcome.Scores.Kept) }

// top returns the places of the count highest scores, highest first, ties in their order. NaN is no score.
func top(scores []float64, count int) []int {
	var best []int
	for i := range scores {
		if math.IsNaN(scores[i]) || len(best) == count && scores[i] <= scores[best[count-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, i, func(j, i int) int {
			return cmp.Or(cmp.Compare(scores[i], scores[j]), cmp.Compare(j, i))
		})
		best = slices.Insert(best, at, i)
		best = best[:min(len(best), count)]
	}
	return best
}

// score writes a score for people.
func score(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
