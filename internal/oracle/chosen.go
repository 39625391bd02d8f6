package oracle

// Choice says which ordered pairs count, and how much.
type Choice struct {
	// Demand is how much a pair counts; 0 for one that does not.
	Demand func(s, t int) float64
	// Within is the greatest distance of a pair that counts; 0 for no limit.
	Within float64
}

// far reports whether a distance is out of range.
func (c Choice) far(distance float64) bool { return c.Within > 0 && distance > c.Within }

// Chosen is what the pairs of a choice add up to, each times how much it counts.
type Chosen struct {
	// Nodes and Edges are sums of shares of shortest paths, PathNodes and PathEdges of numbers of shortest paths; Ends are
	// those of the pairs that begin or end in a node.
	Nodes, Edges, PathNodes, PathEdges, Ends []float64
	// Pairs is how many there are.
	Pairs int64
}

// Choose lists every shortest path of every pair of a choice, one by one, and adds up what is on it. It counts nothing
// by products, so the graph must be small.
func (o *Oracle) Choose(c Choice) Chosen {
	n, m := o.g.N, len(o.g.Edges)
	out := Chosen{
		Nodes: make([]float64, n), Edges: make([]float64, m), PathNodes: make([]float64, n), PathEdges: make([]float64, m),
		Ends: make([]float64, n),
	}
	for s := range n {
		p := o.From(s)
		for _, t := range p.Reached {
			demand := c.Demand(s, t)
			if t == s || demand == 0 || c.far(p.Distance[t]) {
				continue
			}
			out.Pairs++
			out.Ends[s] += demand
			out.Ends[t] += demand
			out.add(p.list(s, t, nil), demand)
		}
	}
	return out
}

// add adds the paths of one pair.
func (c *Chosen) add(paths [][]arc, demand float64) {
	share := demand / float64(len(paths))
	for _, path := range paths {
		for i, a := range path { // from its end to its beginning
			c.Edges[a.edge] += share
			c.PathEdges[a.edge] += demand
			if i > 0 {
				c.Nodes[a.to] += share
				c.PathNodes[a.to] += demand
			}
		}
	}
}

// list lists the shortest paths from s to v, each followed by the arcs after it, last arc first.
func (p *Paths) list(s, v int, after []arc) (all [][]arc) {
	if v == s {
		return [][]arc{append([]arc(nil), after...)}
	}
	for _, a := range p.into[v] {
		all = append(all, p.list(s, a.from, append(after[:len(after):len(after)], a))...)
	}
	return all
}

// Fold is what distances from the sources that reach a node, or an edge, add up to: demand, demand times distance, and
// demand over distance.
type Fold struct{ Demand, Distance, Inverse float64 }

func (f *Fold) add(demand, distance float64) {
	f.Demand += demand
	f.Distance += demand * distance
	f.Inverse += demand / distance
}

// FoldNodes folds the distances of the pairs of a choice at their targets.
func (o *Oracle) FoldNodes(c Choice) []Fold {
	out := make([]Fold, o.g.N)
	for s := range o.g.N {
		for t, d := range o.From(s).Distance {
			if demand := c.Demand(s, t); t != s && d >= 0 && demand > 0 && !c.far(d) {
				out[t].add(demand, d)
			}
		}
	}
	return out
}

// FoldEdges folds, at every edge with an end that is a target, the distances from sources to its nearer end. Sources
// that are an end of it do not count.
func (o *Oracle) FoldEdges(c Choice, source func(s int) float64, target func(t int) bool) []Fold {
	out := make([]Fold, len(o.g.Edges))
	for s := range o.g.N {
		distance := o.From(s).Distance
		for i, e := range o.g.Edges {
			if s == e.From || s == e.To || source(s) == 0 || !target(e.From) && !target(e.To) {
				continue
			}
			d, other := distance[e.From], distance[e.To]
			if d < 0 || other >= 0 && other < d {
				d = other
			}
			if d >= 0 && !c.far(d) {
				out[i].add(source(s), d)
			}
		}
	}
	return out
}
