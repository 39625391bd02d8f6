// Package simplify chooses the part of a graph that is worth looking at: the edges or the nodes of the highest scores.
// The scores come from its caller.
//
// Jia et al. simplify graphs by keeping the edges of the highest betweenness (Edge v. Node Parallelism for Graph
// Centrality Metrics, GPU Computing Gems Jade Edition, 2011).
package simplify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// Rule says how much is kept.
type Rule struct {
	// Share is the part that is kept, over 0 and at most 1: the nearest whole number, and at least one.
	Share float64
	// Threshold, when set, keeps what has at least this score instead.
	Threshold *float64
	// Connected keeps a maximum spanning forest as well, so that nodes which a path joins stay joined. The direction of
	// edges does not matter.
	Connected bool
}

// ThresholdError reports a threshold that nothing reaches.
type ThresholdError struct {
	Threshold, Highest float64
	// What is "edge" or "node".
	What string
}

func (e *ThresholdError) Error() string {
	return fmt.Sprintf("threshold %v keeps no %s: the highest score is %v", e.Threshold, e.What, e.Highest)
}

// Edges reports for each edge whether it is kept. The edges of the highest scores are kept; of edges that tie, the one
// with the lower index comes first. A share counts the edges of the spanning forest, and is exceeded if the forest
// alone has more. The error is a *ThresholdError.
func Edges(g *export.Graph, scores []float64, r Rule) ([]bool, error) {
	order := descending(scores)
	count, err := r.count(scores, order, "edge")
	if err != nil {
		return nil, err
	}
	keep := make([]bool, len(scores))
	kept := 0
	take := func(e int32) {
		if !keep[e] {
			keep[e], kept = true, kept+1
		}
	}
	if r.Connected {
		for _, e := range forest(g, order) {
			take(e)
		}
	}
	for i, e := range order {
		if r.Threshold != nil && i >= count || r.Threshold == nil && kept >= count {
			break
		}
		take(e)
	}
	return keep, nil
}

// Nodes reports for each node whether it is kept: those of the highest scores; of nodes that tie, the one with the
// lower index comes first. The error is a *ThresholdError.
func Nodes(scores []float64, r Rule) ([]bool, error) {
	order := descending(scores)
	count, err := r.count(scores, order, "node")
	if err != nil {
		return nil, err
	}
	keep := make([]bool, len(scores))
	for _, v := range order[:count] {
		keep[v] = true
	}
	return keep, nil
}

// Count is how many of n a share keeps.
func (r Rule) Count(n int) int { return min(n, max(1, int(math.Round(r.Share*float64(n))))) }

// count returns how many of the order are kept, without regard to connections.
func (r Rule) count(scores []float64, order []int32, what string) (int, error) {
	if r.Threshold == nil {
		return r.Count(len(order)), nil
	}
	least := Level(*r.Threshold)
	count, _ := slices.BinarySearchFunc(order, least, func(i int32, least float64) int {
		if Level(scores[i]) >= least {
			return -1
		}
		return 1
	})
	if count == 0 && len(order) > 0 {
		return 0, &ThresholdError{*r.Threshold, scores[order[0]], what}
	}
	return count, nil
}

// Level is a score without its last bits. Scores that are equal by their definition differ by rounding; without these
// bits, which are about a billionth of the score, they tie.
func Level(score float64) float64 {
	const dropped = 1 << 22
	bits := math.Float64bits(score)
	return math.Float64frombits((bits + dropped/2) &^ (dropped - 1))
}

// descending returns the places of scores, the highest first, and of scores that tie the lower place first.
func descending(scores []float64) []int32 {
	order := make([]int32, len(scores))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(Level(scores[b]), Level(scores[a])), cmp.Compare(a, b))
	})
	return order
}

// forest returns a maximum spanning forest (Kruskal 1956) of edges in descending order.
func forest(g *export.Graph, order []int32) (edges []int32) {
	parts := disjoint.New(g.N())
	source, target := g.Ends()
	for _, e := range order {
		if parts.Join(source[e], target[e]) {
			edges = append(edges, e)
		}
	}
	return edges
}

// Between reports for each edge whether both of its ends are among the nodes.
func Between(g *export.Graph, nodes []bool) []bool {
	source, target := g.Ends()
	keep := make([]bool, g.M())
	for e := range keep {
		keep[e] = nodes[source[e]] && nodes[target[e]]
	}
	return keep
}

// Touched reports for each node whether it is an end of one of the edges.
func Touched(g *export.Graph, edges []bool) []bool {
	source, target := g.Ends()
	nodes := make([]bool, g.N())
	for e, kept := range edges {
		if kept {
			nodes[source[e]], nodes[target[e]] = true, true
		}
	}
	return nodes
}
