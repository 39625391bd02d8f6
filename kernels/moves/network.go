package moves

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// network is an undirected graph whose nodes may stand for groups of nodes. An arc from a node to itself has the weight
// of both directions of the edges within the node.
type network struct {
	offsets []int64
	targets []int32
	weights []float64 // by arc; nil where all are 1
	// strength is the weight of the arcs of each node, and total that of all arcs: twice the weight of the edges.
	strength []float64
	total    float64
}

// newNetwork takes the edges of a graph, whatever their direction.
func newNetwork(g *export.Graph, weighted bool) (*network, error) {
	n := &network{offsets: g.Offsets, targets: g.Targets, weights: g.Weights}
	if g.Directed {
		n = bothWays(g)
	}
	if !weighted {
		n.weights = nil
	}
	n.weigh()
	if math.IsInf(n.total, 0) {
		return nil, fmt.Errorf("the weights add up to more than float64 holds; use larger units for them")
	}
	return n, nil
}

// bothWays puts the arcs into each node after those out of it.
func bothWays(g *export.Graph) *network {
	back := g.Transpose()
	n := &network{offsets: make([]int64, g.N()+1), targets: make([]int32, 0, 2*g.Arcs())}
	for v := range int32(g.N()) {
		n.targets = append(append(n.targets, g.Row(v)...), back.Row(v)...)
		if g.Weights != nil {
			n.weights = append(append(n.weights, g.Weights[g.Offsets[v]:g.Offsets[v+1]]...),
				back.Weights[back.Offsets[v]:back.Offsets[v+1]]...)
		}
		n.offsets[v+1] = int64(len(n.targets))
	}
	return n
}

// weigh adds up the strengths.
func (n *network) weigh() {
	n.strength = make([]float64, n.nodes())
	for v := range n.strength {
		if n.weights == nil {
			n.strength[v] = float64(n.offsets[v+1] - n.offsets[v])
		} else {
			n.strength[v] = sum(n.weights[n.offsets[v]:n.offsets[v+1]])
		}
	}
	n.total = sum(n.strength)
}

func (n *network) nodes() int { return len(n.offsets) - 1 }

// row returns the targets of a node's arcs, and their weights: nil where all are 1.
func (n *network) row(v int32) (targets []int32, weights []float64) {
	first, last := n.offsets[v], n.offsets[v+1]
	if n.weights == nil {
		return n.targets[first:last], nil
	}
	return n.targets[first:last], n.weights[first:last]
}

// modularity is that of groups of the nodes, numbered from 0 under count.
func (n *network) modularity(of []int32, count int) float64 {
	if n.total == 0 {
		return 0
	}
	within, volume := make([]float64, count), make([]float64, count)
	for v, c := range of {
		volume[c] += n.strength[v]
		targets, weights := n.row(int32(v))
		for i, w := range targets {
			switch {
			case of[w] != c:
			case weights == nil:
				within[c]++
			default:
				within[c] += weights[i]
			}
		}
	}
	all := 0.0
	for c := range within {
		share := volume[c] / n.total
		all += within[c]/n.total - float64(share*share)
	}
	return all
}

// components counts the connected components.
func (n *network) components() int {
	parts := disjoint.New(n.nodes())
	for v := range int32(n.nodes()) {
		targets, _ := n.row(v)
		for _, w := range targets {
			if w < v {
				parts.Join(v, w)
			}
		}
	}
	return parts.Count
}

// part is what one thread merges: the rows of some nodes of the merged network, which follow one another.
type part struct {
	targets []int32
	weights []float64
}

// merge returns the network whose nodes are groups of the nodes. Its bits do not depend on threads: a row is made from
// the rows of its members in their order.
func (n *network) merge(of []int32, count, threads int) *network {
	all := membersOf(of, count)
	chunks := n.chunks(all, threads)
	parts := make([]part, len(chunks))
	out := &network{offsets: make([]int64, count+1), strength: make([]float64, count), total: n.total}
	inParallel(len(chunks), threads, func() func(i int) {
		t := newTally(count)
		return func(i int) {
			for c := chunks[i][0]; c < chunks[i][1]; c++ {
				before := len(parts[i].targets)
				out.strength[c] = n.mergeRow(all.of(c), of, t, &parts[i])
				out.offsets[c+1] = int64(len(parts[i].targets) - before)
			}
		}
	})
	for c := range count {
		out.offsets[c+1] += out.offsets[c]
	}
	for i := range parts {
		out.targets, out.weights = append(out.targets, parts[i].targets...), append(out.weights, parts[i].weights...)
	}
	return out
}

// mergeRow appends the arcs of a group to a part, and returns the strength of the group.
func (n *network) mergeRow(members, of []int32, t *tally, to *part) (strength float64) {
	for _, v := range members {
		strength += n.strength[v]
		targets, weights := n.row(v)
		t.add(targets, weights, of)
	}
	for _, c := range t.seen {
		to.targets, to.weights = append(to.targets, c), append(to.weights, t.near[c])
	}
	t.clear()
	return strength
}

// arcsPerChunk is how many arcs a thread takes at a time, at the least.
const arcsPerChunk = 1 << 14

// chunks cuts groups into ranges of about as many arcs.
func (n *network) chunks(all members, threads int) (out [][2]int32) {
	most := max(arcsPerChunk, n.offsets[n.nodes()]/int64(8*threads))
	first, arcs := int32(0), int64(0)
	count := int32(len(all.first) - 1)
	for c := range count {
		for _, v := range all.of(c) {
			arcs += n.offsets[v+1] - n.offsets[v]
		}
		if arcs >= most || c == count-1 {
			out, first, arcs = append(out, [2]int32{first, c + 1}), c+1, 0
		}
	}
	return out
}

// members are the nodes of each group, ascending.
type members struct{ first, nodes []int32 }

func membersOf(of []int32, count int) members {
	m := members{first: make([]int32, count+1), nodes: make([]int32, len(of))}
	for _, c := range of {
		m.first[c+1]++
	}
	for c := range count {
		m.first[c+1] += m.first[c]
	}
	next := slices.Clone(m.first)
	for v, c := range of {
		m.nodes[next[c]] = int32(v)
		next[c]++
	}
	return m
}

func (m members) of(c int32) []int32 { return m.nodes[m.first[c]:m.first[c+1]] }

// tally adds up weights by group.
type tally struct {
	near []float64 // by group; 0 of those not seen
	seen []int32
}

func newTally(groups int) *tally { return &tally{near: make([]float64, groups)} }

// add adds the arcs of a row to the groups of their targets.
func (t *tally) add(targets []int32, weights []float64, of []int32) {
	for i, w := range targets {
		c, weight := of[w], 1.0
		if weights != nil {
			weight = weights[i]
		}
		if t.near[c] == 0 {
			t.seen = append(t.seen, c)
		}
		t.near[c] += weight
	}
}

func (t *tally) clear() {
	for _, c := range t.seen {
		t.near[c] = 0
	}
	t.seen = t.seen[:0]
}

func sum(of []float64) (all float64) {
	for _, x := range of {
		all += x
	}
	return all
}

// numbered gives groups the numbers 0, 1, ... by the first node of each, in place, and returns their number.
func numbered(of []int32) (count int) {
	names := make([]int32, len(of))
	for v, c := range of {
		if names[c] == 0 {
			count++
			names[c] = int32(count)
		}
		of[v] = names[c] - 1
	}
	return count
}
