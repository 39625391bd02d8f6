package kernels

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// The words of Request.Reduce besides a list of Reductions.
const (
	ReduceAuto = "auto"
	ReduceOn   = "on"
	ReduceOff  = "off"
)

// Reductions are the names of the exact reductions of undirected graphs, in the order they are done: see docs/design/reductions.md.
func Reductions() []string { return []string{"trees", "blocks", "chains", "twins"} }

// sparseArcs is the number of arcs a node under which reduced searches cost little more than plain ones.
const sparseArcs = 4

// worthwhile is the share of the work that may be left of g for ReduceAuto to reduce. Reduced searches follow lengths. That
// costs 1.15 times a breadth-first search on power (2.7 arcs a node), 1.4 on ca-GrQc-lcc (6.5), and 1.8 to 2.2 on
// air-routes, wiki-Vote, facebook_combined, breast_coexpress and R-MAT graphs (7 to 73; user time of a thread at 433ca11).
// By weights it never costs more. Distances in hops are otherwise found from batches of sources, at a twentieth of that on
// shallow graphs, at half of it on a grid.
func worthwhile(g *export.Graph, weighted, distances bool) float64 {
	switch {
	case weighted:
		return 1
	case distances:
		return 0.1
	case g.Arcs() < sparseArcs*g.N():
		return 0.8
	}
	return 0.5
}

// Reduction says what became of Request.Reduce.
type Reduction struct {
	// Taken are those of Reductions that made the graph smaller; empty when it was searched as it is.
	Taken []string `json:"taken"`
	// WorkRatio is what all work on the reduced graph costs beside a search from every node; 0 when no plan was made.
	WorkRatio float64 `json:"workRatio"`
	// Searched is the number of nodes that were searched from.
	Searched int64 `json:"searched"`
	// Seconds is the time of planning; it is part of the time of computing.
	Seconds float64 `json:"seconds"`
	// Reason is one line on what was done or why not.
	Reason string `json:"reason"`
}

// Reduced sets the reason of a graph that had so many sources.
func (r *Reduction) Reduced(sources int64) {
	r.Reason = fmt.Sprintf("graph reduced: %s of %s sources, %s of the work", thousands(r.Searched), thousands(sources), percent(r.WorkRatio))
}

// NotReduced sets the reason of a graph that was searched as it is.
func (r *Reduction) NotReduced(why string) { r.Reason = "not reduced: " + why }

// Left says how much work would be left.
func (r *Reduction) Left() string { return percent(r.WorkRatio) + " of the work would be left" }

// percent writes a share with two digits.
func percent(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// thousands writes a count with commas.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// parseReduce reads Request.Reduce. Switches are those of "on" under "auto" and "off".
func parseReduce(text string) (mode string, s reduce.Switches, err error) {
	switch text {
	case "", ReduceAuto:
		return ReduceAuto, s, nil
	case ReduceOn, ReduceOff:
		return text, s, nil
	}
	s = reduce.Switches{NoTrees: true, NoBlocks: true, NoChains: true, NoBundles: true}
	for word := range strings.SplitSeq(text, ",") {
		switch strings.TrimSpace(word) {
		case "trees":
			s.NoTrees = false
		case "blocks":
			s.NoBlocks = false
		case "chains":
			s.NoChains = false
		case "twins":
			s.NoBundles = false
		default:
			return "", s, fmt.Errorf("%q is not known; it is auto, on, off, or of %s", text, strings.Join(Reductions(), ","))
		}
	}
	if !s.NoBundles && s.NoChains {
		return "", s, fmt.Errorf("%q: twins are merged among chains; add chains", text)
	}
	return ReduceOn, s, nil
}

// CheckReduce reports a value that Request.Reduce does not take.
func CheckReduce(text string) error {
	_, _, err := parseReduce(text)
	return err
}

// TakesTrees says of Request.Reduce whether it lets trees be folded, and whether it asks for it.
func TakesTrees(text string) (taken, asked bool) {
	mode, switches, err := parseReduce(text)
	return err == nil && mode != ReduceOff && !switches.NoTrees, mode == ReduceOn
}

// TakesChains says of Request.Reduce whether it lets chains be contracted.
func TakesChains(text string) bool {
	mode, switches, err := parseReduce(text)
	return err == nil && mode != ReduceOff && !switches.NoChains
}

// TreeFold is the fold of a measure of the closeness family over trees, and chains; ok is false where there is none.
func TreeFold(measure string) (fold closeness.Fold, ok bool) {
	m, _ := known(measure)
	if m.fold == nil {
		return 0, false
	}
	return m.fold.blocks, m.fold.blocks != 0
}

// planReduction reduces the graph of a request, for betweenness or for distances, where that is possible and pays;
// otherwise the plan is nil. The Reduction is nil when none was to be considered.
func planReduction(ctx context.Context, g *export.Graph, r Request, l lengths, distances bool) (*reduce.Reduced, *Reduction, error) {
	mode, switches, err := parseReduce(r.Reduce)
	if err != nil || mode == ReduceOff {
		return nil, nil, err
	}
	return planning{switches: switches, mode: mode, worth: atMost(worthwhile(g, r.Weighted, distances)), distances: distances}.plan(ctx, g, r, l)
}

// PlanSearches reduces the graph of a request for betweenness, for a program that searches from every node that is left, as
// devices do: by trees and blocks alone. Under ReduceAuto most is the share of the work that may be left. Otherwise it
// is as reductions on the CPU: the plan is nil where the graph is searched as it is, the Reduction where none was to be
// considered.
func PlanSearches(ctx context.Context, g *export.Graph, r Request, most float64) (*reduce.Reduced, *Reduction, error) {
	mode, switches, err := parseReduce(r.Reduce)
	if err != nil || mode == ReduceOff {
		return nil, nil, err
	}
	l, err := newLengths(ctx, g, r.Params)
	if err != nil {
		return nil, nil, err
	}
	switches.NoChains, switches.NoBundles = true, true
	return planning{switches: switches, mode: mode, worth: atMost(most)}.plan(ctx, g, r, l)
}

// ChainPlan is a plan of PlanChains.
type ChainPlan struct {
	// Reduced is nil where the graph is not to be searched by chains, for the reason that About gives.
	Reduced *reduce.Reduced
	// About is nil where no reduction was to be considered.
	About *Reduction

	all  *reduce.Reduced // nil where nothing could be planned
	mode string
}

// PlanChains reduces the graph of a request for betweenness, for a program that takes a reduce.Flat, by every reduction
// that the request allows; by hops, only if chains are among them. worth says, under ReduceAuto, whether to.
func PlanChains(ctx context.Context, g *export.Graph, r Request, worth func(reduce.Info) bool) (*ChainPlan, error) {
	mode, switches, err := parseReduce(r.Reduce)
	if err != nil || mode == ReduceOff || switches.NoChains && !r.Weighted {
		return &ChainPlan{}, err
	}
	l, err := newLengths(ctx, g, r.Params)
	if err != nil {
		return nil, err
	}
	out := &ChainPlan{mode: mode}
	p := planning{switches: switches, mode: mode, worth: worth, mayDropChains: true}
	if out.all, out.About, err = p.made(ctx, g, r, l); err != nil || out.all == nil {
		return out, err
	}
	out.Reduced = p.taken(out.all, out.About)
	return out, nil
}

// Searches returns what PlanSearches does for the same request, without planning anew where there is a plan whose chains can be dropped.
func (c *ChainPlan) Searches(ctx context.Context, g *export.Graph, r Request, most float64) (*reduce.Reduced, *Reduction, error) {
	if c.all == nil {
		return PlanSearches(ctx, g, r, most)
	}
	start := time.Now()
	plan, err := c.all.DropChains(ctx)
	if err != nil {
		return nil, nil, err
	}
	about := reductionOf(plan, c.About.Seconds+time.Since(start).Seconds())
	return planning{mode: c.mode, worth: atMost(most)}.taken(plan, about), about, nil
}

// Plan is what reductions make of the graph of a request for betweenness on the CPU, made ahead of the computation.
type Plan struct {
	lengths lengths
	reduced *reduce.Reduced // nil where the graph is searched as it is
	about   *Reduction
}

// Reduction says what the plan does; nil where no reduction was to be considered.
func (p *Plan) Reduction() *Reduction { return p.about }

// PlanBetweenness makes the plan of a request for betweenness on the CPU, which Request.Plan takes.
func PlanBetweenness(ctx context.Context, g *export.Graph, r Request) (*Plan, error) {
	l, err := newLengths(ctx, g, r.Params)
	if err != nil {
		return nil, err
	}
	reduced, about, err := planReduction(ctx, g, r, l, false)
	if err != nil {
		return nil, err
	}
	return &Plan{l, reduced, about}, nil
}

// planning says which reductions are wanted, when, and what for.
type planning struct {
	switches  reduce.Switches
	mode      string
	worth     func(reduce.Info) bool // under ReduceAuto
	distances bool                   // not betweenness
	// mayDropChains is as reduce.Options has it.
	mayDropChains bool
}

// atMost is worth it where at most this share of the work is left.
func atMost(share float64) func(reduce.Info) bool {
	return func(i reduce.Info) bool { return i.WorkRatio() <= share }
}

// plan makes a plan; it is nil where the graph is to be searched as it is.
func (p planning) plan(ctx context.Context, g *export.Graph, r Request, l lengths) (*reduce.Reduced, *Reduction, error) {
	plan, about, err := p.made(ctx, g, r, l)
	if err != nil || plan == nil {
		return nil, about, err
	}
	return p.taken(plan, about), about, nil
}

// made makes a plan, whether or not it is worth it; it is nil where there is an obstacle.
func (p planning) made(ctx context.Context, g *export.Graph, r Request, l lengths) (*reduce.Reduced, *Reduction, error) {
	ticks, obstacle := reducible(g, r, l)
	switch {
	case obstacle == "" && p.distances && r.Edges:
		obstacle = "edge scores need all distances"
	case obstacle == "" && p.distances && p.switches.NoBlocks:
		obstacle = "distances are reduced by blocks"
	}
	if obstacle != "" {
		about := &Reduction{Taken: []string{}, Searched: int64(sourceCount(r, g.N()))}
		about.NotReduced(obstacle)
		return nil, about, nil
	}
	start := time.Now()
	plan, err := reduce.New(ctx, g, reduce.Options{
		Switches: p.switches, Ticks: ticks, Endpoints: r.Endpoints, Distances: p.distances,
		MayDropChains: p.mayDropChains, Threads: r.Threads, Progress: r.Progress,
	})
	if err != nil {
		return nil, nil, err
	}
	return plan, reductionOf(plan, time.Since(start).Seconds()), nil
}

// reductionOf says what a plan does that is taken, but for the Reason.
func reductionOf(plan *reduce.Reduced, seconds float64) *Reduction {
	return &Reduction{WorkRatio: plan.Info.WorkRatio(), Searched: plan.Info.Branch, Seconds: seconds, Taken: taken(plan.Info)}
}

// taken returns the plan where it makes the graph smaller and is worth it, or nil, and gives the reason.
func (p planning) taken(plan *reduce.Reduced, about *Reduction) *reduce.Reduced {
	smaller := len(about.Taken) > 0 || plan.Info.Parallel+plan.Info.Loops > 0
	if p.mode == ReduceAuto && !p.worth(plan.Info) || !smaller {
		about.Taken, about.Searched = []string{}, plan.Info.Nodes
		about.NotReduced(about.Left())
		return nil
	}
	about.Reduced(plan.Info.Nodes)
	return plan
}

// reducible returns the lengths of arcs in ticks, nil for hops, or what stands against reductions.
func reducible(g *export.Graph, r Request, l lengths) (ticks []int64, obstacle string) {
	switch {
	case g.Directed:
		return nil, "the graph is directed"
	case r.Sources != nil:
		return nil, "not all nodes are sources"
	case g.M() > reduce.MaxEdges:
		return nil, fmt.Sprintf("more than %d edges", reduce.MaxEdges)
	}
	if w, ok := l.(*arcLengths[int64]); ok {
		return w.arc, ""
	}
	if _, ok := l.(hops); !ok {
		return nil, "the weights share no tick that 62 bits hold"
	}
	return nil, ""
}

// lengthOf is a length of so many ticks, or hops, as reducible returned them.
func lengthOf(l lengths, ticks float64) float64 {
	if w, ok := l.(*arcLengths[int64]); ok {
		return w.unit.of(ticks)
	}
	return ticks
}

func taken(i reduce.Info) []string {
	found := []int64{i.Folded, i.Bridges + i.Cycles + max(i.Cores-1, 0), i.Inner, i.Bundled + i.Merged}
	names := Reductions()
	return slices.DeleteFunc(Reductions(), func(name string) bool { return found[slices.Index(names, name)] == 0 })
}

// reducedBetweenness computes scores by a plan.
func reducedBetweenness(ctx context.Context, plan *reduce.Reduced, r Request, out *Scores) error {
	flows, err := plan.Search(ctx)
	if err != nil {
		return err
	}
	nodes, edges := plan.Scores(flows)
	if err := plan.Check(nodes, edges); err != nil {
		return err
	}
	if r.Nodes {
		out.Nodes = nodes
	}
	if r.Edges {
		out.Edges = edges
	}
	scale(out.Nodes, 2) // to ordered pairs, as sums over sources have them
	scale(out.Edges, 2)
	out.Totals = Totals{Pairs: plan.Info.Pairs, NoDistance: true}
	return nil
}

// Fit returns the request as it fits into free bytes of memory, and what it needs: under ReduceAuto reductions are turned
// off where only a search of the whole graph fits.
func (m Measure) Fit(g Size, r Request, free int64) (Request, int64) {
	need := m.Bytes(g, r)
	if mode, _, err := parseReduce(r.Reduce); err != nil || mode != ReduceAuto || need <= free {
		return r, need
	}
	r.Reduce = ReduceOff
	return r, m.Bytes(g, r)
}

// reducedBytes bounds the memory of reductions besides the scores; 0 when none are made.
func reducedBytes(g Size, r Request) int64 {
	if mode, _, err := parseReduce(r.Reduce); err != nil || mode == ReduceOff || g.Directed || r.Sources != nil || g.Edges > reduce.MaxEdges {
		return 0
	}
	return reduce.Bytes(g.Nodes, g.Edges, reduce.Options{Threads: r.Threads})
}
