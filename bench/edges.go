package bench

import "github.com/linchpin-graph/linchpin/export"

// edgeList is a simple undirected graph: no self-loops, no parallel edges.
type edgeList struct {
	nodes          int
	source, target []int32
	weight         []float64 // nil for none
}

// simpleEdges lists the edges of an undirected graph with the smaller end first, sorted by both ends: self-loops are
// left out, of parallel edges the lightest stays.
func simpleEdges(g *export.Graph) *edgeList {
	e := &edgeList{nodes: g.N()}
	for v := range int32(g.N()) {
		begin := len(e.source)
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			w, last := g.Targets[i], len(e.source)-1
			switch {
			case w <= v:
			case last >= begin && e.target[last] == w:
				if g.Weights != nil {
					e.weight[last] = min(e.weight[last], g.Weights[i])
				}
			default:
				e.source, e.target = append(e.source, v), append(e.target, w)
				if g.Weights != nil {
					e.weight = append(e.weight, g.Weights[i])
				}
			}
		}
	}
	return e
}

// snapshot builds the CSR graph. The list must not be used afterwards.
func (e *edgeList) snapshot() (*export.Snapshot, error) {
	ids := make([]int64, e.nodes)
	for i := range ids {
		ids[i] = int64(i)
	}
	b := export.NewBuilder(export.Group{Orientation: export.Undirected, Parallel: export.Keep, Weighted: e.weight != nil})
	b.AddNodes(ids)
	if err := b.AddRelationships(export.Rels{Source: e.source, Target: e.target, Weights: e.weight}); err != nil {
		return nil, err
	}
	return b.Build()
}
