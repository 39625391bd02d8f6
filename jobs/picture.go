package jobs

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// A picture has so many nodes and links that a person can still read it, and takes so many bytes of a record.
const (
	pictureNodes = 120
	pictureTop   = 50 // highest nodes; the others are ends of the highest links
	pictureMarks = 10 // nodes that count as the highest
	pictureLinks = 240
	pictureBytes = 30 << 10
)

// pair are the indices of two nodes, the smaller one first on an undirected graph.
type pair struct{ from, to int32 }

// scored is a relationship with its score, or with a stand-in where relationships have none.
type scored struct {
	pair
	score float64
}

// pictureOf picks the nodes with the highest scores, the ends of the highest relationships, and the relationships
// between them: those that hold the picture together first, then the highest. It is nil when nothing has scores that
// rank.
func pictureOf(s *export.Snapshot, columns []connector.Column) *connector.Picture {
	nodes, rels := firstColumn(columns, connector.OnNodes), firstColumn(columns, connector.OnRelationships)
	if nodes == nil && rels == nil || s.Graph.N() == 0 {
		return nil
	}
	b := &sketch{snapshot: s, rels: rels, picture: connector.Picture{Directed: s.Graph.Directed}, at: map[int32]int{}}
	b.values = make([]float64, s.Graph.N())
	for v := range b.values {
		if nodes != nil {
			b.values[v] = nodes.Values[v]
		} else {
			b.values[v] = float64(s.Graph.Degree(int32(v)))
		}
	}
	if nodes != nil {
		b.picture.NodeProperty = nodes.Property
	}
	if rels != nil {
		b.picture.RelationshipProperty = rels.Property
	}
	b.pickNodes()
	b.pickLinks()
	return b.small()
}

// sketch is a picture under way.
type sketch struct {
	snapshot *export.Snapshot
	values   []float64 // a score for each node, its degree if nodes have none
	rels     *connector.Column
	picture  connector.Picture
	at       map[int32]int // nodes of the picture
}

func (b *sketch) add(v int32) {
	if _, seen := b.at[v]; seen || len(b.at) == pictureNodes {
		return
	}
	i := len(b.picture.Nodes)
	b.at[v] = i
	b.picture.Nodes = append(b.picture.Nodes, connector.Dot{
		ID: b.snapshot.Nodes.String(int(v)), Score: sixDigits(b.values[v]), Top: i < pictureMarks,
	})
}

// pickNodes takes all nodes of a small graph. Of others, it takes the highest ones, then the ends of the highest
// relationships, then the next nodes.
func (b *sketch) pickNodes() {
	tops := highest(b.values, pictureNodes)
	for _, v := range tops[:min(len(tops), pictureTop)] {
		b.add(int32(v))
	}
	if b.snapshot.Graph.N() > pictureNodes {
		for _, r := range b.best(pictureLinks, func(pair) bool { return true }) {
			if len(b.at) < pictureNodes-1 {
				b.add(r.from)
				b.add(r.to)
			}
		}
	}
	for _, v := range tops {
		b.add(int32(v))
	}
	for v := range min(b.snapshot.Graph.N(), pictureNodes) { // scores that are not finite are not among the highest
		b.add(int32(v))
	}
}

// best returns the n highest relationships that are wanted, the highest first; of parallel ones the highest.
func (b *sketch) best(n int, wanted func(pair) bool) []scored {
	rels := &b.snapshot.Rels
	kept := &lowest{}
	most := 4*n + 16 // parallel relationships take several places
	for v := range int32(b.snapshot.Graph.N()) {
		for i := rels.Offsets[v]; i < rels.Offsets[v+1]; i++ {
			r := scored{pair{v, rels.Targets[i]}, b.score(int(i), v, rels.Targets[i])}
			if r.from == r.to || kept.Len() == most && r.score <= (*kept)[0].score || !wanted(r.pair) {
				continue
			}
			heap.Push(kept, r)
			if kept.Len() > most {
				heap.Pop(kept)
			}
		}
	}
	return b.distinct(*kept, n)
}

// score is that of a relationship. Where there is none, the one with the higher ends counts as the higher.
func (b *sketch) score(i int, from, to int32) float64 {
	if b.rels != nil {
		return finite(b.rels.Values[i])
	}
	return min(finite(b.values[from]), finite(b.values[to]))
}

// distinct sorts relationships by score and leaves out those between nodes that a higher one joins.
func (b *sketch) distinct(all []scored, n int) []scored {
	slices.SortFunc(all, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	seen := map[pair]bool{}
	var out []scored
	for _, r := range all {
		key := r.pair
		if !b.snapshot.Graph.Directed && key.from > key.to {
			key = pair{key.to, key.from}
		}
		if !seen[key] && len(out) < n {
			seen[key] = true
			out = append(out, r)
		}
	}
	return out
}

// pickLinks takes the relationships between the picture's nodes: a spanning forest of the highest, then the next
// highest.
func (b *sketch) pickLinks() {
	between := b.best(pictureNodes*pictureNodes, func(p pair) bool {
		_, from := b.at[p.from]
		_, to := b.at[p.to]
		return from && to
	})
	forest, rest := b.split(between)
	for _, r := range append(forest, rest...)[:min(len(between), pictureLinks)] {
		score := 1.0
		if b.rels != nil {
			score = sixDigits(r.score)
		}
		b.picture.Links = append(b.picture.Links, connector.Link{From: b.at[r.from], To: b.at[r.to], Score: score})
	}
}

// split divides relationships into a spanning forest (Kruskal 1956) and the rest.
func (b *sketch) split(sorted []scored) (forest, rest []scored) {
	parent := make([]int, len(b.picture.Nodes))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, r := range sorted {
		from, to := root(b.at[r.from]), root(b.at[r.to])
		if from == to {
			rest = append(rest, r)
			continue
		}
		parent[from] = to
		forest = append(forest, r)
	}
	return forest, rest
}

// small leaves out the lowest nodes until the picture fits into a record. Names and places are still to come: they take
// some 80 bytes per node.
func (b *sketch) small() *connector.Picture {
	p := &b.picture
	for {
		text, err := json.Marshal(p)
		if err != nil || len(text)+80*len(p.Nodes) <= pictureBytes || len(p.Nodes) <= pictureMarks {
			return p
		}
		n := len(p.Nodes) * 9 / 10
		p.Nodes = p.Nodes[:n]
		p.Links = slices.DeleteFunc(p.Links, func(l connector.Link) bool { return l.From >= n || l.To >= n })
	}
}

// lowest is a heap of relationships with the lowest score at its top.
type lowest []scored

func (l lowest) Len() int { return len(l) }
func (l lowest) Less(i, k int) bool {
	return cmp.Or(cmp.Compare(l[i].score, l[k].score), cmp.Compare(l[k].from, l[i].from),
		cmp.Compare(l[k].to, l[i].to)) < 0
}
func (l lowest) Swap(i, k int) { l[i], l[k] = l[k], l[i] }

// Push implements heap.Interface.
func (l *lowest) Push(x any) { *l = append(*l, x.(scored)) }

// Pop implements heap.Interface.
func (l *lowest) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}

// firstColumn is the first one whose scores rank an entity; nil for none.
func firstColumn(columns []connector.Column, on connector.Entity) *connector.Column {
	for i := range columns {
		if columns[i].On == on && !columns[i].Groups {
			return &columns[i]
		}
	}
	return nil
}

// finite replaces what JSON cannot hold.
func finite(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}

// sixDigits keeps six digits of what JSON can hold.
func sixDigits(x float64) float64 {
	if x = finite(x); math.Abs(x) < math.SmallestNonzeroFloat64*1e10 {
		return 0
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil {
		return x
	}
	return short
}
